/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_scaling.h"

#include "sp_cost.h"
#include "sp_error.h"
#include "sp_sample.h"
#include "sp_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[SP_SCALING_KINDS] = {"strong", "weak"};

const char *sp_scaling_kind_name(enum sp_scaling_kind kind)
{
    return kind_names[kind];
}

static int parse_of(const char *name, enum sp_scaling_of *of, struct sp_error *err)
{
    static const char *const names[] = {"mean", "max", "total"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(names[i], name)) {
            *of = (enum sp_scaling_of)i;
            return 0;
        }
    return sp_fail_as(err, SP_EXIT_USAGE, "--of %.100s: must be mean, max or total", name);
}

int sp_scaling_choice_parse(struct sp_scaling_choice *choice, const char *kinds, const char *of, struct sp_error *err)
{
    bool both = !strcmp(kinds, "both"), any = false;
    for (int kind = 0; kind < SP_SCALING_KINDS; kind++)
        any |= choice->kinds[kind] = both || !strcmp(kinds, kind_names[kind]);
    return any ? parse_of(of, &choice->of, err) : sp_fail_as(err, SP_EXIT_USAGE, "--scaling %.100s: must be strong, weak or both", kinds);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Distinct values of x, ascending. */
static size_t distinct(const double *x, size_t count, double *values)
{
    size_t used = 0;
    memcpy(values, x, count * sizeof *x);
    qsort(values, count, sizeof *values, compare_doubles);
    for (size_t i = 0; i < count; i++)
        if (!used || values[i] != values[used - 1])
            values[used++] = values[i];
    return used;
}

static double ratio(double a, double b)
{
    return a >= 0 && b > 0 ? a / b : NAN;
}

/* Times of the runs at x. */
static size_t times_at(double at, const double *x, const double *time_ns, size_t count, double *times)
{
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
        if (x[k] == at && !isnan(time_ns[k]))
            times[found++] = time_ns[k];
    return found;
}

size_t sp_scaling_points(
    const double *x, const double *time_ns, size_t count, double baseline, struct sp_scaling_point *points, double *scratch)
{
    double *times = scratch + count, *base_times = times + count;
    size_t used = distinct(x, count, scratch), base = 0;
    for (size_t i = 0; i < used; i++) {
        size_t found = times_at(scratch[i], x, time_ns, count, times);
        struct sp_sample sample = sp_sample_of(times, found);
        points[i] = (struct sp_scaling_point){
            .x = scratch[i], .run_count = found, .time_ns = sample.median, .low_ns = sample.low, .high_ns = sample.high};
        if (points[i].x == baseline)
            base = i;
    }
    size_t base_count = used ? times_at(points[base].x, x, time_ns, count, base_times) : 0;
    for (size_t i = 0; i < used; i++) {
        size_t found = times_at(points[i].x, x, time_ns, count, times);
        points[i].speedup = ratio(points[base].time_ns, points[i].time_ns);
        points[i].ideal = ratio(points[i].x, points[base].x);
        points[i].efficiency = ratio(points[i].speedup, points[i].ideal);
        points[i].sure = i == base ? (struct sp_interval){NAN, NAN} : sp_bootstrap_ratio(base_times, base_count, times, found);
    }
    return used;
}

struct sp_scaled sp_scaling_view(const struct sp_scaling_point *point, enum sp_scaling_kind kind)
{
    double r = point->ideal;
    struct sp_interval sure = point->sure;
    if (kind == SP_SCALING_WEAK)
        return (struct sp_scaled){point->speedup * r, point->speedup, {sure.low * r, sure.high * r}, sure};
    return (struct sp_scaled){point->speedup, point->efficiency, sure, {ratio(sure.low, r), ratio(sure.high, r)}};
}

static double time_of(const struct sp_region_summary *summary, enum sp_scaling_of of)
{
    if (!summary)
        return NAN;
    switch (of) {
    case SP_OF_MAX: return (double)summary->slowest_ns;
    case SP_OF_TOTAL: return (double)summary->stats.total;
    case SP_OF_MEAN: break;
    }
    return sp_stats_mean(&summary->stats);
}

/* A region of a run, while regions of all runs are put together by name. */
struct occurrence {
    const char *name;
    size_t order; /* of appearance */
    int32_t kind;
    double self_ns, percent;
};

static int compare_occurrences(const void *a, const void *b)
{
    const struct occurrence *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->order < y->order ? -1 : x->order > y->order);
}

static int compare_orders(const void *a, const void *b)
{
    const struct occurrence *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

static size_t list_occurrences(const struct sp_profiles *profiles, const struct sp_scaling *scaling, struct occurrence *list)
{
    size_t used = 0;
    for (size_t i = 0; i < scaling->run_count; i++) {
        const struct sp_profile *profile = &profiles->items[scaling->runs[i]];
        for (size_t k = 0; k < profile->region_count; k++) {
            if (!sp_profile_is_timed(profile, k))
                continue;
            const struct sp_region *region = sp_profile_region(profile, k);
            const struct sp_stats *stats = &profile->regions[k].stats;
            double percent = sp_percent((double)stats->total, profile->rank_ns);
            list[used] = (struct occurrence){region->name, used, region->kind, (double)stats->self, percent};
            used++;
        }
    }
    return used;
}

/* One of those of a name, in order of appearance. */
static size_t unite_occurrences(struct occurrence *list, size_t count)
{
    size_t used = 0;
    qsort(list, count, sizeof *list, compare_occurrences);
    for (size_t i = 0; i < count; i++) {
        if (!used || strcmp(list[used - 1].name, list[i].name)) {
            list[used++] = list[i];
            continue;
        }
        list[used - 1].self_ns = fmax(list[used - 1].self_ns, list[i].self_ns);
        list[used - 1].percent = fmax(list[used - 1].percent, list[i].percent);
    }
    qsort(list, used, sizeof *list, compare_orders);
    return used;
}

static int collect_rows(const struct sp_profiles *profiles, struct sp_scaling *scaling, struct sp_error *err)
{
    size_t room = 1;
    for (size_t i = 0; i < scaling->run_count; i++)
        room += profiles->items[scaling->runs[i]].region_count;
    struct occurrence *list = calloc(room, sizeof *list);
    scaling->rows = calloc(room, sizeof *scaling->rows);
    if (!list || !scaling->rows) {
        free(list);
        return sp_fail(err, "out of memory");
    }
    size_t count = unite_occurrences(list, list_occurrences(profiles, scaling, list));
    scaling->rows[0] = (struct sp_scaling_row){.name = SP_SCALING_RUN, .kind = -1, .percent = 100};
    for (size_t i = 0; i < count; i++)
        scaling->rows[i + 1] = (struct sp_scaling_row){list[i].name, list[i].kind, false, list[i].self_ns, list[i].percent, NULL};
    scaling->row_count = count + 1;
    free(list);
    return 0;
}

/* x and times: room for all runs; scratch: for 3 times as many. */
static int fill_row(const struct sp_profiles *profiles, const struct sp_axis *axis, enum sp_scaling_of of, struct sp_scaling *scaling,
    struct sp_scaling_row *row, double *scratch, struct sp_error *err)
{
    size_t count = scaling->run_count;
    double *x = scratch, *times = x + count;
    row->everywhere = true;
    for (size_t i = 0; i < count; i++) {
        const struct sp_profile *profile = &profiles->items[scaling->runs[i]];
        int64_t run_ns = profile->run->time_ns;
        x[i] = axis->x[scaling->runs[i]];
        times[i] = row->kind < 0 ? (run_ns < 0 ? NAN : (double)run_ns) : time_of(sp_profile_find(profile, row->name), of);
        row->everywhere = row->everywhere && !isnan(times[i]);
    }
    row->points = calloc(count, sizeof *row->points);
    if (!row->points)
        return sp_fail(err, "out of memory");
    scaling->point_count = sp_scaling_points(x, times, count, scaling->baseline, row->points, times + count);
    return 0;
}

/* What the runs at x say of themselves. Of a text there is no ratio. */
static void finish_points(
    const struct sp_profiles *profiles, const struct sp_axis *axis, const struct sp_scaling *scaling, struct sp_scaling_row *row)
{
    for (size_t i = 0; i < scaling->point_count; i++) {
        struct sp_scaling_point *point = &row->points[i];
        size_t k = 0;
        while (axis->x[scaling->runs[k]] != point->x)
            k++;
        point->cores = sp_cost_cores(profiles->items[scaling->runs[k]].run);
        if (!axis->texts)
            continue;
        point->x_text = axis->texts[scaling->runs[k]];
        point->ideal = point->efficiency = NAN;
    }
}

/* The baseline where a run of the series has it, else the smallest x. */
static double baseline_of(const struct sp_axis *axis, const struct sp_scaling *scaling, double wanted)
{
    double smallest = NAN;
    for (size_t i = 0; i < scaling->run_count; i++) {
        double x = axis->x[scaling->runs[i]];
        if (x == wanted)
            return x;
        smallest = smallest <= x ? smallest : x;
    }
    return smallest;
}

static int analyse_series(const struct sp_profiles *profiles, const struct sp_axis *axis, double baseline, enum sp_scaling_of of,
    struct sp_scaling *scaling, struct sp_error *err)
{
    scaling->baseline = baseline_of(axis, scaling, baseline);
    if (collect_rows(profiles, scaling, err))
        return -1;
    double *scratch = calloc(5 * scaling->run_count + 1, sizeof *scratch);
    int status = scratch ? 0 : sp_fail(err, "out of memory");
    for (size_t i = 0; !status && i < scaling->row_count; i++) {
        status = fill_row(profiles, axis, of, scaling, &scaling->rows[i], scratch, err);
        if (!status)
            finish_points(profiles, axis, scaling, &scaling->rows[i]);
    }
    free(scratch);
    return status;
}

static struct sp_layout layout_of(const struct sp_run *run)
{
    double threads = sp_run_field(run, "omp_num_threads");
    return (struct sp_layout){sp_run_field(run, "num_ranks"), isnan(threads) ? 1 : threads, sp_run_field(run, "num_nodes")};
}

/* Makes the series, with their runs. */
static int split(const struct sp_profiles *profiles, const struct sp_axis *axis, struct sp_scalings *scalings, struct sp_error *err)
{
    size_t count = profiles->count;
    struct sp_layout *layouts = calloc(count + 1, sizeof *layouts);
    size_t *series = calloc(count + 1, sizeof *series);
    unsigned by;
    scalings->items = calloc(count + 1, sizeof *scalings->items);
    int status = layouts && series && scalings->items ? 0 : sp_fail(err, "out of memory");
    for (size_t i = 0; !status && i < count; i++)
        layouts[i] = layout_of(profiles->items[i].run);
    if (!status)
        scalings->count = sp_series_split(axis->x, layouts, count, series, &by);
    for (size_t i = 0; !status && i < count; i++) {
        struct sp_scaling *scaling = &scalings->items[series[i]];
        if (!scaling->runs)
            scaling->runs = calloc(count, sizeof *scaling->runs);
        if (!scaling->runs) {
            status = sp_fail(err, "out of memory");
            break;
        }
        scaling->x_field = axis->field;
        scaling->x_is_text = axis->texts;
        scaling->kind = scalings->choice.kinds[SP_SCALING_STRONG] ? SP_SCALING_STRONG : SP_SCALING_WEAK;
        scaling->runs[scaling->run_count++] = i;
        sp_series_name(scaling->name, sizeof scaling->name, &layouts[i], by);
    }
    free(layouts);
    free(series);
    return status;
}

int sp_scalings_analyse(const struct sp_profiles *profiles, const char *x_field, const struct sp_scaling_choice *choice,
    struct sp_scalings *scalings, struct sp_error *err)
{
    struct sp_axis axis;
    double baseline;
    *scalings = (struct sp_scalings){.choice = *choice};
    if (choice->kinds[SP_SCALING_WEAK] && sp_axis_check_work(profiles, err))
        return -1;
    if (sp_axis_read(profiles, x_field, &axis, err))
        return -1;
    int status = sp_axis_find(&axis, profiles->count, choice->baseline, &baseline, err);
    if (!status)
        status = split(profiles, &axis, scalings, err);
    for (size_t i = 0; !status && i < scalings->count; i++)
        status = analyse_series(profiles, &axis, baseline, choice->of, &scalings->items[i], err);
    sp_axis_free(&axis);
    if (status)
        sp_scalings_free(scalings);
    return status;
}

void sp_scalings_free(struct sp_scalings *scalings)
{
    for (size_t i = 0; i < scalings->count; i++) {
        for (size_t k = 0; k < scalings->items[i].row_count; k++)
            free(scalings->items[i].rows[k].points);
        free(scalings->items[i].rows);
        free(scalings->items[i].runs);
    }
    free(scalings->items);
    *scalings = (struct sp_scalings){0};
}

const struct sp_scaling *sp_scalings_main(const struct sp_scalings *scalings)
{
    const struct sp_scaling *most = NULL;
    for (size_t i = 0; i < scalings->count; i++)
        if (scalings->items[i].point_count > (most ? most->point_count : 1))
            most = &scalings->items[i];
    return most;
}
