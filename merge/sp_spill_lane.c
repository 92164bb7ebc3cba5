/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_spill_lane.h"
#include "sp_histogram.h"

#include <stdlib.h>
#include <string.h>

struct sp_spill_lane {
    const struct sp_spill *spill;
    const struct sp_spill_header *header;
    const struct sp_spill_node **nodes;
    uint32_t node_count;
    struct sp_stats *stats;        /* by node, up to date */
    struct sp_spill_close *closes; /* by event */
    size_t close_count;
    struct sp_event_run *runs;
    size_t run_count, run_room;
    struct sp_message_run *messages;
    size_t message_run_count;
    struct sp_region_bin *bins;
    size_t bin_count, bin_room;
    uint64_t event_count, message_count, end;
};

static const struct sp_spill_event *ring_events(const struct sp_spill_lane *lane)
{
    return (const void *)(sp_spill_bytes(lane->spill) + SP_SPILL_EVENTS_AT);
}

static void read_nodes(struct sp_spill_lane *lane, const struct sp_segment *segment)
{
    const struct sp_spill_node *nodes = (const void *)segment->payload;
    for (uint64_t i = 0; i < segment->count && segment->first + i < lane->node_count; i++) {
        uint64_t id = segment->first + i;
        if (id == 0 || (nodes[i].parent < id && lane->nodes[nodes[i].parent]))
            lane->nodes[id] = &nodes[i];
    }
}

static int add_closes(struct sp_spill_lane *lane, uint64_t first, uint64_t count, const struct sp_spill_close *closes, uint64_t *next)
{
    uint64_t known = *next > first ? *next - first : 0;
    if (known >= count)
        return 0;
    size_t more = (size_t)(count - known);
    struct sp_spill_close *all = realloc(lane->closes, (lane->close_count + more) * sizeof *all);
    if (!all)
        return -1;
    memcpy(all + lane->close_count, closes + known, more * sizeof *all);
    lane->closes = all;
    lane->close_count += more;
    *next = first + count;
    return 0;
}

static int by_event(const void *a, const void *b)
{
    const struct sp_spill_close *x = a, *y = b;
    return (x->event > y->event) - (x->event < y->event);
}

static int read_closes(struct sp_spill_lane *lane)
{
    struct sp_segment segment;
    uint64_t cursor = 0, next = 0;
    while (sp_spill_next(lane->spill, &cursor, &segment))
        if (segment.type == SP_SEGMENT_CLOSES && add_closes(lane, segment.first, segment.count, (const void *)segment.payload, &next) < 0)
            return -1;
    const unsigned char *ring = sp_spill_bytes(lane->spill) + SP_SPILL_CLOSES_AT;
    if (add_closes(lane, lane->header->closes_first, lane->header->closes_used, (const void *)ring, &next) < 0)
        return -1;
    if (lane->close_count > 0)
        qsort(lane->closes, lane->close_count, sizeof *lane->closes, by_event);
    return 0;
}

static int node_exists(const struct sp_spill_lane *lane, uint32_t id)
{
    return id != 0 && id < lane->node_count && lane->nodes[id];
}

static int append_run(struct sp_spill_lane *lane, uint64_t first, uint64_t count, const struct sp_spill_event *events)
{
    if (lane->run_count == lane->run_room) {
        size_t room = lane->run_room ? 2 * lane->run_room : 8;
        struct sp_event_run *runs = realloc(lane->runs, room * sizeof *runs);
        if (!runs)
            return -1;
        lane->runs = runs;
        lane->run_room = room;
    }
    lane->runs[lane->run_count++] = (struct sp_event_run){first, count, lane->event_count, events};
    lane->event_count += count;
    return 0;
}

/* Adds the entries that are new, kept, and whose node exists, as one run or, around damage, several. */
static int add_events(struct sp_spill_lane *lane, uint64_t first, uint64_t count, const struct sp_spill_event *events, uint64_t *next)
{
    uint64_t from = *next > first ? *next : first, to = first + count;
    if (to > lane->header->events_kept)
        to = lane->header->events_kept;
    while (from < to) {
        const struct sp_spill_event *start = events + (from - first);
        uint64_t length = 0;
        while (from + length < to && node_exists(lane, start[length].node))
            length++;
        if (length > 0 && append_run(lane, from, length, start) < 0)
            return -1;
        from += length + 1;
    }
    if (to > *next)
        *next = to;
    return 0;
}

static int read_events(struct sp_spill_lane *lane)
{
    struct sp_segment segment;
    uint64_t cursor = 0, next = 0;
    while (sp_spill_next(lane->spill, &cursor, &segment))
        if (segment.type == SP_SEGMENT_EVENTS && add_events(lane, segment.first, segment.count, (const void *)segment.payload, &next) < 0)
            return -1;
    return add_events(lane, lane->header->events_first, lane->header->events_used, ring_events(lane), &next);
}

static void add_messages(
    struct sp_spill_lane *lane, uint64_t first, uint64_t count, const struct sp_spill_message *messages, uint64_t *next)
{
    uint64_t from = *next > first ? *next : first, to = first + count;
    if (to > lane->header->messages_kept)
        to = lane->header->messages_kept;
    if (from >= to)
        return;
    lane->messages[lane->message_run_count++] = (struct sp_message_run){to - from, messages + (from - first)};
    lane->message_count += to - from;
    *next = to;
}

static int read_messages(struct sp_spill_lane *lane)
{
    struct sp_segment segment;
    uint64_t cursor = 0, next = 0;
    size_t segments = 0;
    while (sp_spill_next(lane->spill, &cursor, &segment))
        segments += segment.type == SP_SEGMENT_MESSAGES;
    lane->messages = calloc(segments + 1, sizeof *lane->messages);
    if (!lane->messages)
        return -1;
    cursor = 0;
    while (sp_spill_next(lane->spill, &cursor, &segment))
        if (segment.type == SP_SEGMENT_MESSAGES)
            add_messages(lane, segment.first, segment.count, (const void *)segment.payload, &next);
    const unsigned char *ring = sp_spill_bytes(lane->spill) + SP_SPILL_MESSAGES_AT;
    add_messages(lane, lane->header->messages_first, lane->header->messages_used, (const void *)ring, &next);
    return 0;
}

/* What the node's valid copy holds. Own times come later. */
static struct sp_stats stats_of_node(const struct sp_spill_node *node, uint32_t batches)
{
    const struct sp_spill_sums *sums = &node->sums[sp_spill_valid_copy(node->batch, batches)];
    if (sums->calls == 0)
        return (struct sp_stats){.bytes_sent = sums->bytes_sent, .bytes_received = sums->bytes_received};
    return (struct sp_stats){
        .calls = sums->calls,
        .total = (int64_t)sums->total,
        .min = (int64_t)sums->min,
        .max = (int64_t)sums->max,
        .first = (int64_t)node->first,
        .last = (int64_t)node->last,
        .first_start = (int64_t)node->first_start,
        .last_end = (int64_t)(node->last_start + node->last),
        .squares_low = sums->squares_low,
        .squares_high = sums->squares_high,
        .bytes_sent = sums->bytes_sent,
        .bytes_received = sums->bytes_received,
    };
}

/* Whatever a damaged file holds, sums wrap and do not overflow. */
static int64_t plus(int64_t a, uint64_t b)
{
    return (int64_t)((uint64_t)a + b);
}

/* One more call, which may have started before others that are counted already. First and last go by the order of entry. */
static void add_call(struct sp_stats *stats, uint64_t start, uint64_t duration)
{
    int none = stats->calls == 0;
    if (none || (int64_t)start < stats->first_start) {
        stats->first = (int64_t)duration;
        stats->first_start = (int64_t)start;
    }
    if (none || (int64_t)start >= plus(stats->last_end, -(uint64_t)stats->last)) {
        stats->last = (int64_t)duration;
        stats->last_end = (int64_t)(start + duration);
    }
    if (none || (int64_t)duration < stats->min)
        stats->min = (int64_t)duration;
    if (none || (int64_t)duration > stats->max)
        stats->max = (int64_t)duration;
    stats->calls++;
    stats->total = plus(stats->total, duration);
    sp_squares_add(&stats->squares_low, &stats->squares_high, duration);
}

static int add_bin(struct sp_spill_lane *lane, struct sp_region_bin bin)
{
    if (lane->bin_count == lane->bin_room) {
        size_t room = lane->bin_room ? 2 * lane->bin_room : 64;
        struct sp_region_bin *bins = realloc(lane->bins, room * sizeof *bins);
        if (!bins)
            return -1;
        lane->bins = bins;
        lane->bin_room = room;
    }
    lane->bins[lane->bin_count++] = bin;
    return 0;
}

static int read_bins(struct sp_spill_lane *lane)
{
    struct sp_segment segment;
    uint64_t cursor = 0;
    while (sp_spill_next(lane->spill, &cursor, &segment)) {
        const struct sp_spill_bin *rows = (const void *)segment.payload;
        if (segment.type != SP_SEGMENT_BINS)
            continue;
        for (uint64_t i = 0; i < segment.count && segment.first + i < lane->header->bin_count; i++) {
            uint64_t calls = rows[i].count[sp_spill_valid_copy(rows[i].batch, lane->header->batches)];
            if (calls > 0 && rows[i].bin < SP_HISTOGRAM_BINS &&
                add_bin(lane, (struct sp_region_bin){rows[i].region, rows[i].bin, calls}) < 0)
                return -1;
        }
    }
    return 0;
}

static int by_bin(const void *a, const void *b)
{
    const struct sp_region_bin *x = a, *y = b;
    if (x->region != y->region)
        return x->region > y->region ? 1 : -1;
    return (x->bin > y->bin) - (x->bin < y->bin);
}

static void unite_bins(struct sp_spill_lane *lane)
{
    size_t kept = 0;
    if (lane->bin_count == 0)
        return;
    qsort(lane->bins, lane->bin_count, sizeof *lane->bins, by_bin);
    for (size_t i = 1; i < lane->bin_count; i++)
        if (by_bin(&lane->bins[kept], &lane->bins[i]) == 0)
            lane->bins[kept].calls += lane->bins[i].calls;
        else
            lane->bins[++kept] = lane->bins[i];
    lane->bin_count = kept + 1;
}

/* A call that neither a batch nor a close record has counted. */
static int add_late_call(struct sp_spill_lane *lane, uint32_t node, uint64_t start, uint64_t ticks)
{
    double ns = (double)ticks * sp_spill_ns_per_tick(&lane->header->clock);
    add_call(&lane->stats[node], start, ticks);
    return add_bin(lane, (struct sp_region_bin){lane->nodes[node]->region, sp_histogram_bin(ns), 1});
}

/* For a lane that was not closed: calls that no batch has counted, and those that are open, as if they ended with the record. Calls
 * with a close record were counted when they closed. */
static int add_uncounted(struct sp_spill_lane *lane)
{
    const struct sp_spill_header *header = lane->header;
    const struct sp_spill_event *events = ring_events(lane);
    const struct sp_spill_open *open = (const void *)(sp_spill_bytes(lane->spill) + SP_SPILL_OPEN_AT);
    for (uint32_t i = 0; i < header->events_used; i++) {
        uint64_t ticks = events[i].duration;
        if (header->events_first + i < sp_spill_batched_until(header) || !node_exists(lane, events[i].node) || ticks == SP_DURATION_LONG)
            continue;
        if (ticks == SP_DURATION_OPEN)
            ticks = lane->end > events[i].start ? lane->end - events[i].start : 0;
        if (add_late_call(lane, events[i].node, events[i].start, ticks) < 0)
            return -1;
    }
    for (uint32_t i = 0; i < header->open_count; i++)
        if (open[i].event < sp_spill_batched_until(header) && node_exists(lane, open[i].node) &&
            add_late_call(lane, open[i].node, open[i].start, lane->end > open[i].start ? lane->end - open[i].start : 0) < 0)
            return -1;
    return 0;
}

static void add_late_messages(struct sp_spill_lane *lane)
{
    struct sp_spill_late late = {0};
    for (const struct sp_spill_message *message; (message = sp_spill_lane_late_message(lane, &late));) {
        struct sp_stats *stats = &lane->stats[message->node];
        int direction = sp_spill_direction((int)message->operation);
        if (direction > 0)
            stats->bytes_sent = plus(stats->bytes_sent, (uint64_t)message->bytes);
        else if (direction < 0)
            stats->bytes_received = plus(stats->bytes_received, (uint64_t)message->bytes);
    }
}

/* A node's own time is its total less the totals of its children. */
static int read_statistics(struct sp_spill_lane *lane)
{
    lane->stats = calloc((size_t)lane->node_count + 1, sizeof *lane->stats);
    if (!lane->stats)
        return -1;
    for (uint32_t id = 1; id < lane->node_count; id++)
        if (lane->nodes[id])
            lane->stats[id] = stats_of_node(lane->nodes[id], lane->header->batches);
    if (read_bins(lane) < 0 || (lane->header->lane_end == 0 && add_uncounted(lane) < 0))
        return -1;
    unite_bins(lane);
    add_late_messages(lane);
    for (uint32_t id = 1; id < lane->node_count; id++)
        lane->stats[id].self = plus(lane->stats[id].self, (uint64_t)lane->stats[id].total);
    for (uint32_t id = 1; id < lane->node_count; id++) {
        struct sp_stats *parent = lane->nodes[id] ? &lane->stats[lane->nodes[id]->parent] : NULL;
        if (parent)
            parent->self = plus(parent->self, -(uint64_t)lane->stats[id].total);
    }
    return 0;
}

/* The end of the last call that a node counts: of those that left no event it is the only trace. */
static uint64_t last_end_of_nodes(const struct sp_spill_lane *lane)
{
    uint64_t end = 0;
    for (uint32_t id = 1; id < lane->node_count; id++)
        if (lane->nodes[id] && lane->nodes[id]->last_start + lane->nodes[id]->last > end)
            end = lane->nodes[id]->last_start + lane->nodes[id]->last;
    return end;
}

static void find_end(struct sp_spill_lane *lane)
{
    const struct sp_spill_header *header = lane->header;
    uint64_t end = header->lane_end;
    if (end == 0) {
        uint64_t last_counted = last_end_of_nodes(lane);
        end = header->clock.last[header->clock.last_index & 1].ticks;
        end = last_counted > end ? last_counted : end;
        for (size_t r = 0; r < lane->run_count; r++)
            for (uint64_t i = 0; i < lane->runs[r].count; i++) {
                const struct sp_spill_event *event = &lane->runs[r].events[i];
                uint64_t ticks = sp_spill_lane_duration(lane, lane->runs[r].first + i, event);
                uint64_t last = ticks == SP_TICKS_OPEN ? event->start : event->start + ticks;
                if (last > end)
                    end = last;
            }
    }
    lane->end = end > header->lane_start ? end : header->lane_start;
}

int sp_spill_lane_open(const struct sp_spill *spill, struct sp_spill_lane **out, struct sp_error *err)
{
    struct sp_segment segment;
    uint64_t cursor = 0;
    struct sp_spill_lane *lane = calloc(1, sizeof *lane);
    *out = NULL;
    if (!lane)
        return sp_fail(err, "%s: out of memory", sp_spill_name(spill));
    lane->spill = spill;
    lane->header = sp_spill_header(spill);
    lane->node_count = lane->header->node_count;
    lane->nodes = calloc((size_t)lane->node_count + 1, sizeof *lane->nodes);
    if (!lane->nodes)
        goto fail;
    while (sp_spill_next(spill, &cursor, &segment))
        if (segment.type == SP_SEGMENT_NODES)
            read_nodes(lane, &segment);
    if (read_closes(lane) < 0 || read_events(lane) < 0 || read_messages(lane) < 0)
        goto fail;
    find_end(lane);
    if (read_statistics(lane) < 0)
        goto fail;
    *out = lane;
    return 0;
fail:
    sp_spill_lane_close(lane);
    return sp_fail(err, "%s: out of memory", sp_spill_name(spill));
}

void sp_spill_lane_close(struct sp_spill_lane *lane)
{
    if (!lane)
        return;
    free(lane->nodes);
    free(lane->stats);
    free(lane->closes);
    free(lane->runs);
    free(lane->messages);
    free(lane->bins);
    free(lane);
}

const struct sp_event_run *sp_spill_lane_events(const struct sp_spill_lane *lane, size_t *run_count)
{
    *run_count = lane->run_count;
    return lane->runs;
}

const struct sp_message_run *sp_spill_lane_messages(const struct sp_spill_lane *lane, size_t *run_count)
{
    *run_count = lane->message_run_count;
    return lane->messages;
}

uint64_t sp_spill_lane_event_count(const struct sp_spill_lane *lane)
{
    return lane->event_count;
}

uint64_t sp_spill_lane_message_count(const struct sp_spill_lane *lane)
{
    return lane->message_count;
}

uint64_t sp_spill_lane_dropped(const struct sp_spill_lane *lane)
{
    uint64_t recorded = lane->header->events_first + lane->header->events_used;
    return !sp_spill_lane_is_profile(lane) && recorded > lane->header->events_kept ? recorded - lane->header->events_kept : 0;
}

int sp_spill_lane_is_profile(const struct sp_spill_lane *lane)
{
    return lane->header->events_kept == 0 && !lane->header->was_cut;
}

uint64_t sp_spill_lane_row(const struct sp_spill_lane *lane, uint64_t event)
{
    size_t from = 0, to = lane->run_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const struct sp_event_run *run = &lane->runs[middle];
        if (event < run->first)
            to = middle;
        else if (event - run->first >= run->count)
            from = middle + 1;
        else
            return run->row + (event - run->first);
    }
    return UINT64_MAX;
}

uint64_t sp_spill_lane_duration(const struct sp_spill_lane *lane, uint64_t number, const struct sp_spill_event *event)
{
    if (event->duration < SP_DURATION_LONG)
        return event->duration;
    struct sp_spill_close key = {.event = number};
    const struct sp_spill_close *close = NULL;
    if (lane->close_count > 0)
        close = bsearch(&key, lane->closes, lane->close_count, sizeof key, by_event);
    return close ? close->duration : SP_TICKS_OPEN;
}

uint32_t sp_spill_lane_node_count(const struct sp_spill_lane *lane)
{
    return lane->node_count;
}

const struct sp_spill_node *sp_spill_lane_node(const struct sp_spill_lane *lane, uint32_t id)
{
    return id < lane->node_count ? lane->nodes[id] : NULL;
}

void sp_spill_lane_stats(const struct sp_spill_lane *lane, uint32_t id, struct sp_stats *stats)
{
    *stats = lane->stats[id];
}

const struct sp_spill_message *sp_spill_lane_late_message(const struct sp_spill_lane *lane, struct sp_spill_late *late)
{
    const struct sp_spill_header *header = lane->header;
    const struct sp_spill_message *ring = (const void *)(sp_spill_bytes(lane->spill) + SP_SPILL_MESSAGES_AT);
    uint64_t until = header->summed[header->batches % 2].until;
    while (late->at < header->messages_used) {
        const struct sp_spill_message *message = &ring[late->at++];
        if (header->messages_first + late->at > until && node_exists(lane, message->node))
            return message;
    }
    return NULL;
}

uint64_t sp_spill_lane_end(const struct sp_spill_lane *lane)
{
    return lane->end;
}

const struct sp_region_bin *sp_spill_lane_bins(const struct sp_spill_lane *lane, size_t *count)
{
    *count = lane->bin_count;
    return lane->bins;
}
