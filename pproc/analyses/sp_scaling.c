/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_scaling.h"

#include "sp_error.h"
#include "sp_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sp_scaling_of_parse(const char *name, enum sp_scaling_of *of, struct sp_error *err)
{
    static const char *const names[] = {"mean", "max", "total"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(names[i], name)) {
            *of = (enum sp_scaling_of)i;
            return 0;
        }
    return sp_fail_as(err, SP_EXIT_USAGE, "--of %.100s: must be mean, max or total", name);
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

size_t sp_scaling_points(
    const double *x, const double *time_ns, size_t count, double baseline, struct sp_scaling_point *points, double *scratch)
{
    size_t used = distinct(x, count, scratch);
    for (size_t i = 0; i < used; i++)
        points[i].x = scratch[i];
    size_t base = 0;
    for (size_t i = 0; i < used; i++) {
        size_t found = 0;
        for (size_t k = 0; k < count; k++)
            if (x[k] == points[i].x && !isnan(time_ns[k]))
                scratch[found++] = time_ns[k];
        points[i].run_count = found;
        points[i].time_ns = sp_sample_of(scratch, found).median;
        if (points[i].x == baseline)
            base = i;
    }
    for (size_t i = 0; i < used; i++) {
        points[i].speedup = ratio(points[base].time_ns, points[i].time_ns);
        points[i].ideal = ratio(points[i].x, points[base].x);
        points[i].efficiency = ratio(points[i].speedup, points[i].ideal);
    }
    return used;
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

/* Appends a label to a list in a text of limited size. */
static void append_label(char *list, size_t size, const char *label)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", label);
}

static int read_x(const struct sp_profiles *profiles, const char *field, double *x, struct sp_error *err)
{
    char lacking[300] = "";
    for (size_t i = 0; i < profiles->count; i++) {
        x[i] = sp_run_field(profiles->items[i].run, field);
        if (isnan(x[i]))
            append_label(lacking, sizeof lacking, profiles->items[i].run->label);
    }
    if (lacking[0])
        return sp_fail_as(err, SP_EXIT_COMBINE, "--x %.100s: no such number in %s", field, lacking);
    return 0;
}

static int check_baseline(const double *x, size_t count, double baseline, struct sp_error *err)
{
    if (isnan(baseline))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (x[i] == baseline)
            return 0;
    return sp_fail_as(err, SP_EXIT_USAGE, "--baseline %g: no run has this x", baseline);
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

static size_t list_occurrences(const struct sp_profiles *profiles, struct occurrence *list)
{
    size_t used = 0;
    for (size_t i = 0; i < profiles->count; i++)
        for (size_t k = 0; k < profiles->items[i].region_count; k++) {
            if (!sp_profile_is_timed(&profiles->items[i], k))
                continue;
            const struct sp_region *region = sp_profile_region(&profiles->items[i], k);
            const struct sp_stats *stats = &profiles->items[i].regions[k].stats;
            double percent = sp_percent((double)stats->total, profiles->items[i].rank_ns);
            list[used] = (struct occurrence){region->name, used, region->kind, (double)stats->self, percent};
            used++;
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
    for (size_t i = 0; i < profiles->count; i++)
        room += profiles->items[i].region_count;
    struct occurrence *list = calloc(room, sizeof *list);
    scaling->rows = calloc(room, sizeof *scaling->rows);
    if (!list || !scaling->rows) {
        free(list);
        return sp_fail(err, "out of memory");
    }
    size_t count = unite_occurrences(list, list_occurrences(profiles, list));
    scaling->rows[0] = (struct sp_scaling_row){.name = SP_SCALING_RUN, .kind = -1, .percent = 100};
    for (size_t i = 0; i < count; i++)
        scaling->rows[i + 1] = (struct sp_scaling_row){list[i].name, list[i].kind, false, list[i].self_ns, list[i].percent, NULL};
    scaling->row_count = count + 1;
    free(list);
    return 0;
}

static int fill_row(const struct sp_profiles *profiles, const double *x, enum sp_scaling_of of, struct sp_scaling *scaling,
    struct sp_scaling_row *row, double *times, struct sp_error *err)
{
    bool everywhere = true;
    for (size_t i = 0; i < profiles->count; i++) {
        const struct sp_profile *profile = &profiles->items[i];
        int64_t run_ns = profile->run->time_ns;
        times[i] = row->kind < 0 ? (run_ns < 0 ? NAN : (double)run_ns) : time_of(sp_profile_find(profile, row->name), of);
        everywhere = everywhere && !isnan(times[i]);
    }
    row->everywhere = everywhere;
    row->points = calloc(profiles->count, sizeof *row->points);
    if (!row->points)
        return sp_fail(err, "out of memory");
    scaling->point_count = sp_scaling_points(x, times, profiles->count, scaling->baseline, row->points, times + profiles->count);
    return 0;
}

int sp_scaling_analyse(const struct sp_profiles *profiles, const char *x_field, double baseline, enum sp_scaling_of of,
    struct sp_scaling *scaling, struct sp_error *err)
{
    *scaling = (struct sp_scaling){.x_field = x_field, .baseline = baseline};
    double *x = calloc(3 * profiles->count + 1, sizeof *x);
    if (!x)
        return sp_fail(err, "out of memory");
    if (read_x(profiles, x_field, x, err) || check_baseline(x, profiles->count, baseline, err) || collect_rows(profiles, scaling, err))
        goto fail;
    for (size_t i = 0; i < profiles->count; i++)
        if (isnan(baseline) && !(scaling->baseline <= x[i]))
            scaling->baseline = x[i];
    for (size_t i = 0; i < scaling->row_count; i++)
        if (fill_row(profiles, x, of, scaling, &scaling->rows[i], x + profiles->count, err))
            goto fail;
    free(x);
    return 0;
fail:
    free(x);
    sp_scaling_free(scaling);
    return -1;
}

void sp_scaling_free(struct sp_scaling *scaling)
{
    for (size_t i = 0; i < scaling->row_count; i++)
        free(scaling->rows[i].points);
    free(scaling->rows);
    *scaling = (struct sp_scaling){0};
}
