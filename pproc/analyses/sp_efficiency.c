/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_efficiency.h"

#include "sp_error.h"
#include "sp_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sp_efficiency_parse(const char *name, bool *additive, struct sp_error *err)
{
    *additive = !strcmp(name, "additive");
    if (*additive || !strcmp(name, "multiplicative"))
        return 0;
    return sp_fail_as(err, SP_EXIT_USAGE, "--pop %.100s: must be multiplicative or additive", name);
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* One factor: of the time `whole` at hand `kept` is what it leaves; additive: of the run's time T. */
static double factor(double kept, double whole, double time_ns, bool additive)
{
    return additive ? 1 - ratio(whole - kept, time_ns) : ratio(kept, whole);
}

void sp_efficiency_factors(struct sp_efficiency *efficiency, bool additive)
{
    const struct sp_efficiency_times *t = &efficiency->times;
    efficiency->parallel = ratio(t->mean_ns, t->time_ns);
    efficiency->load_balance = factor(t->mean_ns, t->max_ns, t->time_ns, additive);
    efficiency->communication = ratio(t->max_ns, t->time_ns);
    efficiency->serialisation = factor(t->max_ns, t->ideal_ns, t->time_ns, additive);
    efficiency->transfer = ratio(t->ideal_ns, t->time_ns);
}

double sp_efficiency_useful_ns(const struct sp_run *run, const struct sp_rank_use *use)
{
    const struct sp_rank *rank = &sp_file_ranks(run->file)[use->rank];
    int64_t begin, end;
    sp_run_span(run, use->rank, &begin, &end);
    double tool_ns = (double)use->calls * (double)rank->region_cost_ps / 1e3;
    return fmax(0, (double)(end - begin) - (double)use->mpi_ns - tool_ns);
}

static bool refuse(struct sp_efficiency *efficiency, const char *why)
{
    snprintf(efficiency->why_not, sizeof efficiency->why_not, "%s", why);
    return false;
}

bool sp_efficiency_measure(const struct sp_run *run, struct sp_efficiency *efficiency)
{
    double sum = 0, max = 0;
    efficiency->times =
        (struct sp_efficiency_times){.rank_count = run->rank_count, .time_ns = NAN, .mean_ns = NAN, .max_ns = NAN, .ideal_ns = NAN};
    if (!sp_run_recorded_mpi(run))
        return refuse(efficiency, "no MPI functions were recorded");
    if (run->time_ns <= 0 || run->info->sums_only)
        return refuse(efficiency, "the run's time is not known");
    for (size_t i = 0; i < run->use_count; i++) {
        const struct sp_rank *rank = &sp_file_ranks(run->file)[run->uses[i].rank];
        if (rank->state < 0)
            return refuse(efficiency, "a rank left no record");
        double useful = sp_efficiency_useful_ns(run, &run->uses[i]);
        sum += useful;
        max = useful > max ? useful : max;
    }
    efficiency->unmeasured_lanes = run->info->lane_count - run->info->rank_count;
    efficiency->times.time_ns = (double)run->time_ns;
    efficiency->times.mean_ns = run->use_count ? sum / (double)run->use_count : NAN;
    efficiency->times.max_ns = run->use_count ? max : NAN;
    return true;
}

/* Useful time that counts as 1: the median of the runs at the baseline; weak: of a rank. */
static double reference_ns(
    const struct sp_profiles *profiles, const struct sp_scaling *scaling, const struct sp_efficiencies *all, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < scaling->run_count; i++) {
        size_t run = scaling->runs[i];
        const struct sp_efficiency_times *times = &all->items[run].times;
        if (sp_run_field(profiles->items[run].run, scaling->x_field) == scaling->baseline)
            values[count++] = times->mean_ns * (all->weak ? 1 : times->rank_count);
    }
    return sp_sample_of(values, count).median;
}

int sp_efficiencies_compare(
    const struct sp_profiles *profiles, const struct sp_scaling *scaling, struct sp_efficiencies *all, struct sp_error *err)
{
    double *values = calloc(profiles->count + 1, sizeof *values);
    if (!values)
        return sp_fail(err, "out of memory");
    double reference = reference_ns(profiles, scaling, all, values);
    for (size_t i = 0; i < scaling->run_count; i++) {
        struct sp_efficiency *item = &all->items[scaling->runs[i]];
        item->computation_scaling = ratio(reference, item->times.mean_ns * (all->weak ? 1 : item->times.rank_count));
        item->global = item->parallel * item->computation_scaling;
    }
    free(values);
    return 0;
}

int sp_efficiencies_analyse(const struct sp_profiles *profiles, const struct sp_scalings *scalings, const struct sp_ideal *ideals,
    bool additive, bool weak, struct sp_efficiencies *efficiencies, struct sp_error *err)
{
    *efficiencies =
        (struct sp_efficiencies){.items = calloc(profiles->count + 1, sizeof *efficiencies->items), .additive = additive, .weak = weak};
    if (!efficiencies->items)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < profiles->count; i++) {
        struct sp_efficiency *item = &efficiencies->items[efficiencies->count++];
        item->computation_scaling = item->global = NAN;
        if (sp_efficiency_measure(profiles->items[i].run, item)) {
            item->times.ideal_ns = ideals ? ideals[i].time_ns : NAN;
            refuse(item, ideals ? ideals[i].why_not : "statistics alone do not tell");
        }
        sp_efficiency_factors(item, additive);
    }
    for (size_t i = 0; scalings && i < scalings->count; i++)
        if (!scalings->items[i].x_is_text && sp_efficiencies_compare(profiles, &scalings->items[i], efficiencies, err)) {
            sp_efficiencies_free(efficiencies);
            return -1;
        }
    return 0;
}

void sp_efficiencies_free(struct sp_efficiencies *efficiencies)
{
    free(efficiencies->items);
    *efficiencies = (struct sp_efficiencies){0};
}
