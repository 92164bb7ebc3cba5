/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of regions one by one: imbalance that alternates between ranks does not show in their sums. */
#include "sp_imbalance.h"

#include "sp_error.h"
#include "sp_rank_calls.h"

#include <math.h>
#include <stdlib.h>

#define REGION_CALLS 65536
#define ALL_CALLS 262144

double sp_phase_percent(const struct sp_phase *phases, size_t count, int32_t rank_count)
{
    double excess = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        double mean = (double)phases[i].sum_ns / rank_count;
        excess += (double)phases[i].max_ns - mean;
        sum += mean;
    }
    return sum > 0 ? 100 * excess / sum : NAN;
}

/* Which regions are read, by region: their calls on a rank, and where they begin among all phases. */
struct plan {
    int64_t *calls; /* 0: not read */
    size_t *first;
    size_t count;
    struct sp_phase *phases;
};

static void plan_free(struct plan *plan)
{
    free(plan->calls);
    free(plan->first);
    free(plan->phases);
}

/* Calls of a rank, the same on all that are looked at; 0: they differ, or are too many. */
static int64_t equal_calls(const struct sp_run *run, const struct sp_entry *entries, size_t count)
{
    if (count != (size_t)run->rank_count || entries[0].stats.calls > REGION_CALLS)
        return 0;
    for (size_t i = 1; i < count; i++)
        if (entries[i].stats.calls != entries[0].stats.calls)
            return 0;
    return (int64_t)entries[0].stats.calls;
}

static bool is_answered(const struct sp_run *run)
{
    return run->info->trace == SP_TRACE_COMPLETE && run->info->event_count && !sp_window_is_part(&run->window);
}

/* Process 0 chooses from its entries; regions of the program's only. */
static void choose(const struct sp_run *run, struct plan *plan)
{
    for (size_t first = 0, end = 0; first < run->entry_count; first = end) {
        int32_t region = run->entries[first].region;
        while (end < run->entry_count && run->entries[end].region == region)
            end++;
        if (run->regions[region].kind != SP_REGION_MPI)
            plan->calls[region] = equal_calls(run, &run->entries[first], end - first);
    }
}

/* Collective. */
static int plan_make(const struct sp_crew *crew, const struct sp_run *run, struct plan *plan, struct sp_error *err)
{
    size_t regions = (size_t)run->info->region_count + 1;
    *plan = (struct plan){.calls = calloc(regions, sizeof *plan->calls), .first = calloc(regions, sizeof *plan->first)};
    if (sp_crew_agree(crew, plan->calls && plan->first ? 0 : sp_fail(err, "out of memory"), err))
        return -1;
    if (crew->rank == 0)
        choose(run, plan);
    sp_crew_share(crew, plan->calls, regions * sizeof *plan->calls);
    for (size_t i = 0; i < regions; i++) {
        if (plan->count + (size_t)plan->calls[i] > ALL_CALLS)
            plan->calls[i] = 0;
        plan->first[i] = plan->count;
        plan->count += (size_t)plan->calls[i];
    }
    plan->phases = calloc(plan->count + 1, sizeof *plan->phases);
    return sp_crew_agree(crew, plan->phases ? 0 : sp_fail(err, "out of memory"), err);
}

/* What is known of a rank while its calls go by. */
struct reading {
    int64_t *seen;  /* by region: its calls so far */
    int64_t *own;   /* by phase: own time of this rank's call */
    int64_t *place; /* by call path: 1 + phase of the call met last; 0: it is none */
};

static void reading_free(struct reading *reading)
{
    free(reading->seen);
    free(reading->own);
    free(reading->place);
}

static int reading_make(const struct sp_run *run, const struct plan *plan, struct reading *reading, struct sp_error *err)
{
    *reading = (struct reading){calloc((size_t)run->info->region_count + 1, sizeof(int64_t)), calloc(plan->count + 1, sizeof(int64_t)),
        calloc((size_t)run->info->callpath_count + 1, sizeof(int64_t))};
    return reading->seen && reading->own && reading->place ? 0 : sp_fail(err, "out of memory");
}

/* The parent of a call is the one met last in the parent's path. */
static void take_call(const struct sp_run *run, const struct sp_rank_call *call, const struct plan *plan, struct reading *reading)
{
    const struct sp_callpath *path = &sp_file_callpaths(run->file)[call->callpath];
    int64_t end_ns = sp_file_lanes(run->file)[call->lane].end_ns, *seen = &reading->seen[path->region];
    int64_t duration_ns = call->duration_ns < 0 ? end_ns - call->start_ns : call->duration_ns;
    int64_t around = path->parent < 0 ? 0 : reading->place[path->parent];
    int64_t *place = &reading->place[call->callpath];
    *place = *seen < plan->calls[path->region] ? (int64_t)plan->first[path->region] + ++*seen : 0;
    if (*place)
        reading->own[*place - 1] += duration_ns;
    if (around)
        reading->own[around - 1] -= duration_ns;
}

static int read_rank(const struct sp_run *run, int32_t rank, struct plan *plan, struct sp_error *err)
{
    struct sp_rank_calls *calls = NULL;
    struct sp_rank_call call;
    struct reading reading;
    int status = reading_make(run, plan, &reading, err);
    if (!status)
        status = sp_rank_calls_open(run->file, rank, &calls, err);
    while (!status && (status = sp_rank_calls_next(calls, &call, err)) > 0) {
        take_call(run, &call, plan, &reading);
        status = 0;
    }
    for (size_t i = 0; !status && i < plan->count; i++) {
        plan->phases[i].max_ns = reading.own[i] > plan->phases[i].max_ns ? reading.own[i] : plan->phases[i].max_ns;
        plan->phases[i].sum_ns += reading.own[i];
    }
    sp_rank_calls_close(calls);
    reading_free(&reading);
    return status;
}

static int read_share(const struct sp_crew *crew, const struct sp_run *run, struct plan *plan, struct sp_error *err)
{
    const struct sp_lane *lanes = sp_file_lanes(run->file);
    size_t rank_count = (size_t)run->info->rank_count, first, end;
    uint64_t *weights = calloc(rank_count + 1, sizeof *weights);
    if (!weights)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->lane_count; i++)
        weights[lanes[i].rank] += run->ranks[lanes[i].rank] ? lanes[i].event_count : 0;
    sp_crew_split(weights, rank_count, crew->rank, crew->size, &first, &end);
    free(weights);
    for (size_t i = first; i < end; i++)
        if (run->ranks[i] && read_rank(run, (int32_t)i, plan, err))
            return -1;
    return 0;
}

/* Adds up what the processes found, on process 0. Collective. */
static int merge(const struct sp_crew *crew, struct plan *plan, struct sp_error *err)
{
    void *all;
    size_t count;
    if (sp_crew_gather(crew, plan->phases, sizeof *plan->phases, plan->count, &all, &count, err))
        return -1;
    const struct sp_phase *other = all;
    for (size_t i = plan->count; i < count; i++) {
        struct sp_phase *phase = &plan->phases[i % plan->count];
        phase->max_ns = other[i].max_ns > phase->max_ns ? other[i].max_ns : phase->max_ns;
        phase->sum_ns += other[i].sum_ns;
    }
    free(all);
    return 0;
}

int sp_phases_read(const struct sp_crew *crew, const struct sp_run *run, struct sp_imbalances *all, struct sp_error *err)
{
    struct plan plan;
    if (!is_answered(run) || run->info->lane_count != run->info->rank_count)
        return 0;
    int status = plan_make(crew, run, &plan, err);
    if (!status && plan.count) {
        status = sp_crew_agree(crew, read_share(crew, run, &plan, err), err);
        if (!status)
            status = merge(crew, &plan, err);
    }
    for (size_t i = 0; !status && crew->rank == 0 && i < all->count; i++) {
        int32_t region = all->items[i].region;
        all->items[i].phase_percent = sp_phase_percent(&plan.phases[plan.first[region]], (size_t)plan.calls[region], run->rank_count);
    }
    plan_free(&plan);
    return status;
}
