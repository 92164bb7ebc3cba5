/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_run.h"

#include "sp_error.h"

#include <stdlib.h>

#define BATCH_ROWS 8192

/* What the rank that was last seen in a call path has spent in it so far. */
struct path_rank {
    int32_t rank; /* + 1; 0 none */
    int64_t total_ns, self_ns;
};

/* Statistics of one process while it reads, dense by region and by call path. */
struct tally {
    struct sp_stats *regions;
    int32_t *touched; /* regions of the current rank */
    int32_t touched_count;
    struct sp_path_entry *paths; /* NULL: not asked for */
    struct path_rank *path_ranks;
    struct sp_entry *entries;
    size_t entry_count, entry_room;
    struct sp_rank_use *uses; /* one a rank of the share */
    size_t use_count;
    bool *in_mpi; /* by call path: it is an MPI function inside the run and not called by another */
    struct sp_statistic *rows;
    struct sp_window_reader *window; /* NULL: all of the run */
};

static void tally_free(struct tally *tally)
{
    free(tally->regions);
    free(tally->touched);
    free(tally->paths);
    free(tally->path_ranks);
    free(tally->entries);
    free(tally->uses);
    free(tally->in_mpi);
    free(tally->rows);
    sp_window_reader_destroy(tally->window);
}

static int tally_init(struct tally *tally, const struct sp_run *run, bool want_paths, struct sp_error *err)
{
    size_t regions = (size_t)run->info->region_count + 1, paths = (size_t)run->info->callpath_count + 1;
    *tally = (struct tally){0};
    tally->regions = calloc(regions, sizeof *tally->regions);
    tally->touched = calloc(regions, sizeof *tally->touched);
    tally->rows = calloc(BATCH_ROWS, sizeof *tally->rows);
    tally->uses = calloc((size_t)run->info->rank_count + 1, sizeof *tally->uses);
    tally->paths = want_paths ? calloc(paths, sizeof *tally->paths) : NULL;
    tally->path_ranks = want_paths ? calloc(paths, sizeof *tally->path_ranks) : NULL;
    if (!tally->regions || !tally->touched || !tally->rows || !tally->uses || (want_paths && (!tally->paths || !tally->path_ranks)))
        return sp_fail(err, "out of memory");
    if (sp_window_is_part(&run->window) && sp_window_reader_create(run->file, &run->window, &tally->window, err))
        return -1;
    return sp_run_mpi_paths(run, &tally->in_mpi, err);
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

/* Adds what one lane of a rank spent in a call path; the lanes of a rank follow each other. */
static void count_path(struct sp_path_entry *path, struct path_rank *of_rank, int32_t rank, const struct sp_stats *stats)
{
    if (of_rank->rank != rank + 1) {
        *of_rank = (struct path_rank){.rank = rank + 1};
        path->rank_count++;
    }
    of_rank->total_ns += stats->total;
    of_rank->self_ns += stats->self;
    path->slowest_ns = of_rank->total_ns > path->slowest_ns ? of_rank->total_ns : path->slowest_ns;
    path->busiest_ns = of_rank->self_ns > path->busiest_ns ? of_rank->self_ns : path->busiest_ns;
    sp_stats_merge(&path->stats, stats);
}

static int tally_row(struct tally *tally, const struct sp_run *run, int32_t rank, const struct sp_statistic *row, struct sp_error *err)
{
    if (row->callpath < 0 || row->callpath >= run->info->callpath_count)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%.300s: statistics name a call path that is not there", run->info->path);
    int32_t region = sp_file_callpaths(run->file)[row->callpath].region;
    if (region < 0 || region >= run->info->region_count)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%.300s: a call path names a region that is not there", run->info->path);
    if (!row->calls)
        return 0;
    struct sp_stats stats = stats_of(row);
    if (tally->paths)
        count_path(&tally->paths[row->callpath], &tally->path_ranks[row->callpath], rank, &stats);
    if (!run->regions[region].selected)
        return 0;
    if (!tally->regions[region].calls)
        tally->touched[tally->touched_count++] = region;
    sp_stats_merge(&tally->regions[region], &stats);
    return 0;
}

/* Turns the dense statistics of a rank into entries. */
static int tally_flush(struct tally *tally, int32_t rank, struct sp_error *err)
{
    size_t needed = tally->entry_count + (size_t)tally->touched_count;
    if (needed > tally->entry_room) {
        size_t room = needed + needed / 2;
        struct sp_entry *entries = realloc(tally->entries, room * sizeof *entries);
        if (!entries)
            return sp_fail(err, "out of memory");
        tally->entries = entries;
        tally->entry_room = room;
    }
    for (int32_t i = 0; i < tally->touched_count; i++) {
        int32_t region = tally->touched[i];
        tally->entries[tally->entry_count++] = (struct sp_entry){region, rank, tally->regions[region]};
        tally->regions[region] = (struct sp_stats){0};
    }
    tally->touched_count = 0;
    return 0;
}

static void tally_use(struct sp_rank_use *use, uint64_t calls, int64_t total_ns, bool in_mpi)
{
    use->calls += calls;
    use->mpi_ns += in_mpi ? total_ns : 0;
}

/* The lane's part in the window. */
static int tally_window(struct tally *tally, const struct sp_run *run, int32_t lane, struct sp_error *err)
{
    const struct sp_window_row *rows;
    const struct sp_lane *row = &sp_file_lanes(run->file)[lane];
    size_t count;
    if (sp_window_read_lane(tally->window, lane, &rows, &count, err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (tally_row(tally, run, row->rank, &rows[i].of, err))
            return -1;
        if (row->index == 0)
            tally_use(&tally->uses[tally->use_count], rows[i].all_calls, rows[i].all_ns, tally->in_mpi[rows[i].of.callpath]);
    }
    return 0;
}

static int tally_lane(struct tally *tally, const struct sp_run *run, const struct sp_lane *lane, struct sp_error *err)
{
    for (uint64_t done = 0; done < lane->statistic_count;) {
        uint64_t left = lane->statistic_count - done;
        size_t count = left < BATCH_ROWS ? (size_t)left : BATCH_ROWS;
        if (sp_file_read_statistics(run->file, lane->first_statistic + done, count, tally->rows, err))
            return -1;
        for (size_t i = 0; i < count; i++) {
            if (tally_row(tally, run, lane->rank, &tally->rows[i], err))
                return -1;
            if (lane->index == 0)
                tally_use(
                    &tally->uses[tally->use_count], tally->rows[i].calls, tally->rows[i].total_ns, tally->in_mpi[tally->rows[i].callpath]);
        }
        done += count;
    }
    return 0;
}

/* Reads the statistics of ranks [first, end), as far as they are selected. */
static int tally_ranks(struct tally *tally, const struct sp_run *run, size_t first, size_t end, struct sp_error *err)
{
    const struct sp_lane *lanes = sp_file_lanes(run->file);
    int32_t lane = 0, lane_count = run->info->lane_count;
    for (size_t rank = first; rank < end; rank++) {
        while (lane < lane_count && lanes[lane].rank < (int32_t)rank)
            lane++;
        for (; lane < lane_count && lanes[lane].rank == (int32_t)rank; lane++)
            if (run->ranks[rank] && (tally->window ? tally_window(tally, run, lane, err) : tally_lane(tally, run, &lanes[lane], err)))
                return -1;
        if (tally_flush(tally, (int32_t)rank, err))
            return -1;
        tally->uses[tally->use_count].rank = (int32_t)rank;
        tally->use_count += run->ranks[rank];
    }
    return 0;
}

static int share_of_ranks(const struct sp_crew *crew, const struct sp_run *run, size_t *first, size_t *end, struct sp_error *err)
{
    const struct sp_lane *lanes = sp_file_lanes(run->file);
    size_t rank_count = (size_t)run->info->rank_count;
    uint64_t *weights = calloc(rank_count + 1, sizeof *weights);
    if (!weights)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->lane_count; i++)
        if (lanes[i].rank >= 0 && (size_t)lanes[i].rank < rank_count && run->ranks[lanes[i].rank])
            weights[lanes[i].rank] += sp_window_is_part(&run->window) ? lanes[i].event_count : lanes[i].statistic_count;
    sp_crew_split(weights, rank_count, crew->rank, crew->size, first, end);
    free(weights);
    return 0;
}

static int compare_entries(const void *a, const void *b)
{
    const struct sp_entry *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Packs the call paths that were called, in place, for the journey to process 0. */
static size_t pack_paths(struct tally *tally, int32_t callpath_count)
{
    size_t used = 0;
    for (int32_t i = 0; tally->paths && i < callpath_count; i++) {
        tally->paths[i].callpath = i;
        if (tally->paths[i].stats.calls)
            tally->paths[used++] = tally->paths[i];
    }
    return used;
}

/* Adds up what the processes know of each call path, in process order: ranks ascend with it. */
static int merge_paths(struct sp_run *run, const struct sp_path_entry *all, size_t count, struct sp_error *err)
{
    size_t callpaths = (size_t)run->info->callpath_count;
    run->paths = calloc(callpaths + 1, sizeof *run->paths);
    if (!run->paths)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < count; i++) {
        struct sp_path_entry *path = &run->paths[all[i].callpath];
        path->callpath = all[i].callpath;
        path->rank_count += all[i].rank_count;
        path->slowest_ns = all[i].slowest_ns > path->slowest_ns ? all[i].slowest_ns : path->slowest_ns;
        path->busiest_ns = all[i].busiest_ns > path->busiest_ns ? all[i].busiest_ns : path->busiest_ns;
        sp_stats_merge(&path->stats, &all[i].stats);
    }
    for (size_t i = 0; i < callpaths; i++)
        if (run->paths[i].stats.calls)
            run->paths[run->path_count++] = run->paths[i];
    return 0;
}

static int gather_paths(const struct sp_crew *crew, struct sp_run *run, struct tally *tally, struct sp_error *err)
{
    void *all;
    size_t count = pack_paths(tally, run->info->callpath_count);
    int status = sp_crew_gather(crew, tally->paths, sizeof *tally->paths, count, &all, &count, err);
    if (!status)
        status = sp_crew_agree(crew, crew->rank == 0 ? merge_paths(run, all, count, err) : 0, err);
    free(all);
    return status;
}

static int gather_entries(const struct sp_crew *crew, struct sp_run *run, const struct tally *tally, struct sp_error *err)
{
    void *all;
    if (sp_crew_gather(crew, tally->entries, sizeof *tally->entries, tally->entry_count, &all, &run->entry_count, err))
        return -1;
    run->entries = all;
    if (run->entry_count)
        qsort(run->entries, run->entry_count, sizeof *run->entries, compare_entries);
    return 0;
}

static int gather_uses(const struct sp_crew *crew, struct sp_run *run, const struct tally *tally, struct sp_error *err)
{
    void *all;
    if (sp_crew_gather(crew, tally->uses, sizeof *tally->uses, tally->use_count, &all, &run->use_count, err))
        return -1;
    run->uses = all;
    return 0;
}

int sp_run_load_statistics(const struct sp_crew *crew, struct sp_run *run, bool want_paths, struct sp_error *err)
{
    struct tally tally;
    size_t first = 0, end = 0;
    int status = tally_init(&tally, run, want_paths, err);
    if (!status)
        status = share_of_ranks(crew, run, &first, &end, err);
    if (!status)
        status = tally_ranks(&tally, run, first, end, err);
    status = sp_crew_agree(crew, status, err);
    run->reach_ns = tally.window ? sp_window_reach_ns(tally.window) : INT64_MAX;
    if (!status && sp_window_is_part(&run->window))
        status = sp_run_smallest(crew, &run->reach_ns, err);
    if (!status)
        status = gather_entries(crew, run, &tally, err);
    if (!status)
        status = gather_uses(crew, run, &tally, err);
    if (!status && want_paths)
        status = gather_paths(crew, run, &tally, err);
    tally_free(&tally);
    return status;
}
