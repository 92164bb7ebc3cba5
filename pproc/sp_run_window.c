/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_run.h"

#include "sp_error.h"

#include <stdlib.h>

#define ROWS 8192

/* The earliest first call of the statistics' rows [first, end), of regions inside the run. */
static int find_first(const struct sp_run *run, uint64_t first, uint64_t end, int64_t *start_ns, struct sp_error *err)
{
    struct sp_statistic *rows = calloc(ROWS, sizeof *rows);
    int status = rows ? 0 : sp_fail(err, "out of memory");
    *start_ns = INT64_MAX;
    for (uint64_t at = first; !status && at < end; at += ROWS) {
        size_t count = end - at < ROWS ? (size_t)(end - at) : ROWS;
        status = sp_file_read_statistics(run->file, at, count, rows, err);
        for (size_t i = 0; !status && i < count; i++) {
            int32_t region = sp_file_callpaths(run->file)[rows[i].callpath].region;
            if (rows[i].calls && !sp_run_is_outside(run, region) && rows[i].first_start_ns < *start_ns)
                *start_ns = rows[i].first_start_ns;
        }
    }
    free(rows);
    return status;
}

int sp_run_smallest(const struct sp_crew *crew, int64_t *value, struct sp_error *err)
{
    void *all;
    size_t count;
    if (sp_crew_gather(crew, value, sizeof *value, 1, &all, &count, err))
        return -1;
    for (size_t i = 0; crew->rank == 0 && i < count; i++)
        *value = ((int64_t *)all)[i] < *value ? ((int64_t *)all)[i] : *value;
    free(all);
    sp_crew_share(crew, value, sizeof *value);
    return 0;
}

static int find_origin(const struct sp_crew *crew, struct sp_run *run, struct sp_error *err)
{
    uint64_t rows = run->info->statistic_count, size = (uint64_t)crew->size, rank = (uint64_t)crew->rank;
    int status = find_first(run, rows * rank / size, rows * (rank + 1) / size, &run->origin_ns, err);
    if (sp_crew_agree(crew, status, err) || sp_run_smallest(crew, &run->origin_ns, err))
        return -1;
    if (run->origin_ns == INT64_MAX)
        run->origin_ns = 0;
    return 0;
}

/* The run's time T, clipped. */
static void clip_time(struct sp_run *run)
{
    int64_t first = INT64_MAX, last = INT64_MIN, begin, end;
    for (int32_t i = 0; i < run->info->rank_count; i++) {
        sp_run_span(run, i, &begin, &end);
        first = begin < first ? begin : first;
        last = end > last ? end : last;
    }
    if (run->time_ns >= 0 && run->window.timed)
        run->time_ns = last - first;
}

int sp_run_place_window(const struct sp_crew *crew, struct sp_run *run, const struct sp_window *window, struct sp_error *err)
{
    int status = 0;
    run->window = *window;
    run->reach_ns = INT64_MAX;
    if (!sp_window_is_part(window))
        return 0;
    if (!run->info->event_count && run->info->statistic_count)
        status = sp_fail_as(err, SP_EXIT_USAGE, "%.300s: %s is answered from a trace, and this run recorded statistics only", run->path,
            window->timed ? "--time" : "--min-duration");
    if (sp_crew_agree(crew, status, err))
        return -1;
    if (window->timed && find_origin(crew, run, err))
        return -1;
    run->window = sp_window_shift(*window, run->origin_ns);
    clip_time(run);
    return 0;
}

void sp_run_span(const struct sp_run *run, int32_t rank, int64_t *begin_ns, int64_t *end_ns)
{
    const struct sp_rank *row = &sp_file_ranks(run->file)[rank];
    *begin_ns = row->mpi_init_end_ns >= 0 ? row->mpi_init_end_ns : row->start_ns;
    *end_ns = row->finalize_begin_ns >= 0 ? row->finalize_begin_ns : row->end_ns;
    if (!run->window.timed)
        return;
    *begin_ns = *begin_ns < run->window.begin_ns ? run->window.begin_ns : *begin_ns;
    *end_ns = *end_ns > run->window.end_ns ? run->window.end_ns : *end_ns;
    *end_ns = *end_ns < *begin_ns ? *begin_ns : *end_ns;
}
