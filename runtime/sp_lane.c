/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "sp_lane.h"
#include "sp_stats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The root's frame: an end of any region finds it slow, and then not open. */
#define ROOT_REGION 0xffffffffu

static struct sp_frame nobody = {.node_id = SP_NODE_NONE, .region = ROOT_REGION};
#define IN_NO_LANE                                                                                                                         \
    {                                                                                                                                      \
        .top = &nobody                                                                                                                     \
    }
__thread struct sp_hot sp_hot __attribute__((visibility("hidden"), tls_model("initial-exec"))) = IN_NO_LANE;

/* What a batch gathers of a node. */
struct sp_batch {
    struct sp_spill_sums sums;
    uint32_t first, last; /* index in the ring, from 1 on; 0 none */
    uint32_t next;        /* chain of the nodes of this batch, 0 the end */
    uint32_t is_chained;
};

/* Address space that costs memory only where it is written. */
static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void release(void *p, size_t bytes)
{
    if (p)
        munmap(p, bytes);
}

static int place_rings(struct sp_lane *lane)
{
    char *base = (char *)lane;
    lane->ring = (void *)(base + SP_SPILL_EVENTS_AT);
    lane->messages = (void *)(base + SP_SPILL_MESSAGES_AT);
    lane->closes = (void *)(base + SP_SPILL_CLOSES_AT);
    lane->open = (void *)(base + SP_SPILL_OPEN_AT);
    lane->frame_room = 2 * SP_SPILL_RING_EVENTS;
    lane->frames = reserve(lane->frame_room * sizeof *lane->frames);
    lane->cache = reserve(SP_REGION_LIMIT * sizeof *lane->cache);
    if (!lane->frames || !lane->cache)
        return -1;
    lane->frames[0] = (struct sp_frame){.node_id = SP_NODE_NONE, .region = ROOT_REGION};
    lane->hot = &lane->parked;
    lane->parked = (struct sp_hot){
        .top = lane->frames, .next = lane->ring, .ring_end = lane->ring + SP_SPILL_RING_EVENTS, .cache = lane->cache, .lane = lane};
    return 0;
}

struct sp_lane *sp_lane_create(const struct sp_spill_clock *clock, struct sp_trace_budget *budget)
{
    struct sp_store *store = sp_store_create(SP_SPILL_LANE_HEAD);
    struct sp_paths *paths = store ? sp_paths_create(store) : NULL;
    if (!paths) {
        sp_store_destroy(store);
        return NULL;
    }
    struct sp_lane *lane = (struct sp_lane *)sp_store_head(store);
    lane->store = store;
    lane->paths = paths;
    if (place_rings(lane) < 0) {
        sp_lane_destroy(lane);
        return NULL;
    }
    lane->budget = budget;
    lane->crossed_region = -1;
    lane->ended_id = SP_NODE_NONE;
    lane->head.kind = SP_SPILL_LANE;
    lane->head.clock = *clock;
    lane->head.events_kept = lane->head.messages_kept = budget->limit ? UINT64_MAX : 0;
    lane->head.lane_start = sp_clock_now(clock->source);
    return lane;
}

void sp_lane_destroy(struct sp_lane *lane)
{
    if (!lane)
        return;
    if (sp_hot.lane == lane)
        sp_hot = (struct sp_hot)IN_NO_LANE;
    sp_paths_destroy(lane->paths);
    release(lane->frames, lane->frame_room * sizeof *lane->frames);
    release(lane->cache, SP_REGION_LIMIT * sizeof *lane->cache);
    free(lane->batch);
    sp_store_destroy(lane->store); /* the lane itself lies in it */
}

void sp_lane_enter(struct sp_lane *lane)
{
    sp_hot = lane->parked;
    lane->hot = &sp_hot;
}

void sp_lane_leave(struct sp_lane *lane)
{
    lane->parked = sp_hot;
    lane->hot = &lane->parked;
    sp_hot = (struct sp_hot)IN_NO_LANE;
}

void sp_lane_forget(void)
{
    sp_hot = (struct sp_hot)IN_NO_LANE;
}

uint32_t sp_lane_events_used(const struct sp_lane *lane)
{
    return (uint32_t)(lane->hot->next - lane->ring);
}

/* Bytes of these that the budget still has, taken from it. */
static size_t take(struct sp_trace_budget *budget, size_t bytes)
{
    uint64_t before = __atomic_fetch_add(&budget->used, bytes, __ATOMIC_RELAXED);
    uint64_t left = before < budget->limit ? budget->limit - before : 0;
    return left < bytes ? (size_t)left : bytes;
}

/* Appends the used part of a ring as a segment, as far as the budget allows. Returns how many entries were kept. */
static uint32_t keep(struct sp_lane *lane, enum sp_spill_segment_type type, uint64_t first, uint32_t count, const void *ring, size_t size)
{
    uint32_t kept = (uint32_t)(take(lane->budget, count * size) / size);
    struct sp_spill_segment segment = {.type = type, .first = first, .count = kept};
    if (kept > 0 && sp_store_append(lane->store, &segment, ring, kept * size) < 0)
        return 0;
    return kept;
}

static int is_kept(const struct sp_lane *lane)
{
    return lane->head.events_kept == UINT64_MAX;
}

/* From these on there is only the profile. */
static void stop_keeping(struct sp_lane *lane, uint64_t events_kept, uint64_t messages_kept)
{
    lane->head.messages_kept = messages_kept;
    lane->head.events_kept = events_kept;
}

/* The first event of which the close record was not kept is the last that can be told: what follows would look open. */
static void flush_closes(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t used = head->closes_used;
    if (is_kept(lane) && keep(lane, SP_SEGMENT_CLOSES, head->closes_first, used, lane->closes, sizeof *lane->closes) < used)
        stop_keeping(lane, head->events_first, head->messages_first);
    __atomic_store_n(&head->closes_used, 0, __ATOMIC_RELEASE);
    head->closes_first += used;
}

static void flush_messages(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t used = head->messages_used;
    uint32_t kept =
        is_kept(lane) ? keep(lane, SP_SEGMENT_MESSAGES, head->messages_first, used, lane->messages, sizeof *lane->messages) : used;
    if (kept < used)
        stop_keeping(lane, lane->messages[kept].event, head->messages_first + kept);
    __atomic_store_n(&head->messages_used, 0, __ATOMIC_RELEASE);
    head->messages_first += used;
}

/* Copies the events away; messages of events that are not kept are given up with them. */
static void flush_events(struct sp_lane *lane, uint32_t used)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t kept = is_kept(lane) ? keep(lane, SP_SEGMENT_EVENTS, head->events_first, used, lane->ring, sizeof *lane->ring) : used;
    if (kept < used)
        stop_keeping(lane, head->events_first + kept, head->messages_first + head->messages_used);
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

/* A call that no batch will see. */
static void add_apart(struct sp_lane *lane, const struct sp_frame *frame, uint64_t duration)
{
    struct sp_spill_node *node = sp_paths_node(lane->paths, frame->node_id);
    struct sp_spill_sums one = {.calls = 1, .total = duration, .min = duration, .max = duration};
    sp_squares_add(&one.squares_low, &one.squares_high, duration);
    add_sums(&node->sums[sp_spill_valid_copy(node, lane->head.batches)], &one);
    note_first(node, frame->start, duration);
    note_last(node, frame->start, duration);
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
static uint32_t gather_run(const struct sp_spill_event *ring, uint32_t i, uint32_t count, struct sp_batch *b)
{
    uint64_t calls = 0, total = 0, min = b->sums.min, max = b->sums.max;
    uint128 squares = (uint128)b->sums.squares_high << 64 | b->sums.squares_low;
    uint32_t node = ring[i].node;
    for (; i < count && ring[i].node == node; i++) {
        uint64_t duration = ring[i].duration;
        if (SP_UNLIKELY(duration >= SP_DURATION_LONG))
            continue;
        calls++;
        total += duration;
        min = duration < min ? duration : min;
        max = duration > max ? duration : max;
        squares += duration * duration;
        b->last = i + 1;
        if (SP_UNLIKELY(b->first == 0))
            b->first = i + 1;
    }
    b->sums = (struct sp_spill_sums){.calls = b->sums.calls + calls,
        .total = b->sums.total + total,
        .min = min,
        .max = max,
        .squares_low = (uint64_t)squares,
        .squares_high = (uint64_t)(squares >> 64)};
    return i;
}

/* Sums up the ring by node; budget 2 ns an event. Returns the chain of the nodes that occur. */
static uint32_t gather(struct sp_lane *lane)
{
    const struct sp_spill_event *ring = lane->ring;
    uint32_t count = sp_lane_events_used(lane), chain = 0;
    uint64_t skip = lane->head.batched_until > lane->head.events_first ? lane->head.batched_until - lane->head.events_first : 0;
    for (uint32_t i = (uint32_t)skip; i < count;) {
        uint32_t node = ring[i].node;
        struct sp_batch *b = &lane->batch[node];
        if (!b->is_chained) {
            b->is_chained = 1;
            b->next = chain;
            b->sums.min = UINT64_MAX;
            chain = node;
        }
        i = gather_run(ring, i, count, b);
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
    int valid = sp_spill_valid_copy(node, lane->head.batches), other = 1 - valid;
    node->sums[other] = node->sums[valid];
    add_sums(&node->sums[other], &b->sums);
    node->batch[other] = lane->head.batches + 1;
    note_first(node, first->start, first->duration);
    note_last(node, last->start, last->duration);
}

void sp_lane_batch(struct sp_lane *lane)
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
    head->batched_until = head->events_first + sp_lane_events_used(lane);
    __atomic_store_n(&head->batches, head->batches + 1, __ATOMIC_RELEASE);
}

/* Room for a ring of calls more than are open, so that a begin need not ask. */
static int make_frame_room(struct sp_lane *lane)
{
    struct sp_hot *hot = lane->hot;
    size_t depth = (size_t)(hot->top - lane->frames), room = lane->frame_room;
    while (depth + SP_SPILL_RING_EVENTS + 1 > room)
        room *= 2;
    if (room == lane->frame_room)
        return 0;
    struct sp_frame *frames = reserve(room * sizeof *frames);
    if (!frames)
        return -1;
    memcpy(frames, lane->frames, (depth + 1) * sizeof *frames);
    release(lane->frames, lane->frame_room * sizeof *frames);
    lane->frames = frames;
    lane->frame_room = room;
    hot->top = frames + depth;
    return 0;
}

static int turn_over(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t used = sp_lane_events_used(lane);
    if (make_frame_room(lane) < 0)
        return -1;
    sp_lane_batch(lane);
    flush_events(lane, used);
    lane->hot->next = lane->ring;
    __atomic_store_n(&lane->ring[0].start, 0, __ATOMIC_RELEASE); /* empty; only then may the numbers move on */
    head->events_first += used;
    sp_clock_renew(&head->clock);
    return 0;
}

static int find_path(struct sp_lane *lane, uint32_t region)
{
    uint32_t parent = lane->hot->top->node_id;
    if (region >= SP_REGION_LIMIT)
        return -1;
    uint32_t id = sp_paths_child(lane->paths, parent == SP_NODE_NONE ? 0 : parent, region);
    if (id == SP_NODE_NONE)
        return -1;
    lane->cache[region] = (struct sp_path_cache){.parent = parent, .id = id};
    return 0;
}

void sp_lane_skip(struct sp_lane *lane)
{
    lane->hot->top->skipped++;
    lane->hot->top->region |= SP_FRAME_SLOW;
}

void sp_lane_begin(struct sp_lane *lane, int region)
{
    int status = find_path(lane, (uint32_t)region);
    if (status == 0 && lane->hot->next == lane->hot->ring_end)
        status = turn_over(lane);
    if (status == 0 && sp_lane_try_begin(region, lane->head.clock.source))
        return;
    sp_lane_skip(lane);
}

/* Closes the call of a frame whose event is not in the ring, or too short for the duration. */
static void close_by_record(struct sp_lane *lane, const struct sp_frame *frame, uint64_t duration)
{
    struct sp_spill_header *head = &lane->head;
    uint64_t number = frame->event ? head->events_first + (uint64_t)(frame->event - lane->ring) : frame->number;
    if (head->closes_used == SP_SPILL_RING_CLOSES)
        flush_closes(lane);
    lane->closes[head->closes_used] = (struct sp_spill_close){.event = number, .duration = duration};
    __atomic_store_n(&head->closes_used, head->closes_used + 1, __ATOMIC_RELEASE);
    if (frame->event)
        frame->event->duration = SP_DURATION_LONG;
    else if (number >= head->events_first)
        lane->ring[number - head->events_first].duration = SP_DURATION_LONG;
    add_apart(lane, frame, duration);
}

static void close_top(struct sp_lane *lane, uint64_t now)
{
    struct sp_frame *frame = lane->hot->top;
    uint64_t duration = now - frame->start;
    if ((int64_t)duration < 0) {
        duration = 0;
        lane->head.clock_steps_back++;
    }
    if (frame->event && duration < SP_DURATION_LONG)
        frame->event->duration = (uint32_t)duration;
    else
        close_by_record(lane, frame, duration);
    frame->skipped = 0;
    lane->hot->top = frame - 1;
    size_t depth = (size_t)(frame - 1 - lane->frames);
    if (lane->head.open_count > depth)
        __atomic_store_n(&lane->head.open_count, (uint32_t)depth, __ATOMIC_RELEASE);
}

/* The end of a begin that was not recorded. */
static void end_skipped(struct sp_frame *top)
{
    top->skipped--;
    if (top->skipped == 0 && top->event)
        top->region &= ~SP_FRAME_SLOW;
}

static int is_of(const struct sp_frame *frame, int region)
{
    return frame->node_id != SP_NODE_NONE && (frame->region & ~SP_FRAME_SLOW) == (uint32_t)region;
}

/* An end that is not simply the innermost call's: of a begin that was skipped, of a call whose event has left the ring, of an outer
 * region (the inner ones are closed with it), or of none. */
void sp_lane_end(struct sp_lane *lane, int region, uint64_t now)
{
    struct sp_frame *frame = lane->hot->top;
    if (frame->skipped > 0) {
        end_skipped(frame);
        return;
    }
    if (is_of(frame, region)) {
        close_top(lane, now);
        return;
    }
    lane->head.unmatched_ends++;
    if (lane->crossed_region < 0)
        lane->crossed_region = region;
    while (frame > lane->frames && !is_of(frame, region))
        frame--;
    if (frame == lane->frames)
        return;
    while (lane->hot->top >= frame)
        close_top(lane, now);
}

void sp_lane_end_call(struct sp_lane *lane, int region, uint64_t now)
{
    const struct sp_frame *frame = lane->hot->top;
    uint64_t number = frame->event ? lane->head.events_first + (uint64_t)(frame->event - lane->ring) : frame->number;
    if (!sp_lane_try_end(region, now))
        sp_lane_end(lane, region, now);
    lane->ended_id = lane->hot->top == frame ? SP_NODE_NONE : frame->node_id;
    lane->ended_event = number;
}

void sp_lane_message(struct sp_lane *lane, struct sp_spill_message message)
{
    struct sp_spill_header *head = &lane->head;
    if (lane->ended_id == SP_NODE_NONE)
        return;
    struct sp_spill_node *node = sp_paths_node(lane->paths, lane->ended_id);
    int direction = sp_spill_direction(message.operation);
    if (direction > 0)
        node->bytes_sent += message.bytes;
    else if (direction < 0)
        node->bytes_received += message.bytes;
    if (!is_kept(lane))
        return;
    if (head->messages_used == SP_SPILL_RING_MESSAGES)
        flush_messages(lane);
    message.event = lane->ended_event;
    lane->messages[head->messages_used] = message;
    __atomic_store_n(&head->messages_used, head->messages_used + 1, __ATOMIC_RELEASE);
}

uint64_t sp_lane_calls(struct sp_lane *lane, int region)
{
    uint64_t calls = 0;
    sp_lane_batch(lane);
    for (uint32_t id = 1; id < lane->head.node_count; id++) {
        const struct sp_spill_node *node = sp_paths_node(lane->paths, id);
        if (node->region == (uint32_t)region)
            calls += node->sums[sp_spill_valid_copy(node, lane->head.batches)].calls;
    }
    return calls;
}

/* What is left in the rings at the end counts against the budget too. */
static void limit_rings(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t events = sp_lane_events_used(lane), messages = head->messages_used;
    if (!is_kept(lane))
        return;
    uint32_t events_left = (uint32_t)(take(lane->budget, events * sizeof *lane->ring) / sizeof *lane->ring);
    uint32_t messages_left = (uint32_t)(take(lane->budget, messages * sizeof *lane->messages) / sizeof *lane->messages);
    if (events_left < events || messages_left < messages)
        stop_keeping(lane, head->events_first + events_left, head->messages_first + messages_left);
}

void sp_lane_finish(struct sp_lane *lane, uint64_t now, const struct sp_spill_clock *clock)
{
    struct sp_spill_header *head = &lane->head;
    sp_lane_batch(lane);
    limit_rings(lane);
    for (const struct sp_frame *frame = lane->hot->top; frame > lane->frames; frame--)
        add_apart(lane, frame, now > frame->start ? now - frame->start : 0); /* as if it ended now; its event stays open */
    lane->hot->top = lane->frames;
    head->open_count = 0;
    head->clock = *clock;
    head->lane_end = now;
}
