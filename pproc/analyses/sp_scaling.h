/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SCALING_H
#define SP_SCALING_H

/* Runs on more and more of something (x). Pure. With r = x/x0, x0 the smallest x unless a baseline is named:
 *     strong, the same total problem:  S = T(x0)/T(x), ideal r     E = S/r
 *     weak, the same work per x:       scaled speedup r E          E = T(x0)/T(x)
 * Repeats at one x count as their median. */

#include "sp_axis.h"
#include "sp_bootstrap.h"

enum sp_scaling_kind { SP_SCALING_STRONG, SP_SCALING_WEAK, SP_SCALING_KINDS };

/* "strong", "weak". */
const char *sp_scaling_kind_name(enum sp_scaling_kind kind);

enum sp_scaling_of { SP_OF_MEAN, SP_OF_MAX, SP_OF_TOTAL };

struct sp_scaling_choice {
    bool kinds[SP_SCALING_KINDS];
    enum sp_scaling_of of;
    const char *baseline; /* as the command line says it; NULL: the smallest x */
};

/* kinds: "strong", "weak", "both"; of: "mean", "max", "total". Fails (usage) for others. */
int sp_scaling_choice_parse(struct sp_scaling_choice *choice, const char *kinds, const char *of, struct sp_error *err);

struct sp_scaling_point {
    double x;
    const char *x_text;                /* where x is the place of a text; not owned */
    size_t run_count;                  /* runs at this x that have a time */
    double time_ns;                    /* their median; NaN: none */
    double low_ns, high_ns;            /* its interval of 95 %; NaN: too few repeats */
    double speedup, ideal, efficiency; /* strong; NaN: undefined */
    struct sp_interval sure;           /* of the speedup, 95 % */
    double cores;                      /* ranks times threads of the first run at this x */
};

/* What a point says under a kind of scaling. */
struct sp_scaled {
    double speedup, efficiency;
    struct sp_interval speedup_sure, efficiency_sure;
};
struct sp_scaled sp_scaling_view(const struct sp_scaling_point *point, enum sp_scaling_kind kind);

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

/* Runs of one layout, see sp_series_split. */
struct sp_scaling {
    const char *x_field;
    bool x_is_text;              /* x has an order, but no ratios */
    enum sp_scaling_kind kind;   /* the first that was chosen */
    char name[80];               /* of the layout; empty where there is only one */
    size_t *runs, run_count;     /* of the profiles */
    size_t point_count;          /* distinct x; of 1 there is nothing to compare */
    double baseline;             /* x0 */
    struct sp_scaling_row *rows; /* (run) first, then the regions in order of their first appearance */
    size_t row_count;
};

struct sp_scalings {
    struct sp_scaling_choice choice;
    struct sp_scaling *items;
    size_t count;
};

/* Points from times at x: sorted, repeats made one. times may be NaN. baseline NaN or no x: the smallest x. points has room for
 * count; returns how many there are. scratch: room for 3 count. */
size_t sp_scaling_points(
    const double *x, const double *time_ns, size_t count, double baseline, struct sp_scaling_point *points, double *scratch);

/* The tables over several runs, one for each layout. Fails when runs lack the field or recorded different work per rank under weak
 * scaling (combine, naming the runs), or the baseline is no x (usage). *scalings is to be freed with sp_scalings_free. */
int sp_scalings_analyse(const struct sp_profiles *profiles, const char *x_field, const struct sp_scaling_choice *choice,
    struct sp_scalings *scalings, struct sp_error *err);
void sp_scalings_free(struct sp_scalings *scalings);

/* The one of most points; NULL where none has two. */
const struct sp_scaling *sp_scalings_main(const struct sp_scalings *scalings);

#endif
