/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_batch.h"
#include "sp_bins.h"
#include "sp_stats.h"

#include <stdlib.h>
#include <string.h>

/* What a batch gathers of a node, one cache line. Calls and total are one sum: the calls in its upper 16 bits, where 0 is 2^16. */
struct sp_batch {
    uint64_t calls_total;
    uint64_t squares_low, squares_high;
    uint32_t min, max;
    uint32_t first, last; /* index in the ring, from 1 on; 0 none: it is in no chain */
    uint32_t next;        /* chain of the nodes of this batch, 0 the end */
    uint32_t ticket;      /* the region's, for its bins; one that is void means ask again */
    struct sp_bins_slot *slot;
    uint32_t reserved[2];
};
static_assert(sizeof(struct sp_batch) == 64, "an event touches one line of it");

#define CALL (UINT64_C(1) << 48)
static_assert(SP_SPILL_RING_EVENTS <= 65536, "calls and total of a batch fit into one sum");

/* So that what fits into an event is below the last octave of the bins: 2^32 ticks of 2^15 ns. */
#define MAX_TICK_NS 32768.0
static_assert(SP_BINS_OCTAVES > 32 + 15, "an event's duration has a bin");

/* The rate is measured anew whenever twice the time has gone by over which it was: the longer, the better. */
static __attribute__((noinline)) void measure_tick(struct sp_lane *lane, uint64_t now)
{
    struct sp_spill_clock *clock = &lane->head.clock;
    uint64_t known = clock->last[clock->last_index & 1].ticks - clock->first.ticks;
    if (clock->source != SP_CLOCK_MONOTONIC && now - clock->first.ticks > 2 * known)
        sp_clock_renew(clock);
    double ns = sp_spill_ns_per_tick(clock);
    lane->tick_ns = ns < MAX_TICK_NS ? ns : MAX_TICK_NS;
    known = clock->last[clock->last_index & 1].ticks - clock->first.ticks;
    lane->tick_until = clock->source == SP_CLOCK_MONOTONIC ? UINT64_MAX : clock->first.ticks + 2 * known;
}

/* What a tick takes. */
static double ns_per_tick(struct sp_lane *lane, uint64_t now)
{
    if (SP_UNLIKELY(now > lane->tick_until))
        measure_tick(lane, now);
    return lane->tick_ns;
}

static void add_sums(struct sp_spill_sums *into, const struct sp_spill_sums *more)
{
    into->calls += more->calls;
    into->total += more->total;
    if (more->min < into->min)
        into->min = more->min;
    if (more->max > into->max)
        into->max = more->max;
    into->squares_low += more->squares_low;
    into->squares_high += more->squares_high + (into->squares_low < more->squares_low);
}

static void note_first(struct sp_spill_node *node, uint64_t start, uint64_t duration)
{
    if (start >= node->first_start)
        return;
    node->first_start = start;
    node->first = duration;
}

static void note_last(struct sp_spill_node *node, uint64_t start, uint64_t duration)
{
    if (start < node->last_start)
        return;
    node->last_start = start;
    node->last = duration;
}

static void add_call(struct sp_spill_sums *sums, uint64_t duration)
{
    sums->calls++;
    sums->total += duration;
    if (duration < sums->min)
        sums->min = duration;
    if (duration > sums->max)
        sums->max = duration;
    if (SP_LIKELY(duration <= UINT32_MAX))
        sums->squares_high += __builtin_add_overflow(sums->squares_low, duration * duration, &sums->squares_low);
    else
        sp_squares_add(&sums->squares_low, &sums->squares_high, duration);
}

void sp_batch_add_apart(struct sp_lane *lane, const struct sp_frame *frame, uint64_t duration)
{
    struct sp_spill_node *node = sp_paths_node(lane->paths, frame->node_id);
    add_call(&node->sums[sp_spill_valid_copy(node->batch, lane->head.batches)], duration);
    note_first(node, frame->start, duration);
    note_last(node, frame->start, duration);
    sp_bins_add_apart(lane->bins, node->region, (double)duration * ns_per_tick(lane, frame->start + duration));
}

static int make_batch_room(struct sp_lane *lane)
{
    if (lane->batch_size >= lane->head.node_count)
        return 0;
    uint32_t size = lane->head.node_count * 2;
    struct sp_batch *batch = calloc(size, sizeof *batch);
    if (!batch)
        return -1;
    free(lane->batch);
    lane->batch = batch;
    lane->batch_size = size;
    return 0;
}

/* Adds an ended call to what the batch has of its node: each sum by itself, so that none waits for another. */
static inline void add_event(struct sp_batch *b, uint32_t duration, uint32_t place)
{
    uint64_t square = (uint64_t)duration * duration;
    b->calls_total += CALL + duration;
    if (SP_UNLIKELY(duration < b->min))
        b->min = duration;
    if (SP_UNLIKELY(duration > b->max))
        b->max = duration;
    if (SP_UNLIKELY(__builtin_add_overflow(b->squares_low, square, &b->squares_low)))
        b->squares_high++;
    b->last = place;
}

static struct sp_spill_sums sums_of(const struct sp_batch *b)
{
    uint64_t calls = b->calls_total / CALL;
    return (struct sp_spill_sums){.calls = calls ? calls : SP_SPILL_RING_EVENTS,
        .total = b->calls_total % CALL,
        .min = b->min,
        .max = b->max,
        .squares_low = b->squares_low,
        .squares_high = b->squares_high};
}

/* Before an event is added: the node stands in the chain, its region has a valid ticket. Returns the chain. */
static uint32_t prepare(struct sp_lane *lane, uint32_t node, uint32_t place, uint32_t chain)
{
    struct sp_batch *b = &lane->batch[node];
    b->ticket = sp_bins_ticket(lane->bins, sp_paths_node(lane->paths, node)->region);
    b->slot = sp_bins_slot(lane->bins, b->ticket);
    if (b->first != 0)
        return chain;
    b->first = place;
    b->next = chain;
    b->min = UINT32_MAX;
    return node;
}

/* Sums up the ring by node; budget 4 ns an event. Returns the chain of the nodes that occur. */
static uint32_t gather(struct sp_lane *lane)
{
    const struct sp_spill_event *ring = lane->ring;
    struct sp_batch *batch = lane->batch;
    double tick_ns = ns_per_tick(lane, sp_clock_now(lane->head.clock.source)), least_ns = lane->bins->least_ns;
    uint32_t count = sp_lane_events_used(lane), chain = 0, first_ticket = lane->bins->first_ticket;
    uint64_t until = sp_spill_batched_until(&lane->head), skip = until > lane->head.events_first ? until - lane->head.events_first : 0;
    for (uint32_t i = (uint32_t)skip; i < count; i++) {
        uint32_t duration = ring[i].duration;
        struct sp_batch *b = &batch[ring[i].node];
        if (SP_UNLIKELY(duration >= SP_DURATION_LONG))
            continue;
        if (SP_UNLIKELY(b->ticket < first_ticket)) {
            chain = prepare(lane, ring[i].node, i + 1, chain);
            first_ticket = lane->bins->first_ticket;
        }
        add_event(b, duration, i + 1);
        sp_bins_count(b->slot, (double)(int64_t)duration * tick_ns, least_ns, i);
    }
    return chain;
}

/* Calls that are open now cannot be in a batch twice: what is open at a batch is closed by a record. */
static void leave_open_calls(struct sp_lane *lane)
{
    struct sp_hot *hot = lane->hot;
    for (struct sp_frame *frame = hot->top; frame > lane->frames && frame->event; frame--) {
        frame->number = lane->head.events_first + (uint64_t)(frame->event - lane->ring);
        frame->event = NULL;
        frame->region |= SP_FRAME_SLOW;
    }
    size_t depth = (size_t)(hot->top - lane->frames);
    for (size_t i = lane->head.open_count; i < depth && i < SP_SPILL_OPEN_CALLS; i++)
        lane->open[i] = (struct sp_spill_open){
            .event = lane->frames[i + 1].number, .start = lane->frames[i + 1].start, .node = lane->frames[i + 1].node_id};
    __atomic_store_n(&lane->head.open_count, (uint32_t)depth, __ATOMIC_RELEASE);
}

/* The copy of a node's sums that is not valid yet, as the batch has it so far. */
static struct sp_spill_sums *next_sums(const struct sp_lane *lane, struct sp_spill_node *node)
{
    int valid = sp_spill_valid_copy(node->batch, lane->head.batches), other = 1 - valid;
    if (node->batch[other] != lane->head.batches + 1) {
        node->sums[other] = node->sums[valid];
        node->batch[other] = lane->head.batches + 1;
    }
    return &node->sums[other];
}

/* Adds to a node what a batch gathered of it. */
static void take_batch(struct sp_lane *lane, struct sp_spill_node *node, const struct sp_batch *b)
{
    const struct sp_spill_event *first = &lane->ring[b->first - 1], *last = &lane->ring[b->last - 1];
    struct sp_spill_sums sums = sums_of(b);
    add_sums(next_sums(lane, node), &sums);
    note_first(node, first->start, first->duration);
    note_last(node, last->start, last->duration);
}

static void take_message(struct sp_lane *lane, const struct sp_spill_message *message, struct sp_spill_summed *summed)
{
    struct sp_spill_node *node = sp_paths_node(lane->paths, message->node);
    int direction = sp_spill_direction((int)message->operation);
    if (direction > 0)
        next_sums(lane, node)->bytes_sent += message->bytes;
    else if (direction < 0)
        next_sums(lane, node)->bytes_received += message->bytes;
    sp_exchange_add(&lane->exchange, node->region, message, summed);
}

/* Sums up the messages that no batch has; budget 8 ns a message. */
static void take_messages(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    struct sp_spill_summed summed = head->summed[head->batches % 2];
    uint64_t first = head->messages_first, end = first + head->messages_used;
    for (uint64_t number = summed.until > first ? summed.until : first; number < end; number++)
        take_message(lane, &lane->messages[number - first], &summed);
    summed.until = end;
    head->summed[(head->batches + 1) % 2] = summed;
}

void sp_batch_sum_up(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    if (make_batch_room(lane) < 0)
        return;
    leave_open_calls(lane);
    for (uint32_t id = gather(lane), next; id != 0; id = next) {
        struct sp_batch *b = &lane->batch[id];
        next = b->next;
        take_batch(lane, sp_paths_node(lane->paths, id), b);
        memset(b, 0, sizeof *b);
    }
    take_messages(lane);
    sp_bins_take_batch(lane->bins);
    head->batched_until[(head->batches + 1) % 2] = head->events_first + sp_lane_events_used(lane);
    __atomic_store_n(&head->batches, head->batches + 1, __ATOMIC_RELEASE);
}
