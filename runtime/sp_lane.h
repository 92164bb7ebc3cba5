/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_LANE_H
#define SP_LANE_H

/* A lane: what one thread records. A stack of open calls, the call-path tree with its statistics, and the rings of events,
 * messages and close records in the lane's store. Used by its own thread only. All Local.
 *
 * Budget of a begin/end pair: two clock readings, one 16-byte event, five adds and compares on one cache line of the node. No
 * lock, no allocation, no division, no system call but at a turn-over of the event ring (every 65 536 events). Sums of squares,
 * first and last are derived from the ring in batches at the turn-over. */

#include "sp_clock.h"
#include "sp_paths.h"

#define SP_LIKELY(x) __builtin_expect(!!(x), 1)
#define SP_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Event bytes a process may keep, shared by its lanes. */
struct sp_trace_budget {
    uint64_t limit; /* bytes; 0: none are kept (profile mode) */
    uint64_t used;  /* atomic */
};

struct sp_frame {
    uint64_t start; /* ticks */
    uint64_t child; /* ticks spent in direct children so far */
    uint64_t event; /* sequence number */
    struct sp_spill_node *node;
    uint32_t node_id;
    uint32_t skipped; /* begins directly inside that were not recorded and whose ends are still to come */
};

struct sp_path_cache {
    struct sp_spill_node *node;
    uint32_t parent;
    uint32_t id;
};

struct sp_lane {
    struct sp_spill_header *head;
    struct sp_frame *top;         /* innermost open call; frames[0] is the root and never closed */
    struct sp_frame *frame_limit; /* last usable frame */
    struct sp_path_cache *cache;  /* by region: the call path it was last entered on */
    uint32_t cache_size;
    uint32_t clock_source;
    struct sp_spill_event *events;

    /* the call closed last, for what is said about it afterwards */
    struct sp_spill_node *ended_node;
    uint64_t ended_event;

    struct sp_spill_message *messages;
    struct sp_spill_close *closes;
    struct sp_frame *frames;
    struct sp_store *store;
    struct sp_paths *paths;
    struct sp_trace_budget *budget;
    int crossed_region;           /* region of the first unmatched or crossing end, -1 none */
    struct sp_lane *next;         /* the process's list of lanes */
    struct sp_lane *next_idle;    /* its list of lanes without a thread */
};

/* A lane in memory with the process's clock (copied) and budget (shared, outlives it). NULL without memory. */
struct sp_lane *sp_lane_create(const struct sp_spill_clock *clock, struct sp_trace_budget *budget);
void sp_lane_destroy(struct sp_lane *lane);

/* The rare turns of the two functions below. */
int sp_lane_make_room(struct sp_lane *lane);
int sp_lane_find_path(struct sp_lane *lane, uint32_t region, struct sp_path_cache *path);
void sp_lane_close_late(struct sp_lane *lane, const struct sp_frame *frame, uint64_t duration);
void sp_lane_end_crossed(struct sp_lane *lane, int region, uint64_t now);

/* Opens a call of a region (>= 0). */
static inline void sp_lane_begin(struct sp_lane *lane, int region)
{
    struct sp_frame *top = lane->top;
    struct sp_path_cache path;
    if (SP_LIKELY((uint32_t)region < lane->cache_size && lane->cache[region].parent == top->node_id))
        path = lane->cache[region];
    else if (sp_lane_find_path(lane, (uint32_t)region, &path) < 0)
        return;
    uint32_t used = lane->head->events_used;
    if (SP_UNLIKELY(used == SP_SPILL_RING_EVENTS || top == lane->frame_limit)) {
        if (sp_lane_make_room(lane) < 0)
            return;
        used = lane->head->events_used;
        top = lane->top;
    }
    struct sp_frame *frame = top + 1;
    struct sp_spill_event *event = &lane->events[used];
    frame->child = 0;
    frame->event = lane->head->events_first + used;
    frame->node = path.node;
    frame->node_id = path.id;
    frame->skipped = 0;
    lane->top = frame;
    event->duration = SP_DURATION_OPEN;
    event->node = path.id;
    uint64_t now = sp_clock_now(lane->clock_source);
    event->start = now;
    frame->start = now;
    __atomic_store_n(&lane->head->events_used, used + 1, __ATOMIC_RELAXED);
}

/* A begin that is not recorded; its end will be told apart from others. */
static inline void sp_lane_skip(struct sp_lane *lane)
{
    lane->top->skipped++;
}

/* Adds a call to its node and to its parent's children. */
static inline void sp_lane_count(struct sp_frame *frame, uint64_t duration)
{
    struct sp_spill_node *node = frame->node;
    node->calls++;
    node->total += duration;
    node->self += duration - frame->child;
    if (duration < node->min)
        node->min = duration;
    if (duration > node->max)
        node->max = duration;
    frame[-1].child += duration;
}

/* Closes the innermost call at the reading now. */
static inline void sp_lane_close(struct sp_lane *lane, struct sp_frame *frame, uint64_t now)
{
    uint64_t duration = now - frame->start;
    if (SP_UNLIKELY((int64_t)duration < 0)) {
        duration = 0;
        lane->head->clock_steps_back++;
    }
    uint64_t index = frame->event - lane->head->events_first;
    if (SP_LIKELY(index < SP_SPILL_RING_EVENTS && duration < SP_DURATION_LONG))
        lane->events[index].duration = (uint32_t)duration;
    else
        sp_lane_close_late(lane, frame, duration);
    sp_lane_count(frame, duration);
    lane->ended_node = frame->node;
    lane->ended_event = frame->event;
    lane->top = frame - 1;
}

/* Closes a call of a region (>= 0) that ended at the reading now. */
static inline void sp_lane_end(struct sp_lane *lane, int region, uint64_t now)
{
    struct sp_frame *frame = lane->top;
    if (SP_LIKELY(frame->node->region == (uint32_t)region && frame->skipped == 0))
        sp_lane_close(lane, frame, now);
    else
        sp_lane_end_crossed(lane, region, now);
}

/* Says what the call closed last carried: its node's bytes and, where events are kept, a message record (event is filled in). */
void sp_lane_message(struct sp_lane *lane, struct sp_spill_message message);

/* Ends the record: open calls are counted up to now, statistics brought up to date, the clock's last point set. */
void sp_lane_finish(struct sp_lane *lane, uint64_t now, const struct sp_spill_clock *clock);

#endif
