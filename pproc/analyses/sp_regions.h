/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_REGIONS_H
#define SP_REGIONS_H

/* Regions over ranks: pooled statistics and how evenly the ranks share them. Pure. */

#include "sp_run.h"

struct sp_region_summary {
    int32_t region;
    int32_t rank_count;    /* ranks that entered it */
    struct sp_stats stats; /* pooled over them */
    int64_t slowest_ns;    /* largest total of a rank, and the (first) rank that has it */
    int32_t slowest_rank;
    int64_t busiest_ns; /* the same of the self times */
    int32_t busiest_rank;
    double imbalance;      /* percent, (max_r T_r / mean_r T_r - 1) * 100 over the ranks that entered it; NaN undefined */
    double imbalance_all;  /* percent, the mean over all selected ranks */
    double imbalance_self; /* percent, of the self times, the mean over all selected ranks: waiting in MPI does not hide it */
};

/* Summaries of the regions that were called, in order of their first start. entries: by region, then rank. *rows is to be freed. */
int sp_regions_analyse(const struct sp_entry *entries, size_t entry_count, int32_t rank_count, struct sp_region_summary **rows,
    size_t *row_count, struct sp_error *err);

/* Percent by which the largest of count values exceeds their mean; NaN where that is not defined. */
double sp_regions_excess(int64_t max, int64_t sum, int32_t count);

#endif
