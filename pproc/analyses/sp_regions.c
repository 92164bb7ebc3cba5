/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_regions.h"

#include "sp_error.h"

#include <math.h>
#include <stdlib.h>

static void add_entry(struct sp_region_summary *row, const struct sp_entry *entry)
{
    bool first = !row->rank_count++;
    if (first || entry->stats.total > row->slowest_ns) {
        row->slowest_ns = entry->stats.total;
        row->slowest_rank = entry->rank;
    }
    if (first || entry->stats.self > row->busiest_ns) {
        row->busiest_ns = entry->stats.self;
        row->busiest_rank = entry->rank;
    }
    sp_stats_merge(&row->stats, &entry->stats);
}

double sp_regions_excess(int64_t max, int64_t sum, int32_t count)
{
    return sum > 0 && count > 0 ? ((double)max * count / (double)sum - 1) * 100 : NAN;
}

static int compare_first_starts(const void *a, const void *b)
{
    const struct sp_region_summary *x = a, *y = b;
    if (x->stats.first_start != y->stats.first_start)
        return x->stats.first_start < y->stats.first_start ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

int sp_regions_analyse(const struct sp_entry *entries, size_t entry_count, int32_t rank_count, struct sp_region_summary **rows,
    size_t *row_count, struct sp_error *err)
{
    *rows = NULL;
    *row_count = 0;
    size_t distinct = 0;
    for (size_t i = 0; i < entry_count; i++)
        distinct += i == 0 || entries[i].region != entries[i - 1].region;
    struct sp_region_summary *new = calloc(distinct + 1, sizeof *new);
    if (!new)
        return sp_fail(err, "out of memory");
    size_t at = 0;
    for (size_t i = 0; i < entry_count; i++) {
        if (i && entries[i].region != entries[i - 1].region)
            at++;
        new[at].region = entries[i].region;
        add_entry(&new[at], &entries[i]);
    }
    for (size_t i = 0; i < distinct; i++) {
        new[i].imbalance = sp_regions_excess(new[i].slowest_ns, new[i].stats.total, new[i].rank_count);
        new[i].imbalance_all = sp_regions_excess(new[i].slowest_ns, new[i].stats.total, rank_count);
        new[i].imbalance_self = sp_regions_excess(new[i].busiest_ns, new[i].stats.self, rank_count);
    }
    qsort(new, distinct, sizeof *new, compare_first_starts);
    *rows = new;
    *row_count = distinct;
    return 0;
}
