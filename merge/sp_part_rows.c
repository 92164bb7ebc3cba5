/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_part.h"

#include <stdlib.h>
#include <string.h>

/* Reading at which a rank was seen first: by its record, else by its lanes. */
static uint64_t start_ticks(const struct sp_part *part, const struct sp_part_rank *rank)
{
    uint64_t start = UINT64_MAX;
    if (rank->process.rank && rank->process.rank->start != 0)
        return rank->process.rank->start;
    for (size_t i = 0; i < rank->lane_count; i++) {
        uint64_t lane_start = sp_spill_header(part->lanes[rank->first_lane + i].spill)->lane_start;
        if (lane_start < start)
            start = lane_start;
    }
    return start != UINT64_MAX ? start : rank->timeline.rate.first_ticks;
}

static uint64_t end_ticks(const struct sp_part *part, const struct sp_part_rank *rank)
{
    uint64_t end = start_ticks(part, rank);
    if (rank->process.rank && rank->process.rank->end != 0)
        return rank->process.rank->end;
    for (size_t i = 0; i < rank->lane_count; i++) {
        uint64_t lane_end = sp_spill_lane_end(part->lanes[rank->first_lane + i].lane);
        if (lane_end > end)
            end = lane_end;
    }
    return end;
}

int64_t sp_part_start(const struct sp_part *part)
{
    int64_t earliest = INT64_MAX;
    for (size_t i = 0; i < part->rank_count; i++) {
        int64_t start = sp_timeline_time(&part->ranks[i].timeline, start_ticks(part, &part->ranks[i]));
        if (start < earliest)
            earliest = start;
    }
    return earliest;
}

void sp_part_set_origin(struct sp_part *part, int64_t origin_ns)
{
    for (size_t i = 0; i < part->rank_count; i++)
        part->ranks[i].timeline.origin_ns = origin_ns;
}

static int64_t time_or_unknown(const struct sp_timeline *timeline, uint64_t ticks)
{
    return ticks ? sp_timeline_time(timeline, ticks) : -1;
}

void sp_part_rank_row(const struct sp_part *part, size_t index, struct sp_rank *row)
{
    const struct sp_part_rank *rank = &part->ranks[index];
    static const struct sp_spill_rank unknown = {.thread_level = -1};
    const struct sp_spill_rank *record = rank->process.rank ? rank->process.rank : &unknown;
    const struct sp_timeline *timeline = &rank->timeline;
    uint64_t dropped = 0;
    for (size_t i = 0; i < rank->lane_count; i++)
        dropped += sp_spill_lane_dropped(part->lanes[rank->first_lane + i].lane);
    memset(row, 0, sizeof *row);
    row->host = rank->host;
    row->pid = rank->pid;
    row->start_ns = sp_timeline_time(timeline, start_ticks(part, rank));
    row->mpi_init_end_ns = time_or_unknown(timeline, record->mpi_init_end);
    row->finalize_begin_ns = time_or_unknown(timeline, record->finalize_begin);
    row->end_ns = sp_timeline_time(timeline, end_ticks(part, rank));
    row->offset_first_ns = timeline->offset_first_ns;
    row->offset_last_ns = timeline->offset_last_ns;
    row->offset_error_ns = record->offset_error_ns;
    row->events_dropped = dropped;
    row->region_cost_ps = record->region_cost_ns;
    row->init_ns = record->init_ns;
    row->max_rss_bytes = record->max_rss_bytes;
    row->state = record->state;
    row->thread_level = record->thread_level;
    row->lane_count = (int32_t)rank->lane_count;
}

void sp_part_lane_row(const struct sp_part *part, size_t index, struct sp_lane *row)
{
    const struct sp_part_lane *lane = &part->lanes[index];
    const struct sp_timeline *timeline = &part->ranks[lane->owner].timeline;
    const struct sp_spill_header *header = sp_spill_header(lane->spill);
    memset(row, 0, sizeof *row);
    row->rank = header->rank;
    row->kind = header->lane_kind;
    row->index = header->lane;
    memcpy(row->name, header->lane_name, strnlen(header->lane_name, sizeof row->name));
    row->start_ns = sp_timeline_time(timeline, header->lane_start);
    row->end_ns = sp_timeline_time(timeline, sp_spill_lane_end(lane->lane));
    row->event_count = sp_spill_lane_event_count(lane->lane);
    row->message_count = sp_spill_lane_message_count(lane->lane);
    row->statistic_count = lane->statistic_count;
    row->events_dropped = sp_spill_lane_dropped(lane->lane);
    row->unmatched_ends = header->unmatched_ends;
}

static int by_callpath(const void *a, const void *b)
{
    const struct sp_statistic *x = a, *y = b;
    return (x->callpath > y->callpath) - (x->callpath < y->callpath);
}

static struct sp_stats stats_of(const struct sp_statistic *row)
{
    return (struct sp_stats){
        .calls = row->calls,
        .total = row->total_ns,
        .self = row->self_ns,
        .min = row->min_ns,
        .max = row->max_ns,
        .first = row->first_ns,
        .last = row->last_ns,
        .first_start = row->first_start_ns,
        .last_end = row->last_end_ns,
        .squares_low = row->squares_low,
        .squares_high = row->squares_high,
        .bytes_sent = row->bytes_sent,
        .bytes_received = row->bytes_received,
    };
}

static struct sp_statistic row_of(int32_t lane, int32_t callpath, const struct sp_stats *stats)
{
    return (struct sp_statistic){
        .lane = lane,
        .callpath = callpath,
        .calls = stats->calls,
        .total_ns = stats->total,
        .self_ns = stats->self,
        .min_ns = stats->min,
        .max_ns = stats->max,
        .first_ns = stats->first,
        .last_ns = stats->last,
        .first_start_ns = stats->first_start,
        .last_end_ns = stats->last_end,
        .squares_low = stats->squares_low,
        .squares_high = stats->squares_high,
        .bytes_sent = stats->bytes_sent,
        .bytes_received = stats->bytes_received,
    };
}

/* Sorted rows of one call path become one. Returns how many are left. */
static size_t merge_equal(struct sp_statistic *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || rows[kept - 1].callpath != rows[i].callpath) {
            rows[kept++] = rows[i];
            continue;
        }
        struct sp_stats sum = stats_of(&rows[kept - 1]), more = stats_of(&rows[i]);
        sp_stats_merge(&sum, &more);
        rows[kept - 1] = row_of(rows[i].lane, rows[i].callpath, &sum);
    }
    return kept;
}

int sp_part_statistics(
    const struct sp_part *part, size_t index, int32_t lane_row, struct sp_statistic **rows, size_t *count, struct sp_error *err)
{
    const struct sp_part_lane *lane = &part->lanes[index];
    uint32_t nodes = sp_spill_lane_node_count(lane->lane);
    size_t used = 0;
    *rows = malloc((nodes + (size_t)1) * sizeof **rows);
    if (!*rows)
        return sp_fail(err, "out of memory while reading spill files");
    for (uint32_t id = 1; id < nodes; id++) {
        struct sp_stats ticks, ns;
        if (lane->callpaths[id] < 0)
            continue;
        sp_spill_lane_stats(lane->lane, id, &ticks);
        if (ticks.calls == 0)
            continue;
        sp_timeline_stats(&part->ranks[lane->owner].timeline, &ticks, &ns);
        (*rows)[used++] = row_of(lane_row, lane->callpaths[id], &ns);
    }
    qsort(*rows, used, sizeof **rows, by_callpath);
    *count = merge_equal(*rows, used);
    return 0;
}

uint64_t sp_part_dropped(const struct sp_part *part)
{
    uint64_t dropped = 0;
    for (size_t i = 0; i < part->lane_count; i++)
        dropped += sp_spill_lane_dropped(part->lanes[i].lane);
    return dropped;
}
