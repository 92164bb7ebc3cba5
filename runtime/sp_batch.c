/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_batch.h"
#include "sp_bins.h"
#include "sp_stats.h"

#include <stdlib.h>
#include <string.h>

/* What a batch gathers of a node. */
struct sp_batch {
    struct sp_spill_sums sums;
    uint32_t first, last; /* index in the ring, from 1 on; 0 none */
    uint32_t next;        /* chain of the nodes of this batch, 0 the end */
    uint32_t is_chained;
    uint32_t region;
    uint32_t generation; /* while it is the bins' own the slot is the region's */
    struct sp_bins_slot *slot;
};

/* What a tick takes. The rate is measured anew whenever twice the time has gone by over which it was: the longer, the better. */
static double ns_per_tick(struct sp_lane *lane, uint64_t now)
{
    struct sp_spill_clock *clock = &lane->head.clock;
    uint64_t known = clock->last[clock->last_index & 1].ticks - clock->first.ticks;
    if (clock->source != SP_CLOCK_MONOTONIC && now - clock->first.ticks > 2 * known)
        sp_clock_renew(clock);
    return sp_spill_ns_per_tick(clock);
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

void sp_batch_add_apart(struct sp_lane *lane, const struct sp_frame *frame, uint64_t duration)
{
    struct sp_spill_node *node = sp_paths_node(lane->paths, frame->node_id);
    struct sp_spill_sums one = {.calls = 1, .total = duration, .min = duration, .max = duration};
    sp_squares_add(&one.squares_low, &one.squares_high, duration);
    add_sums(&node->sums[sp_spill_valid_copy(node->batch, lane->head.batches)], &one);
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

__extension__ typedef unsigned __int128 uint128;

/* Adds the ended ones among the ring's entries from i on, for as long as they are of one node. Returns the first entry behind them.
 * What is summed up stays in registers: through memory each event would wait for the one before. */
static uint32_t gather_run(const struct sp_spill_event *ring, uint32_t i, uint32_t count, struct sp_batch *b, double tick_ns)
{
    uint64_t calls = 0, total = 0, min = b->sums.min, max = b->sums.max, octaves = 0;
    uint128 squares = (uint128)b->sums.squares_high << 64 | b->sums.squares_low;
    uint32_t node = ring[i].node, last = 0, *counts = b->slot->counts;
    while (i < count && ring[i].node == node && ring[i].duration >= SP_DURATION_LONG)
        i++;
    if (b->first == 0 && i < count && ring[i].node == node)
        b->first = i + 1;
    for (; i < count && ring[i].node == node; i++) {
        uint64_t duration = ring[i].duration;
        if (SP_UNLIKELY(duration >= SP_DURATION_LONG))
            continue;
        calls++;
        total += duration;
        min = duration < min ? duration : min;
        max = duration > max ? duration : max;
        squares += duration * duration;
        sp_bins_count(counts, &octaves, (double)(int64_t)duration * tick_ns, i);
        last = i + 1;
    }
    if (calls == 0)
        return i;
    b->last = last;
    b->slot->octaves |= octaves;
    b->sums = (struct sp_spill_sums){.calls = b->sums.calls + calls,
        .total = b->sums.total + total,
        .min = min,
        .max = max,
        .squares_low = (uint64_t)squares,
        .squares_high = (uint64_t)(squares >> 64)};
    return i;
}

/* A node's first event of a batch. Returns the chain with it. */
static uint32_t chain_node(struct sp_lane *lane, struct sp_batch *b, uint32_t node, uint32_t chain)
{
    b->is_chained = 1;
    b->next = chain;
    b->sums.min = UINT64_MAX;
    b->region = sp_paths_node(lane->paths, node)->region;
    return node;
}

/* Sums up the ring by node; budget 2 ns an event. Returns the chain of the nodes that occur. */
static uint32_t gather(struct sp_lane *lane)
{
    const struct sp_spill_event *ring = lane->ring;
    double tick_ns = ns_per_tick(lane, sp_clock_now(lane->head.clock.source));
    uint32_t count = sp_lane_events_used(lane), chain = 0;
    uint64_t skip = lane->head.batched_until > lane->head.events_first ? lane->head.batched_until - lane->head.events_first : 0;
    for (uint32_t i = (uint32_t)skip; i < count;) {
        struct sp_batch *b = &lane->batch[ring[i].node];
        if (SP_UNLIKELY(!b->is_chained))
            chain = chain_node(lane, b, ring[i].node, chain);
        if (SP_UNLIKELY(!b->slot || b->generation != sp_bins_generation(lane->bins)))
            b->slot = sp_bins_slot(lane->bins, b->region, &b->generation);
        i = gather_run(ring, i, count, b, tick_ns);
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

/* Adds to a node what a batch gathered of it, in the copy that is not valid yet. */
static void take_batch(struct sp_lane *lane, struct sp_spill_node *node, const struct sp_batch *b)
{
    const struct sp_spill_event *first = &lane->ring[b->first - 1], *last = &lane->ring[b->last - 1];
    int valid = sp_spill_valid_copy(node->batch, lane->head.batches), other = 1 - valid;
    node->sums[other] = node->sums[valid];
    add_sums(&node->sums[other], &b->sums);
    node->batch[other] = lane->head.batches + 1;
    note_first(node, first->start, first->duration);
    note_last(node, last->start, last->duration);
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
        if (b->first > 0)
            take_batch(lane, sp_paths_node(lane->paths, id), b);
        memset(b, 0, sizeof *b);
    }
    sp_bins_take_batch(lane->bins);
    head->batched_until = head->events_first + sp_lane_events_used(lane);
    __atomic_store_n(&head->batches, head->batches + 1, __ATOMIC_RELEASE);
}
