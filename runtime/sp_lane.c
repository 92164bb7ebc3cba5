/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "sp_batch.h"
#include "sp_bins.h"
#include "sp_keep.h"
#include "sp_reserve.h"

#include <stdlib.h>
#include <string.h>

/* The root's frame: an end of any region finds it slow, and then not open. */
#define ROOT_REGION 0xffffffffu

static struct sp_frame nobody = {.node_id = SP_NODE_NONE, .region = ROOT_REGION};
#define IN_NO_LANE                                                                                                                         \
    {                                                                                                                                      \
        .top = &nobody                                                                                                                     \
    }
__thread struct sp_hot sp_hot __attribute__((visibility("hidden"), tls_model("initial-exec"))) = IN_NO_LANE;

static int place_rings(struct sp_lane *lane)
{
    char *base = (char *)lane;
    lane->ring = (void *)(base + SP_SPILL_EVENTS_AT);
    lane->messages = (void *)(base + SP_SPILL_MESSAGES_AT);
    lane->closes = (void *)(base + SP_SPILL_CLOSES_AT);
    lane->open = (void *)(base + SP_SPILL_OPEN_AT);
    lane->frame_room = 2 * SP_SPILL_RING_EVENTS;
    lane->frames = sp_reserve(lane->frame_room * sizeof *lane->frames);
    lane->cache = sp_reserve(SP_REGION_LIMIT * sizeof *lane->cache);
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
    lane->bins = sp_bins_create(store, SP_REGION_LIMIT);
    sp_exchange_make(&lane->exchange, store);
    if (!lane->bins || place_rings(lane) < 0) {
        sp_lane_destroy(lane);
        return NULL;
    }
    lane->budget = budget;
    lane->crossed_region = -1;
    lane->snapshot_at = UINT64_MAX;
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
    sp_bins_destroy(lane->bins);
    sp_exchange_free(&lane->exchange);
    sp_reserve_release(lane->frames, lane->frame_room * sizeof *lane->frames);
    sp_reserve_release(lane->cache, SP_REGION_LIMIT * sizeof *lane->cache);
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

/* Room for a ring of calls more than are open, so that a begin need not ask. */
static int make_frame_room(struct sp_lane *lane)
{
    struct sp_hot *hot = lane->hot;
    size_t depth = (size_t)(hot->top - lane->frames), room = lane->frame_room;
    while (depth + SP_SPILL_RING_EVENTS + 1 > room)
        room *= 2;
    if (room == lane->frame_room)
        return 0;
    struct sp_frame *frames = sp_reserve(room * sizeof *frames);
    if (!frames)
        return -1;
    memcpy(frames, lane->frames, (depth + 1) * sizeof *frames);
    sp_reserve_release(lane->frames, lane->frame_room * sizeof *frames);
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
    sp_batch_sum_up(lane);
    sp_keep_events(lane, used);
    lane->hot->next = lane->ring;
    __atomic_store_n(&lane->ring[0].start, 0, __ATOMIC_RELEASE); /* empty; only then may the numbers move on */
    head->events_first += used;
    sp_clock_renew(&head->clock);
    if (head->clock.last[head->clock.last_index].ticks >= lane->snapshot_at)
        lane->take_snapshot(lane, head->clock.last[head->clock.last_index].ticks);
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

/* A run has started meanwhile: only the thread that is in the lane can move it to disk, since it writes all the time. */
static void move_if_asked(struct sp_lane *lane)
{
    if (SP_UNLIKELY(__atomic_load_n(&lane->is_to_move, __ATOMIC_ACQUIRE)))
        lane->move(lane);
}

void sp_lane_begin(struct sp_lane *lane, int region)
{
    move_if_asked(lane);
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
        sp_keep_closes(lane);
    lane->closes[head->closes_used] = (struct sp_spill_close){.event = number, .duration = duration};
    __atomic_store_n(&head->closes_used, head->closes_used + 1, __ATOMIC_RELEASE);
    if (frame->event)
        frame->event->duration = SP_DURATION_LONG;
    else if (number >= head->events_first)
        lane->ring[number - head->events_first].duration = SP_DURATION_LONG;
    sp_batch_add_apart(lane, frame, duration);
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
    frame->skipped = frame->skipped_ends = 0;
    lane->hot->top = frame - 1;
    size_t depth = (size_t)(frame - 1 - lane->frames);
    if (lane->head.open_count > depth)
        __atomic_store_n(&lane->head.open_count, (uint32_t)depth, __ATOMIC_RELEASE);
}

/* The end of a begin that was not recorded. */
static void end_skipped(struct sp_frame *top)
{
    top->skipped_ends++;
    if (sp_frame_skipped(top) == 0 && top->event)
        top->region &= ~SP_FRAME_SLOW;
}

static int is_of(const struct sp_frame *frame, int region)
{
    return frame->node_id != SP_NODE_NONE && (frame->region & ~SP_FRAME_SLOW) == (uint32_t)region;
}

/* The simple cases of an end: of a begin that was skipped, of the innermost call. 0: it is neither. */
static int end_innermost(struct sp_lane *lane, int region, uint64_t now)
{
    struct sp_frame *frame = lane->hot->top;
    if (sp_frame_skipped(frame) > 0)
        end_skipped(frame);
    else if (is_of(frame, region))
        close_top(lane, now);
    else
        return 0;
    return 1;
}

/* Closes a region's innermost call and what is open inside, or nothing where it is not open. */
static void unwind(struct sp_lane *lane, int region, uint64_t now)
{
    struct sp_frame *frame = lane->hot->top;
    while (frame > lane->frames && !is_of(frame, region))
        frame--;
    if (frame == lane->frames)
        return;
    while (lane->hot->top >= frame)
        close_top(lane, now);
}

static void note_crossing(struct sp_lane *lane, int region)
{
    lane->head.unmatched_ends++;
    if (lane->crossed_region >= 0)
        return;
    lane->crossed_region = region;
    if (lane->nesting == SP_NESTING_STRICT && lane->tell_crossing)
        lane->tell_crossing(lane);
}

void sp_lane_end(struct sp_lane *lane, int region, uint64_t now)
{
    if (end_innermost(lane, region, now))
        return;
    note_crossing(lane, region);
    if (lane->nesting == SP_NESTING_UNWIND)
        unwind(lane, region, now);
}

/* What is done now and then, at the end of a call. */
static void after_call(struct sp_lane *lane, uint64_t now)
{
    move_if_asked(lane);
    if (SP_UNLIKELY(now >= lane->snapshot_at))
        lane->take_snapshot(lane, now);
}

void sp_lane_end_call(struct sp_lane *lane, int region, uint64_t now)
{
    const struct sp_frame *frame = lane->hot->top;
    uint64_t number = frame->event ? lane->head.events_first + (uint64_t)(frame->event - lane->ring) : frame->number;
    lane->ended_ticks = now > frame->start ? now - frame->start : 0;
    if (!sp_lane_try_end(region, now) && !end_innermost(lane, region, now)) {
        note_crossing(lane, region);
        unwind(lane, region, now); /* a call that returned is over, whatever its callbacks left open */
    }
    lane->ended_id = lane->hot->top == frame ? SP_NODE_NONE : frame->node_id;
    lane->ended_event = number;
    after_call(lane, now);
}

void sp_lane_end_unrecorded(struct sp_lane *lane, int region, uint64_t now)
{
    struct sp_frame *frame = sp_hot.top;
    if (SP_UNLIKELY(frame->region != (uint32_t)region || frame->event + 1 != sp_hot.next || now < frame->start)) {
        sp_lane_end_call(lane, region, now);
        return;
    }
    __atomic_store_n(&frame->event->start, 0, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a kill between the event and the sum leaves neither, rather than both */
    sp_hot.next = frame->event;
    sp_hot.top = frame - 1;
    sp_batch_add_apart(lane, frame, now - frame->start);
    lane->ended_id = SP_NODE_NONE;
    after_call(lane, now);
}

void sp_lane_empty_messages(struct sp_lane *lane)
{
    sp_batch_sum_up(lane);
    sp_keep_messages(lane);
}

uint64_t sp_lane_calls(struct sp_lane *lane, int region)
{
    uint64_t calls = 0;
    sp_batch_sum_up(lane);
    for (uint32_t id = 1; id < lane->head.node_count; id++) {
        const struct sp_spill_node *node = sp_paths_node(lane->paths, id);
        if (node->region == (uint32_t)region)
            calls += node->sums[sp_spill_valid_copy(node->batch, lane->head.batches)].calls;
    }
    return calls;
}

void sp_lane_finish(struct sp_lane *lane, uint64_t now, const struct sp_spill_clock *clock)
{
    struct sp_spill_header *head = &lane->head;
    sp_batch_sum_up(lane);
    sp_keep_rest(lane);
    for (const struct sp_frame *frame = lane->hot->top; frame > lane->frames; frame--)
        sp_batch_add_apart(lane, frame, now > frame->start ? now - frame->start : 0); /* as if it ended now; its event stays open */
    lane->hot->top = lane->frames;
    head->open_count = 0;
    head->clock = *clock;
    head->lane_end = now;
}
