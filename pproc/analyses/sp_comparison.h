/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COMPARISON_H
#define SP_COMPARISON_H

/* Two runs, or two sets of repeats, region by region or call path by call path: what changed, and whether a budget is kept. Pure.
 * delta = b - a, what is missing counting as 0; percent = 100 delta / a, undefined where a is missing or 0. A row violates the budget
 * if its percent exceeds it and the intervals of a and b, where repeats give such, do not overlap. */

#include "sp_profile.h"
#include "sp_sample.h"

enum sp_metric {
    SP_METRIC_TOTAL,
    SP_METRIC_SELF,
    SP_METRIC_AVG,
    SP_METRIC_MIN,
    SP_METRIC_MAX,
    SP_METRIC_CALLS,
    SP_METRIC_IMBALANCE,
    SP_METRICS
};

/* "total", "self", ... */
const char *sp_metric_name(enum sp_metric metric);
bool sp_metric_is_time(enum sp_metric metric);

/* What of a metric that grows with the ranks is compared. */
enum sp_across {
    SP_ACROSS_AUTO, /* their sum; over runs of different rank counts the mean of a rank */
    SP_ACROSS_SUM,
    SP_ACROSS_MEAN,
    SP_ACROSS_SLOWEST /* the rank that has most; total and self only */
};

enum sp_comparison_order { SP_BY_DELTA, SP_BY_PERCENT, SP_BY_NAME };

struct sp_comparison_choice {
    enum sp_metric metric;
    enum sp_across across;
    enum sp_comparison_order order;
    bool by_path;
    double threshold; /* percent; rows that are known to change by less are not shown */
    double budget;    /* percent */
    bool fail_on_new; /* what a lacks violates too */
};

/* The names of the command line: metric ("total"), by ("region", "path"), of (NULL, "mean", "max", "total"), sort ("delta", "pct",
 * "name"). Fails (usage) for others. */
int sp_comparison_parse(
    struct sp_comparison_choice *choice, const char *metric, const char *by, const char *of, const char *sort, struct sp_error *err);

struct sp_comparison_row {
    char *name;              /* region, or call path "a > b"; valid UTF-8 */
    int32_t kind;            /* enum sp_region_kind */
    size_t a_runs, b_runs;   /* runs that have it; 0: missing */
    struct sp_sample a, b;   /* ns, calls or percent */
    double delta, percent;   /* NaN undefined */
    bool changed;            /* missing on one side, or delta is not 0 */
    bool shown;              /* not below the threshold, or violated */
    bool violated;
};

struct sp_comparison {
    struct sp_comparison_choice choice; /* across is never AUTO */
    bool ranks_differ;                  /* the runs do not all have the same number of ranks */
    bool few;                           /* of several runs on a side there are too few for an interval */
    struct sp_comparison_row *rows;     /* in the chosen order, ties by name */
    size_t row_count, shown_count, violation_count;
    bool changed; /* a row that is shown changed */
    struct sp_comparison_row run; /* the time of the run itself; never violated, name NULL */
};

/* Fills delta, percent, changed, shown, violated from the rest of the row. */
void sp_comparison_judge(struct sp_comparison_row *row, const struct sp_comparison_choice *choice);

/* Process 0. *comparison is to be freed with sp_comparison_free, and owns its texts. With by_path the runs hold their paths. */
int sp_comparison_make(const struct sp_profiles *a, const struct sp_profiles *b, const struct sp_comparison_choice *choice,
    struct sp_comparison *comparison, struct sp_error *err);
void sp_comparison_free(struct sp_comparison *comparison);

#endif
