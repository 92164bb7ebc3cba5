/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_imbalance.h"

#include "sp_error.h"
#include "sp_number.h"
#include "sp_utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* Of values in order, between two neighbours linearly. */
static double quantile(const double *sorted, int32_t count, double q)
{
    double at = (count - 1) * q;
    int32_t below = (int32_t)at;
    double above = below + 1 < count ? sorted[below + 1] : sorted[below];
    return sorted[below] + (at - below) * (above - sorted[below]);
}

static int compare_values(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

struct on_node {
    int32_t node;
    double value;
};

static int compare_nodes(const void *a, const void *b)
{
    const struct on_node *x = a, *y = b;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* The largest mean of a node; NaN where the nodes are not known. */
static double largest_node_mean(const double *values, const int32_t *nodes, int32_t count)
{
    double largest = NAN, sum = 0;
    struct on_node *items = nodes ? malloc((size_t)count * sizeof *items) : NULL;
    for (int32_t i = 0; items && i < count; i++)
        items[i] = (struct on_node){nodes[i], values[i]};
    if (items)
        qsort(items, (size_t)count, sizeof *items, compare_nodes);
    for (int32_t i = 0, first = 0; items && i < count; i++) {
        sum += items[i].value;
        if (i + 1 < count && items[i + 1].node == items[i].node)
            continue;
        largest = fmax(largest, sum / (i + 1 - first)); /* of NaN and a number the number */
        first = i + 1;
        sum = 0;
    }
    free(items);
    return largest;
}

struct sp_imbalance sp_imbalance_of(double *values, const int32_t *nodes, int32_t count, double time_ns)
{
    struct sp_imbalance result = {.phase_percent = NAN};
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += values[i];
        if (values[i] > values[result.slowest_rank])
            result.slowest_rank = i;
    }
    double node_mean = largest_node_mean(values, nodes, count);
    qsort(values, (size_t)count, sizeof *values, compare_values);
    result.mean_ns = sum / count;
    result.min_ns = values[0];
    result.p25_ns = quantile(values, count, 0.25);
    result.median_ns = quantile(values, count, 0.5);
    result.p75_ns = quantile(values, count, 0.75);
    result.max_ns = values[count - 1];
    result.excess_ns = result.max_ns - result.mean_ns;
    result.load_balance = ratio(result.mean_ns, result.max_ns);
    result.shorter_percent = 100 * ratio(result.excess_ns, time_ns);
    result.percent = count > 1 ? 100 * ratio(result.excess_ns, result.max_ns) * count / (count - 1) : NAN;
    result.within = ratio(node_mean, result.max_ns);
    result.between = ratio(result.mean_ns, node_mean);
    return result;
}

/* The ranks that are looked at, in order. */
struct ranks {
    int32_t *numbers, *nodes;
    double *values;
    int32_t count;
};

static void ranks_free(struct ranks *ranks)
{
    free(ranks->numbers);
    free(ranks->nodes);
    free(ranks->values);
}

static int ranks_list(const struct sp_run *run, struct ranks *ranks, struct sp_error *err)
{
    size_t room = (size_t)run->rank_count + 1;
    *ranks =
        (struct ranks){malloc(room * sizeof *ranks->numbers), malloc(room * sizeof *ranks->nodes), malloc(room * sizeof *ranks->values), 0};
    if (!ranks->numbers || !ranks->nodes || !ranks->values)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->rank_count; i++) {
        if (!run->ranks[i])
            continue;
        ranks->numbers[ranks->count] = i;
        ranks->nodes[ranks->count++] = sp_file_ranks(run->file)[i].host;
    }
    return 0;
}

/* Entries of one region, by rank, spread over all ranks. */
static void spread(const struct sp_entry *entries, size_t count, struct ranks *ranks)
{
    size_t at = 0;
    for (int32_t i = 0; i < ranks->count; i++) {
        bool entered = at < count && entries[at].rank == ranks->numbers[i];
        ranks->values[i] = entered ? (double)entries[at++].stats.self : 0;
    }
}

static int compare_excess(const void *a, const void *b)
{
    const struct sp_imbalance *x = a, *y = b;
    if (x->excess_ns != y->excess_ns)
        return x->excess_ns > y->excess_ns ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

int sp_imbalances_analyse(const struct sp_profile *profile, struct sp_imbalances *all, struct sp_error *err)
{
    const struct sp_run *run = profile->run;
    struct ranks ranks = {0};
    bool threads = run->info->lane_count != run->info->rank_count; /* their times add up beside each other */
    double time_ns = threads ? -1 : (double)run->time_ns;
    *all = (struct sp_imbalances){.items = calloc(profile->region_count + 1, sizeof *all->items)};
    int status = all->items ? ranks_list(run, &ranks, err) : sp_fail(err, "out of memory");
    for (size_t first = 0, end = 0; !status && run->rank_count > 1 && first < run->entry_count; first = end) {
        int32_t region = run->entries[first].region;
        while (end < run->entry_count && run->entries[end].region == region)
            end++;
        if (sp_run_is_outside(run, region) || !sp_run_is_timed(run, region))
            continue;
        spread(&run->entries[first], end - first, &ranks);
        struct sp_imbalance *item = &all->items[all->count++];
        *item = sp_imbalance_of(ranks.values, ranks.nodes, ranks.count, time_ns);
        item->region = region;
        item->slowest_rank = ranks.numbers[item->slowest_rank];
    }
    ranks_free(&ranks);
    if (!status && all->count)
        qsort(all->items, all->count, sizeof *all->items, compare_excess);
    if (status)
        sp_imbalances_free(all);
    return status;
}

void sp_imbalances_free(struct sp_imbalances *all)
{
    free(all->items);
    *all = (struct sp_imbalances){0};
}

bool sp_imbalance_matters(const struct sp_run *run, const struct sp_imbalance *imbalance)
{
    return run->regions[imbalance->region].kind != SP_REGION_MPI && imbalance->shorter_percent >= 1;
}

void sp_imbalance_sentence(const struct sp_run *run, const struct sp_imbalance *imbalance, char *text, size_t size)
{
    char excess[SP_NUMBER_SIZE];
    const char *host = sp_run_host(run, imbalance->slowest_rank);
    char *name = sp_utf8_show(run->regions[imbalance->region].name, 60), *node = sp_utf8_show(host ? host : "unknown", 60);
    snprintf(text, size, "`%s`: rank %d (node %s) is %s above the average; perfect balance would shorten the run by at most %.1f %%.",
        name ? name : "?", (int)imbalance->slowest_rank, node ? node : "?", sp_number_duration(excess, imbalance->excess_ns),
        imbalance->shorter_percent);
    free(name);
    free(node);
}
