/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_comparison.h"

#include "sp_error.h"
#include "sp_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool is_time;
    bool grows; /* with the number of ranks */
} metrics[SP_METRICS] = {{"total", true, true}, {"self", true, true}, {"avg", true, false}, {"min", true, false}, {"max", true, false},
    {"calls", false, true}, {"imbalance", false, false}};

const char *sp_metric_name(enum sp_metric metric)
{
    return metrics[metric].name;
}

bool sp_metric_is_time(enum sp_metric metric)
{
    return metrics[metric].is_time;
}

/* Where a name stands in a list that ends with NULL; -1 nowhere. */
static int position(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

static int parse_metric(const char *name, enum sp_metric *metric, struct sp_error *err)
{
    for (int i = 0; i < SP_METRICS; i++)
        if (!strcmp(metrics[i].name, name)) {
            *metric = (enum sp_metric)i;
            return 0;
        }
    return sp_fail_as(err, SP_EXIT_USAGE, "--metric %.100s: must be total, self, avg, min, max, calls or imbalance", name);
}

int sp_comparison_parse(
    struct sp_comparison_choice *choice, const char *metric, const char *by, const char *of, const char *sort, struct sp_error *err)
{
    static const char *const bys[] = {"region", "path", NULL}, *const ofs[] = {"total", "mean", "max", NULL},
                             *const sorts[] = {"delta", "pct", "name", NULL};
    if (parse_metric(metric, &choice->metric, err))
        return -1;
    int which = position(bys, by), order = position(sorts, sort), across = of ? position(ofs, of) : 0;
    if (which < 0)
        return sp_fail_as(err, SP_EXIT_USAGE, "--by %.100s: must be region or path", by);
    if (order < 0)
        return sp_fail_as(err, SP_EXIT_USAGE, "--sort %.100s: must be delta, pct or name", sort);
    if (across < 0)
        return sp_fail_as(err, SP_EXIT_USAGE, "--of %.100s: must be mean, max or total", of);
    choice->by_path = which == 1;
    choice->order = (enum sp_comparison_order)order;
    choice->across = of ? (enum sp_across)(SP_ACROSS_SUM + across) : SP_ACROSS_AUTO;
    if (of && !metrics[choice->metric].grows)
        return sp_fail_as(err, SP_EXIT_USAGE, "--of %.100s: %s is the same whatever is summed over", of, metric);
    if (choice->across == SP_ACROSS_SLOWEST && choice->metric == SP_METRIC_CALLS)
        return sp_fail_as(err, SP_EXIT_USAGE, "--of max: needs --metric total or self");
    return 0;
}

/* A region or call path of one run, as far as metrics need it. */
struct subject {
    const struct sp_stats *stats;
    int64_t slowest_ns, busiest_ns; /* largest total and self time of a rank */
    double imbalance;
};

static double value_of(const struct subject *subject, enum sp_metric metric, enum sp_across across, int32_t ranks)
{
    const struct sp_stats *stats = subject->stats;
    double parts = across == SP_ACROSS_MEAN ? ranks : 1;
    switch (metric) {
    case SP_METRIC_TOTAL: return across == SP_ACROSS_SLOWEST ? (double)subject->slowest_ns : (double)stats->total / parts;
    case SP_METRIC_SELF: return across == SP_ACROSS_SLOWEST ? (double)subject->busiest_ns : (double)stats->self / parts;
    case SP_METRIC_CALLS: return (double)stats->calls / parts;
    case SP_METRIC_AVG: return sp_stats_mean(stats);
    case SP_METRIC_MIN: return (double)stats->min;
    case SP_METRIC_MAX: return (double)stats->max;
    case SP_METRIC_IMBALANCE: return subject->imbalance;
    case SP_METRICS: break;
    }
    return NAN;
}

/* A value of one run, while those of all runs are put together by name. */
struct item {
    char *name;
    int32_t kind;
    int side;
    double value;
};

struct items {
    struct item *list;
    size_t count;
};

static size_t rows_of(const struct sp_profile *profile, bool by_path)
{
    return by_path ? profile->run->path_count : profile->region_count;
}

/* Adds row `row` of a profile, if it is selected and has this metric. */
static int add_row(struct items *items, const struct sp_profile *profile, size_t row, int side, const struct sp_comparison_choice *choice,
    struct sp_error *err)
{
    const struct sp_run *run = profile->run;
    const struct sp_path_entry *path = choice->by_path ? &run->paths[row] : NULL;
    const struct sp_region_summary *summary = path ? NULL : &profile->regions[row];
    int32_t region = path ? sp_file_callpaths(run->file)[path->callpath].region : summary->region;
    if (!run->regions[region].selected || (choice->metric != SP_METRIC_CALLS && !sp_run_is_timed(run, region)))
        return 0;
    struct subject subject;
    if (path)
        subject = (struct subject){
            &path->stats, path->slowest_ns, path->busiest_ns, sp_regions_excess(path->slowest_ns, path->stats.total, path->rank_count)};
    else
        subject = (struct subject){&summary->stats, summary->slowest_ns, summary->busiest_ns, summary->imbalance};
    char *name = path ? sp_tree_path_name(run, path->callpath) : strdup(run->regions[region].name);
    if (!name)
        return sp_fail(err, "out of memory");
    double value = value_of(&subject, choice->metric, choice->across, run->rank_count);
    items->list[items->count++] = (struct item){name, run->regions[region].kind, side, value};
    return 0;
}

static int add_profiles(
    struct items *items, const struct sp_profiles *profiles, int side, const struct sp_comparison_choice *choice, struct sp_error *err)
{
    for (size_t i = 0; i < profiles->count; i++)
        for (size_t row = 0; row < rows_of(&profiles->items[i], choice->by_path); row++)
            if (add_row(items, &profiles->items[i], row, side, choice, err))
                return -1;
    return 0;
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : x->side - y->side;
}

static double known(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

void sp_comparison_judge(struct sp_comparison_row *row, const struct sp_comparison_choice *choice)
{
    double a = row->a_runs ? row->a.median : 0, b = row->b_runs ? row->b.median : 0;
    row->delta = b - a;
    row->percent = row->a_runs && a != 0 ? 100 * row->delta / a : NAN;
    row->changed = !row->a_runs != !row->b_runs || row->delta != 0;
    row->changed = row->changed && !(row->a_runs && row->b_runs && isnan(row->delta));
    bool apart = known(row->b.low, b) > known(row->a.high, a);
    row->violated = (row->percent > choice->budget && apart) || (choice->fail_on_new && !row->a_runs);
    row->shown = row->violated || !(fabs(row->percent) < choice->threshold);
}

/* Makes rows of items that are in order of their names; takes the names. values: room for all items. */
static void unite(struct items *items, double *values, struct sp_comparison *comparison)
{
    for (size_t i = 0; i < items->count;) {
        struct item *first = &items->list[i];
        struct sp_comparison_row *row = &comparison->rows[comparison->row_count++];
        size_t counts[2] = {0}, begin = i;
        for (; i < items->count && !strcmp(items->list[i].name, first->name); i++) {
            counts[items->list[i].side]++;
            values[i] = items->list[i].value;
        }
        *row = (struct sp_comparison_row){.name = first->name, .kind = first->kind, .a_runs = counts[0], .b_runs = counts[1]};
        row->a = sp_sample_of(values + begin, counts[0]);
        row->b = sp_sample_of(values + begin + counts[0], counts[1]);
        for (size_t k = begin + 1; k < i; k++)
            free(items->list[k].name);
    }
    items->count = 0;
}

static int compare_sizes(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y); /* undefined ones last */
    return fabs(x) > fabs(y) ? -1 : fabs(x) < fabs(y);
}

static int compare_deltas(const void *a, const void *b)
{
    const struct sp_comparison_row *x = a, *y = b;
    int sizes = compare_sizes(x->delta, y->delta);
    return sizes ? sizes : strcmp(x->name, y->name);
}

static int compare_percents(const void *a, const void *b)
{
    const struct sp_comparison_row *x = a, *y = b;
    int sizes = compare_sizes(x->percent, y->percent);
    return sizes ? sizes : strcmp(x->name, y->name);
}

static int compare_names(const void *a, const void *b)
{
    const struct sp_comparison_row *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void conclude(struct sp_comparison *comparison)
{
    static int (*const orders[])(const void *, const void *) = {compare_deltas, compare_percents, compare_names};
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct sp_comparison_row *row = &comparison->rows[i];
        sp_comparison_judge(row, &comparison->choice);
        comparison->shown_count += row->shown;
        comparison->violation_count += row->violated;
        comparison->changed = comparison->changed || (row->shown && row->changed);
    }
    if (comparison->row_count)
        qsort(comparison->rows, comparison->row_count, sizeof *comparison->rows, orders[comparison->choice.order]);
}

/* Times of the runs of one side. */
static struct sp_sample run_times(const struct sp_profiles *profiles, double *values)
{
    for (size_t i = 0; i < profiles->count; i++)
        values[i] = profiles->items[i].run->time_ns < 0 ? NAN : (double)profiles->items[i].run->time_ns;
    return sp_sample_of(values, profiles->count);
}

static void compare_runs(const struct sp_profiles *a, const struct sp_profiles *b, double *values, struct sp_comparison *comparison)
{
    static const struct sp_comparison_choice no_budget = {.budget = INFINITY};
    struct sp_comparison_row *row = &comparison->run;
    *row = (struct sp_comparison_row){.kind = -1, .a_runs = a->count, .b_runs = b->count};
    row->a = run_times(a, values);
    row->b = run_times(b, values);
    sp_comparison_judge(row, &no_budget);
}

static bool have_other_ranks(const struct sp_profiles *profiles, int32_t ranks)
{
    for (size_t i = 0; i < profiles->count; i++)
        if (profiles->items[i].run->rank_count != ranks)
            return true;
    return false;
}

static size_t count_rows(const struct sp_profiles *profiles, bool by_path)
{
    size_t count = 0;
    for (size_t i = 0; i < profiles->count; i++)
        count += rows_of(&profiles->items[i], by_path);
    return count;
}

static bool are_few(size_t runs)
{
    return runs < SP_SAMPLE_ENOUGH;
}

int sp_comparison_make(const struct sp_profiles *a, const struct sp_profiles *b, const struct sp_comparison_choice *choice,
    struct sp_comparison *comparison, struct sp_error *err)
{
    int32_t ranks = a->items[0].run->rank_count;
    size_t room = count_rows(a, choice->by_path) + count_rows(b, choice->by_path);
    *comparison = (struct sp_comparison){.choice = *choice};
    comparison->ranks_differ = have_other_ranks(a, ranks) || have_other_ranks(b, ranks);
    comparison->few = (a->count > 1 || b->count > 1) && (are_few(a->count) || are_few(b->count));
    if (choice->across == SP_ACROSS_AUTO)
        comparison->choice.across = comparison->ranks_differ ? SP_ACROSS_MEAN : SP_ACROSS_SUM;
    struct items items = {calloc(room + 1, sizeof *items.list), 0};
    double *values = calloc(room + a->count + b->count + 1, sizeof *values);
    comparison->rows = calloc(room + 1, sizeof *comparison->rows);
    int status = items.list && values && comparison->rows ? 0 : sp_fail(err, "out of memory");
    if (!status)
        status = add_profiles(&items, a, 0, &comparison->choice, err) || add_profiles(&items, b, 1, &comparison->choice, err) ? -1 : 0;
    if (!status) {
        compare_runs(a, b, values, comparison);
        if (items.count)
            qsort(items.list, items.count, sizeof *items.list, compare_items);
        unite(&items, values, comparison);
        conclude(comparison);
    }
    for (size_t i = 0; i < items.count; i++)
        free(items.list[i].name);
    free(items.list);
    free(values);
    if (status)
        sp_comparison_free(comparison);
    return status;
}

void sp_comparison_free(struct sp_comparison *comparison)
{
    for (size_t i = 0; comparison->rows && i < comparison->row_count; i++)
        free(comparison->rows[i].name);
    free(comparison->rows);
    *comparison = (struct sp_comparison){0};
}
