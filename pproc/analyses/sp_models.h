/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_MODELS_H
#define SP_MODELS_H

/* Laws that times over r = x/x0 follow, T0 the time at r = 1. Pure. Fits weigh relative misses.
 *     Amdahl     T = a + b/r, a, b >= 0: serial fraction a/(a + b)                             (G. Amdahl, 1967)
 *     USL        S = r/(1 + sigma (r - 1) + kappa r (r - 1)), sigma, kappa >= 0: most at sqrt((1 - sigma)/kappa)  (N. Gunther, 1993)
 *     Gustafson  scaled speedup = s + (1 - s) r, 0 <= s <= 1                                   (J. Gustafson, 1988)
 *     growth     T = c0 + c1 x^i log2(x)^j, by sp_pmnf_fit
 * A law says nothing beyond twice the largest x. */

#include "sp_fit.h"
#include "sp_scaling.h"

enum sp_law { SP_LAW_AMDAHL, SP_LAW_USL, SP_LAW_GUSTAFSON, SP_LAW_GROWTH, SP_LAWS };

/* "amdahl", "usl", "gustafson", "growth". */
const char *sp_law_name(enum sp_law law);

struct sp_model {
    enum sp_law law;
    size_t point_count;             /* distinct x with a time */
    char why_not[100];              /* why there is none; else empty, and the rest holds */
    double residual;                /* root of the mean square of the relative misses of T, percent */
    double c[2];                    /* Amdahl: a, b (ns); USL: sigma, kappa; Gustafson: s; growth: c0, c1 (ns); NaN: not used */
    double wide[2];                 /* c is sure to +- this, at 95 %; NaN not known */
    double fraction, fraction_wide; /* serial fraction of Amdahl and Gustafson; NaN: another law */
    double best_x;                  /* USL: where the speedup is largest; NaN: not up to reach_x */
    double i, j, smape;             /* growth; smape of points left out, percent */
    double reach_x;                 /* twice the largest x */
};

/* Serial fraction of a speedup (A. Karp, H. Flatt, 1990): (1/S - 1/r)/(1 - 1/r); NaN for r <= 1. */
double sp_model_karp_flatt(double speedup, double r);

/* Fits a law to points, x ascending; those without a time are left out. point r = x/baseline. */
void sp_model_fit(enum sp_law law, const struct sp_scaling_point *points, size_t count, double baseline, struct sp_model *model);

/* The time a model gives at x, ns. NaN beyond its reach, and without a model. */
double sp_model_time(const struct sp_model *model, double x, double baseline, double base_ns);

/* Laws that make sense of a kind of scaling, as a list that ends with SP_LAWS. */
const enum sp_law *sp_model_laws(enum sp_scaling_kind kind);

/* Whether rows of that kind of region are fitted: MPI functions wait for others, they follow no law of their own. */
bool sp_model_wants(const struct sp_scaling_row *row);

/* The laws of all rows that are wanted, of all series over numbers. *models is to be freed with sp_models_free. */
struct sp_model_row {
    const struct sp_scaling *scaling;
    const struct sp_scaling_row *row;
    enum sp_scaling_kind kind;
    struct sp_model model;
};
struct sp_models {
    struct sp_model_row *items; /* by kind of scaling, series, row, law */
    size_t count;
};
int sp_models_analyse(const struct sp_scalings *scalings, struct sp_models *models, struct sp_error *err);
void sp_models_free(struct sp_models *models);

#endif
