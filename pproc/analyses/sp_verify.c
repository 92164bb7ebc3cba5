/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_verify.h"
#include "sp_verify_keyed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 8192
#define TOLERANCE_NS 1 /* starts and durations are rounded to ns apart */

/* The latest event of a depth. */
struct level {
    int64_t start, end; /* end: INT64_MAX while it is open */
    int32_t callpath;   /* -1 none yet in this lane */
};

/* What one process needs to read its share. */
struct reading {
    struct sp_file *file;
    const struct sp_file_info *info;
    struct sp_verify_counts counts;
    struct sp_error damage;
    struct level *levels; /* one a depth of call paths */
    size_t level_count;
    int64_t *start_ns, *duration_ns;
    int32_t *callpath;
    struct sp_statistic *statistics;
    struct sp_message *messages;
    struct sp_region_sums *regions; /* of the statistics, by region */
};

static void reading_free(struct reading *reading)
{
    free(reading->levels);
    free(reading->start_ns);
    free(reading->duration_ns);
    free(reading->callpath);
    free(reading->statistics);
    free(reading->messages);
    free(reading->regions);
}

static int reading_init(struct reading *reading, struct sp_file *file, struct sp_error *err)
{
    *reading = (struct reading){.file = file, .info = sp_file_info(file), .level_count = 1};
    for (int32_t i = 0; i < reading->info->callpath_count; i++) {
        size_t depth = (size_t)sp_file_callpaths(file)[i].depth;
        reading->level_count = depth + 2 > reading->level_count ? depth + 2 : reading->level_count;
    }
    reading->levels = calloc(reading->level_count, sizeof *reading->levels);
    reading->start_ns = malloc(65536 * sizeof *reading->start_ns);
    reading->duration_ns = malloc(65536 * sizeof *reading->duration_ns);
    reading->callpath = malloc(65536 * sizeof *reading->callpath);
    reading->statistics = malloc(BATCH * sizeof *reading->statistics);
    reading->messages = malloc(BATCH * sizeof *reading->messages);
    reading->regions = calloc((size_t)reading->info->region_count + 1, sizeof *reading->regions);
    if (!reading->regions)
        return sp_fail(err, "out of memory");
    if (!reading->levels || !reading->start_ns || !reading->duration_ns || !reading->callpath || !reading->statistics || !reading->messages)
        return sp_fail(err, "out of memory");
    return 0;
}

/* What cannot be read is counted, and its first reason kept. */
static void note_damage(struct reading *reading, const struct sp_error *reason)
{
    if (reading->counts.unreadable++ == 0)
        reading->damage = *reason;
}

static void forget_levels(struct reading *reading)
{
    for (size_t i = 0; i < reading->level_count; i++)
        reading->levels[i].callpath = -1;
}

static void check_event(struct reading *reading, int64_t start, int64_t duration, int32_t callpath)
{
    const struct sp_callpath *path = &sp_file_callpaths(reading->file)[callpath];
    struct level *level = &reading->levels[path->depth], *outer = path->depth > 0 ? level - 1 : NULL;
    int64_t end = duration < 0 ? INT64_MAX : start + duration;
    *(duration < 0 ? &reading->counts.open_events : &reading->counts.closed_events) += 1;
    reading->counts.backward += duration < -1;
    if (outer && outer->callpath == path->parent &&
        (start < outer->start - TOLERANCE_NS || (duration >= 0 && outer->end != INT64_MAX && end - TOLERANCE_NS > outer->end)))
        reading->counts.outside++;
    *level = (struct level){start, end, callpath};
    level[1].callpath = -1; /* what is called now is called from here; a parent that is not there is not guessed */
}

static void check_block(struct reading *reading, uint64_t number, int64_t *last_start)
{
    struct sp_error reason = {0};
    if (sp_file_read_events(reading->file, number, reading->start_ns, reading->duration_ns, reading->callpath, &reason)) {
        note_damage(reading, &reason);
        forget_levels(reading);
        *last_start = INT64_MIN;
        return;
    }
    uint64_t count = sp_file_event_blocks(reading->file)[number].event_count;
    for (uint64_t i = 0; i < count; i++) {
        reading->counts.disordered += reading->start_ns[i] < *last_start;
        *last_start = reading->start_ns[i];
        check_event(reading, reading->start_ns[i], reading->duration_ns[i], reading->callpath[i]);
    }
}

/* A sum of calls between min and max each, some of it the calls' own; in numbers that cannot overflow. */
static bool is_consistent(const struct sp_statistic *row)
{
    double calls = (double)row->calls, total = (double)row->total_ns, slack = 1 + 1e-12 * fabs(total);
    if (!row->calls || row->min_ns < 0 || row->min_ns > row->max_ns || row->total_ns < 0 || row->bytes_sent < 0 || row->bytes_received < 0)
        return false;
    return total >= calls * (double)row->min_ns - slack && total <= calls * (double)row->max_ns + slack && row->self_ns <= row->total_ns;
}

static void add_to_region(struct reading *reading, const struct sp_statistic *row)
{
    struct sp_region_sums *sums = &reading->regions[sp_file_callpaths(reading->file)[row->callpath].region];
    sums->calls += (int64_t)row->calls;
    sums->bytes_sent += row->bytes_sent;
    sums->bytes_received += row->bytes_received;
}

static void check_statistics(struct reading *reading, const struct sp_lane *lane)
{
    int64_t cost_ps = sp_file_ranks(reading->file)[lane->rank].region_cost_ps;
    for (uint64_t done = 0; done < lane->statistic_count;) {
        struct sp_error reason = {0};
        uint64_t left = lane->statistic_count - done;
        size_t count = left < BATCH ? (size_t)left : BATCH;
        if (sp_file_read_statistics(reading->file, lane->first_statistic + done, count, reading->statistics, &reason)) {
            note_damage(reading, &reason);
            return;
        }
        for (size_t i = 0; i < count; i++) {
            add_to_region(reading, &reading->statistics[i]);
            reading->counts.calls += (int64_t)reading->statistics[i].calls;
            reading->counts.overhead_ps += (int64_t)reading->statistics[i].calls * cost_ps;
            reading->counts.inconsistent += !is_consistent(&reading->statistics[i]);
        }
        done += count;
    }
}

/* Operations between two ranks, as /traffic has them. */
static bool is_traffic(const struct sp_message *message)
{
    int32_t operation = message->operation;
    return message->peer >= 0 && (operation == 1 || operation == 2 || (operation >= 5 && operation <= 8));
}

static void check_messages(struct reading *reading, const struct sp_lane *lane)
{
    for (uint64_t done = 0; done < lane->message_count;) {
        struct sp_error reason = {0};
        uint64_t left = lane->message_count - done;
        size_t count = left < BATCH ? (size_t)left : BATCH;
        if (sp_file_read_messages(reading->file, lane->first_message + done, count, reading->messages, &reason)) {
            note_damage(reading, &reason);
            return;
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t event = reading->messages[i].event;
            bool is_here = event == UINT64_MAX || (event >= lane->first_event && event - lane->first_event < lane->event_count);
            reading->counts.misplaced += !is_here || reading->messages[i].bytes < 0;
            if (!is_traffic(&reading->messages[i]))
                continue;
            reading->counts.messages_by_operation[reading->messages[i].operation]++;
            reading->counts.bytes_by_operation[reading->messages[i].operation] += reading->messages[i].bytes;
        }
        done += count;
    }
}

/* The lanes [first, end); the blocks lie in the order of lanes. */
static void read_lanes(struct reading *reading, size_t first, size_t end)
{
    const struct sp_event_block *blocks = sp_file_event_blocks(reading->file);
    uint64_t block = 0;
    for (size_t i = first; i < end; i++) {
        const struct sp_lane *lane = &sp_file_lanes(reading->file)[i];
        int64_t last_start = INT64_MIN;
        forget_levels(reading);
        while (block < reading->info->event_block_count && blocks[block].lane < (int32_t)i)
            block++;
        for (; block < reading->info->event_block_count && blocks[block].lane == (int32_t)i; block++)
            check_block(reading, block, &last_start);
        check_statistics(reading, lane);
        check_messages(reading, lane);
    }
}

static int read_share(const struct sp_crew *crew, struct reading *reading, struct sp_error *err)
{
    const struct sp_lane *lanes = sp_file_lanes(reading->file);
    size_t count = (size_t)reading->info->lane_count, first, end;
    uint64_t *weights = calloc(count + 1, sizeof *weights);
    if (!weights)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < count; i++)
        weights[i] = lanes[i].event_count + lanes[i].message_count + lanes[i].statistic_count;
    sp_crew_split(weights, count, crew->rank, crew->size, &first, &end);
    free(weights);
    read_lanes(reading, first, end);
    return 0;
}

/* What is compared over all ranks. Where statistics could not be read there is nothing to compare with. */
static void check_keyed(const struct sp_crew *crew, struct reading *reading)
{
    struct sp_verify_counts all = reading->counts;
    struct sp_error reason = {0};
    sp_crew_sum(crew, &reading->regions->calls, 3 * (size_t)reading->info->region_count);
    sp_crew_sum(crew, (int64_t *)&all, sizeof all / sizeof(int64_t));
    if (crew->rank != 0 || all.unreadable > 0)
        return;
    if (sp_verify_histograms(reading->file, reading->regions, &all, &reason) ||
        sp_verify_messages(reading->file, reading->regions, &all, &reason))
        note_damage(reading, &reason);
    reading->counts.miscounted = all.miscounted;
    reading->counts.without_bin = all.without_bin;
    reading->counts.mismatched = all.mismatched;
}

/* The damage of the first process that found any becomes that of all. */
static int share_damage(const struct sp_crew *crew, const struct reading *reading, struct sp_verification *result, struct sp_error *err)
{
    void *all;
    size_t count;
    if (sp_crew_gather(crew, &reading->damage, sizeof reading->damage, reading->counts.unreadable > 0, &all, &count, err))
        return -1;
    if (count > 0)
        memcpy(&result->damage, all, sizeof result->damage);
    free(all);
    sp_crew_share(crew, &result->damage, sizeof result->damage);
    return 0;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* From the first rank's MPI_Init to the last one's MPI_Finalize, or from start to end of the record where they are not known. */
static int64_t run_time(const struct sp_rank *ranks, int32_t count)
{
    int64_t start = INT64_MAX, end = INT64_MIN;
    for (int32_t i = 0; i < count; i++) {
        int64_t from = ranks[i].mpi_init_end_ns < 0 ? ranks[i].start_ns : ranks[i].mpi_init_end_ns;
        int64_t to = ranks[i].finalize_begin_ns < 0 ? ranks[i].end_ns : ranks[i].finalize_begin_ns;
        start = from < start ? from : start;
        end = larger(to, end);
    }
    return count > 0 && end >= start ? end - start : -1;
}

/* What the tables say without any reading. */
static void look_at_tables(struct sp_file *file, struct sp_verification *result)
{
    const struct sp_file_info *info = sp_file_info(file);
    result->time_ns = run_time(sp_file_ranks(file), info->rank_count);
    result->clock_error_ns = info->clock_error_ns;
    for (int32_t i = 0; i < info->rank_count; i++) {
        const struct sp_rank *rank = &sp_file_ranks(file)[i];
        int64_t drift = rank->offset_last_ns - rank->offset_first_ns;
        if (result->clock_error_ns >= 0)
            result->clock_error_ns = larger(result->clock_error_ns, rank->offset_error_ns);
        result->clock_drift_ns = larger(result->clock_drift_ns, drift < 0 ? -drift : drift);
        result->dropped_events += (int64_t)rank->events_dropped;
        result->running_ranks += rank->state == 0;
        result->absent_ranks += rank->state < 0;
    }
    for (int32_t i = 0; i < info->lane_count; i++)
        result->unmatched_ends += (int64_t)sp_file_lanes(file)[i].unmatched_ends;
}

static void conclude(const struct sp_file_info *info, struct sp_verification *result)
{
    const struct sp_verify_counts *counts = &result->counts;
    double rank_ps = (double)result->time_ns * 1e3 * info->rank_count;
    result->counts.backward += (int64_t)info->backward_count;
    result->overhead_percent = result->time_ns > 0 && counts->overhead_ps > 0 ? 100 * (double)counts->overhead_ps / rank_ps : NAN;
    if (info->trace == SP_TRACE_COMPLETE && counts->unreadable == 0)
        result->calls_without_event = larger(0, counts->calls - counts->closed_events);
}

int sp_verify(const struct sp_crew *crew, struct sp_file *file, struct sp_verification *result, struct sp_error *err)
{
    struct reading reading;
    *result = (struct sp_verification){0};
    int status = reading_init(&reading, file, err);
    if (!status)
        status = read_share(crew, &reading, err);
    status = sp_crew_agree(crew, status, err);
    if (!status)
        check_keyed(crew, &reading);
    if (!status)
        status = share_damage(crew, &reading, result, err);
    if (!status) {
        result->counts = reading.counts;
        sp_crew_sum(crew, (int64_t *)&result->counts, sizeof result->counts / sizeof(int64_t));
        look_at_tables(file, result);
        conclude(sp_file_info(file), result);
    }
    reading_free(&reading);
    return status;
}

int64_t sp_verify_faults(const struct sp_verification *result)
{
    const struct sp_verify_counts *counts = &result->counts;
    return counts->unreadable + counts->disordered + counts->backward + counts->outside + counts->inconsistent + counts->misplaced +
        counts->miscounted + counts->mismatched;
}
