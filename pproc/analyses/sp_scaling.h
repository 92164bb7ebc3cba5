/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SCALING_H
#define SP_SCALING_H

/* Strong scaling: the same total problem on more and more of something (x). Pure.
 * S = T(x0)/T(x), ideal r = x/x0, E = S/r; x0 the smallest x unless a baseline is named; repeats at one x count as their median. */

#include "sp_profile.h"

struct sp_scaling_point {
    double x;
    size_t run_count;                  /* runs at this x that have a time */
    double time_ns;                    /* their median; NaN: none */
    double speedup, ideal, efficiency; /* NaN: undefined */
};

/* The name of the row that stands for the run itself. */
#define SP_SCALING_RUN "(run)"

struct sp_scaling_row {
    const char *name;
    int32_t kind;                    /* enum sp_region_kind; -1: the run itself */
    bool everywhere;                 /* called in every run */
    double self_ns;                  /* largest self time in a run, for the order of rows */
    double percent;                  /* largest share of a run that it takes, what it calls included */
    struct sp_scaling_point *points; /* point_count, x ascending */
};

struct sp_scaling {
    const char *x_field;
    size_t point_count;          /* distinct x; of 1 there is nothing to compare */
    double baseline;             /* x0 */
    struct sp_scaling_row *rows; /* (run) first, then the regions in order of their first appearance */
    size_t row_count;
};

enum sp_scaling_of { SP_OF_MEAN, SP_OF_MAX, SP_OF_TOTAL };

/* "mean", "max", "total"; returns -1 (usage) for other names. */
int sp_scaling_of_parse(const char *name, enum sp_scaling_of *of, struct sp_error *err);

/* Points from times at x: sorted, repeats made one. times may be NaN. baseline NaN: the smallest x. points has room for count;
 * returns how many there are. scratch: room for count. */
size_t sp_scaling_points(
    const double *x, const double *time_ns, size_t count, double baseline, struct sp_scaling_point *points, double *scratch);

/* The table over several runs. baseline: NaN or a value of x. Fails when a run lacks the field (combine, naming the runs), or the
 * baseline is no x (usage). *scaling is to be freed with sp_scaling_free. */
int sp_scaling_analyse(const struct sp_profiles *profiles, const char *x_field, double baseline, enum sp_scaling_of of,
    struct sp_scaling *scaling, struct sp_error *err);
void sp_scaling_free(struct sp_scaling *scaling);

#endif
