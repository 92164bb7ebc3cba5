/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_lane.h"
#include "sp_stats.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_FRAMES 256u
#define FIRST_CACHE 256u

static struct sp_spill_node root_node = {.parent = SP_NODE_NONE, .region = SP_NODE_NONE};

struct sp_lane *sp_lane_create(const struct sp_spill_clock *clock, struct sp_trace_budget *budget)
{
    struct sp_lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return NULL;
    lane->store = sp_store_create(SP_SPILL_LANE_HEAD);
    lane->frames = calloc(FIRST_FRAMES, sizeof *lane->frames);
    if (!lane->store || !lane->frames || !(lane->paths = sp_paths_create(lane->store)))
        goto fail;
    lane->head = sp_store_head(lane->store);
    char *base = (char *)lane->head;
    lane->events = (void *)(base + SP_SPILL_EVENTS_AT);
    lane->messages = (void *)(base + SP_SPILL_MESSAGES_AT);
    lane->closes = (void *)(base + SP_SPILL_CLOSES_AT);
    lane->top = lane->frames;
    lane->top->node = &root_node;
    lane->frame_limit = lane->frames + FIRST_FRAMES - 1;
    lane->clock_source = clock->source;
    lane->budget = budget;
    lane->crossed_region = -1;
    lane->head->kind = SP_SPILL_LANE;
    lane->head->clock = *clock;
    lane->head->events_kept = lane->head->messages_kept = budget->limit ? UINT64_MAX : 0;
    lane->head->lane_start = sp_clock_now(clock->source);
    return lane;
fail:
    sp_lane_destroy(lane);
    return NULL;
}

void sp_lane_destroy(struct sp_lane *lane)
{
    if (!lane)
        return;
    sp_paths_destroy(lane->paths);
    sp_store_destroy(lane->store);
    free(lane->frames);
    free(lane->cache);
    free(lane);
}

/* Appends the used part of a ring as a segment, if the budget allows. */
static int keep(struct sp_lane *lane, enum sp_spill_segment_type type, uint64_t first, uint32_t count, const void *ring, size_t size)
{
    struct sp_spill_segment segment = {.type = type, .first = first, .count = count};
    size_t bytes = count * size;
    if (count == 0)
        return 0;
    uint64_t used = __atomic_add_fetch(&lane->budget->used, bytes, __ATOMIC_RELAXED);
    if (used > lane->budget->limit)
        return -1;
    return sp_store_append(lane->store, &segment, ring, bytes);
}

static int is_kept(const struct sp_lane *lane)
{
    return lane->head->events_kept == UINT64_MAX;
}

/* From the first event that could not be kept on there is only the profile. */
static void stop_keeping(struct sp_lane *lane)
{
    lane->head->messages_kept = lane->head->messages_first;
    lane->head->events_kept = lane->head->events_first;
}

static void flush_closes(struct sp_lane *lane)
{
    struct sp_spill_header *head = lane->head;
    if (is_kept(lane) && keep(lane, SP_SEGMENT_CLOSES, head->closes_first, head->closes_used, lane->closes, sizeof *lane->closes) < 0)
        stop_keeping(lane);
    uint32_t used = head->closes_used;
    __atomic_store_n(&head->closes_used, 0, __ATOMIC_RELEASE);
    head->closes_first += used;
}

static void flush_messages(struct sp_lane *lane)
{
    struct sp_spill_header *head = lane->head;
    if (is_kept(lane) &&
        keep(lane, SP_SEGMENT_MESSAGES, head->messages_first, head->messages_used, lane->messages, sizeof *lane->messages) < 0)
        stop_keeping(lane);
    uint32_t used = head->messages_used;
    __atomic_store_n(&head->messages_used, 0, __ATOMIC_RELEASE);
    head->messages_first += used;
}

/* Adds one ended call to what a node derives from single durations. */
static void add_to_node(struct sp_spill_node *node, uint64_t squares[2], uint64_t event, uint64_t start, uint64_t duration)
{
    sp_squares_add(&squares[0], &squares[1], duration);
    if (event < node->first_event) {
        node->first_event = event;
        node->first = duration;
        node->first_start = start;
    }
    if (event >= node->last_event) {
        node->last_event = event;
        node->last = duration;
        node->last_end = start + duration;
    }
}

/* Brings the nodes up to date with the calls that ended in the ring: into the squares' other copy, switched by one store. */
static void batch(struct sp_lane *lane)
{
    struct sp_spill_header *head = lane->head;
    uint64_t now = head->batches & 1, next = 1 - now;
    for (uint32_t id = 0; id < head->node_count; id++) {
        struct sp_spill_node *node = sp_paths_node(lane->paths, id);
        memcpy(node->squares[next], node->squares[now], sizeof node->squares[next]);
    }
    for (uint32_t i = 0; i < head->events_used; i++) {
        const struct sp_spill_event *event = &lane->events[i];
        uint64_t number = head->events_first + i;
        if (event->duration >= SP_DURATION_LONG || number < head->batched_until[now])
            continue;
        struct sp_spill_node *node = sp_paths_node(lane->paths, event->node);
        add_to_node(node, node->squares[next], number, event->start, event->duration);
    }
    head->batched_until[next] = head->events_first + head->events_used;
    __atomic_store_n(&head->batches, head->batches + 1, __ATOMIC_RELEASE);
}

static void turn_over(struct sp_lane *lane)
{
    struct sp_spill_header *head = lane->head;
    batch(lane);
    if (is_kept(lane) && keep(lane, SP_SEGMENT_EVENTS, head->events_first, head->events_used, lane->events, sizeof *lane->events) < 0)
        stop_keeping(lane);
    uint32_t used = head->events_used;
    __atomic_store_n(&head->events_used, 0, __ATOMIC_RELEASE);
    head->events_first += used;
    sp_clock_renew(&head->clock);
}

static int grow_frames(struct sp_lane *lane)
{
    size_t depth = (size_t)(lane->top - lane->frames);
    size_t count = (size_t)(lane->frame_limit - lane->frames + 1) * 2;
    struct sp_frame *frames = realloc(lane->frames, count * sizeof *frames);
    if (!frames)
        return -1;
    lane->frames = frames;
    lane->top = frames + depth;
    lane->frame_limit = frames + count - 1;
    return 0;
}

int sp_lane_make_room(struct sp_lane *lane)
{
    if (lane->head->events_used == SP_SPILL_RING_EVENTS)
        turn_over(lane);
    if (lane->top == lane->frame_limit && grow_frames(lane) < 0) {
        sp_lane_skip(lane);
        return -1;
    }
    return 0;
}

static int grow_cache(struct sp_lane *lane, uint32_t region)
{
    uint32_t size = lane->cache_size ? lane->cache_size : FIRST_CACHE;
    while (size <= region)
        size *= 2;
    struct sp_path_cache *cache = realloc(lane->cache, size * sizeof *cache);
    if (!cache)
        return -1;
    for (uint32_t i = lane->cache_size; i < size; i++)
        cache[i] = (struct sp_path_cache){.parent = SP_NODE_NONE};
    lane->cache = cache;
    lane->cache_size = size;
    return 0;
}

int sp_lane_find_path(struct sp_lane *lane, uint32_t region, struct sp_path_cache *path)
{
    uint32_t parent = lane->top->node_id;
    uint32_t id = sp_paths_child(lane->paths, parent, region);
    if (id == SP_NODE_NONE || (region >= lane->cache_size && grow_cache(lane, region) < 0)) {
        sp_lane_skip(lane);
        return -1;
    }
    *path = (struct sp_path_cache){.node = sp_paths_node(lane->paths, id), .parent = parent, .id = id};
    lane->cache[region] = *path;
    return 0;
}

void sp_lane_close_late(struct sp_lane *lane, const struct sp_frame *frame, uint64_t duration)
{
    struct sp_spill_header *head = lane->head;
    uint64_t index = frame->event - head->events_first;
    if (head->closes_used == SP_SPILL_RING_CLOSES)
        flush_closes(lane);
    lane->closes[head->closes_used] = (struct sp_spill_close){.event = frame->event, .duration = duration};
    __atomic_store_n(&head->closes_used, head->closes_used + 1, __ATOMIC_RELEASE);
    if (index < SP_SPILL_RING_EVENTS)
        lane->events[index].duration = SP_DURATION_LONG;
    add_to_node(frame->node, frame->node->squares[head->batches & 1], frame->event, frame->start, duration);
}

/* An end whose region is not the innermost open one: of a begin that was skipped, of an outer region (the inner ones are closed
 * with it), or of none. */
void sp_lane_end_crossed(struct sp_lane *lane, int region, uint64_t now)
{
    lane->ended_node = NULL;
    if (lane->top->skipped > 0) {
        lane->top->skipped--;
        return;
    }
    lane->head->unmatched_ends++;
    if (lane->crossed_region < 0)
        lane->crossed_region = region;
    struct sp_frame *frame = lane->top;
    while (frame > lane->frames && frame->node->region != (uint32_t)region)
        frame--;
    if (frame == lane->frames)
        return;
    for (struct sp_frame *inner = lane->top; inner >= frame; inner--)
        sp_lane_close(lane, inner, now);
}

void sp_lane_message(struct sp_lane *lane, struct sp_spill_message message)
{
    struct sp_spill_header *head = lane->head;
    struct sp_spill_node *node = lane->ended_node;
    if (!node)
        return;
    if (message.operation == SP_OPERATION_SEND || message.operation == SP_OPERATION_COLLECTIVE)
        node->bytes_sent += message.bytes;
    else
        node->bytes_received += message.bytes;
    if (!is_kept(lane))
        return;
    if (head->messages_used == SP_SPILL_RING_MESSAGES)
        flush_messages(lane);
    message.event = lane->ended_event;
    lane->messages[head->messages_used] = message;
    __atomic_store_n(&head->messages_used, head->messages_used + 1, __ATOMIC_RELEASE);
}

/* Counts an open call as if it ended now; its event stays open. */
static void count_open(struct sp_lane *lane, struct sp_frame *frame, uint64_t now)
{
    struct sp_spill_node *node = frame->node;
    uint64_t duration = now > frame->start ? now - frame->start : 0;
    sp_lane_count(frame, duration);
    add_to_node(node, node->squares[lane->head->batches & 1], frame->event, frame->start, duration);
}

void sp_lane_finish(struct sp_lane *lane, uint64_t now, const struct sp_spill_clock *clock)
{
    batch(lane);
    for (struct sp_frame *frame = lane->top; frame > lane->frames; frame--)
        count_open(lane, frame, now);
    lane->top = lane->frames;
    lane->head->clock = *clock;
    lane->head->lane_end = now;
}
