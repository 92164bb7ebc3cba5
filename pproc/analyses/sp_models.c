/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_models.h"

#include "sp_error.h"
#include "sp_pmnf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[SP_LAWS] = {"amdahl", "usl", "gustafson", "growth"};
#define LEAST 3 /* distinct x */

const char *sp_law_name(enum sp_law law)
{
    return names[law];
}

double sp_model_karp_flatt(double speedup, double r)
{
    return r > 1 && speedup > 0 ? (1 / speedup - 1 / r) / (1 - 1 / r) : NAN;
}

/* The points that have a time: r, T, 1/T^2, and two functions of r. */
struct series {
    size_t count;
    double x[SP_PMNF_MOST], r[SP_PMNF_MOST], t[SP_PMNF_MOST], w[SP_PMNF_MOST], f[SP_PMNF_MOST], g[SP_PMNF_MOST];
    double base_ns;
};

static void take(const struct sp_scaling_point *points, size_t count, double baseline, struct series *s)
{
    s->count = 0;
    s->base_ns = NAN;
    for (size_t i = 0; i < count && s->count < SP_PMNF_MOST; i++) {
        double t = points[i].time_ns, r = points[i].x / baseline;
        if (!(t > 0) || !(r > 0))
            continue;
        s->x[s->count] = points[i].x;
        s->r[s->count] = r;
        s->t[s->count] = t;
        s->w[s->count++] = 1 / (t * t);
        s->base_ns = r == 1 ? t : s->base_ns;
    }
}

static void refuse(struct sp_model *model, const char *why)
{
    snprintf(model->why_not, sizeof model->why_not, "%s", why);
}

static void refuse_few(struct sp_model *model, size_t least)
{
    snprintf(model->why_not, sizeof model->why_not, "too few points: %zu, it takes %zu different x", model->point_count, least);
}

static void take_fit(struct sp_model *model, const struct sp_fit *fit)
{
    model->residual = fit->residual;
    for (int k = 0; k < 2; k++) {
        model->c[k] = fit->c[k];
        model->wide[k] = fit->wide[k];
    }
}

/* The deviation of a/(a + b) to first order: d = (b da - a db)/(a + b)^2. */
static void fit_amdahl(struct series *s, struct sp_model *model)
{
    struct sp_fit fit;
    for (size_t i = 0; i < s->count; i++) {
        s->f[i] = 1;
        s->g[i] = 1 / s->r[i];
    }
    if (!sp_fit_two(s->f, s->g, s->t, s->w, s->count, true, &fit)) {
        refuse(model, "the points do not determine it");
        return;
    }
    take_fit(model, &fit);
    double a = fit.c[0], b = fit.c[1], sum = a + b;
    double square = b * b * fit.variance[0] + a * a * fit.variance[1] - 2 * a * b * fit.variance[2];
    model->fraction = a / sum;
    model->fraction_wide = sp_fit_student(s->count - 2) * sqrt(fmax(square, 0)) / (sum * sum);
    if (isnan(square))
        model->fraction_wide = NAN;
}

/* T/T0 r = 1 + sigma (r - 1) + kappa r (r - 1); weights make it relative misses of T. */
static void fit_usl(struct series *s, double baseline, struct sp_model *model)
{
    struct sp_fit fit;
    double y[SP_PMNF_MOST], w[SP_PMNF_MOST], miss = 0;
    if (isnan(s->base_ns)) {
        refuse(model, "no time at the baseline");
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        double r = s->r[i], whole = s->t[i] / s->base_ns * r;
        s->f[i] = r - 1;
        s->g[i] = r * (r - 1);
        y[i] = whole - 1;
        w[i] = 1 / (whole * whole);
    }
    if (!sp_fit_two(s->f, s->g, y, w, s->count, true, &fit)) {
        refuse(model, "the points do not determine it");
        return;
    }
    take_fit(model, &fit);
    for (size_t i = 0; i < s->count; i++) {
        double off = (fit.c[0] * s->f[i] + fit.c[1] * s->g[i] - y[i]) * sqrt(w[i]);
        miss += off * off / (double)s->count;
    }
    model->residual = 100 * sqrt(miss);
    double best = fit.c[1] > 0 && fit.c[0] < 1 ? baseline * sqrt((1 - fit.c[0]) / fit.c[1]) : NAN;
    model->best_x = best <= model->reach_x ? best : NAN;
}

/* r T0/T = r - s (r - 1): s from relative misses of the scaled speedup, which are those of T turned round. */
static void fit_gustafson(const struct series *s, struct sp_model *model)
{
    double upper = 0, lower = 0, squares = 0;
    size_t telling = 0; /* the point at r = 1 fits any s */
    if (isnan(s->base_ns)) {
        refuse(model, "no time at the baseline");
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        double scaled = s->r[i] * s->base_ns / s->t[i], step = (s->r[i] - 1) / scaled;
        upper += step * (s->r[i] - scaled) / scaled;
        lower += step * step;
        telling += step != 0;
    }
    if (!(lower > 0)) {
        refuse(model, "the points do not determine it");
        return;
    }
    double free = upper / lower;
    model->fraction = model->c[0] = fmin(1, fmax(0, free));
    for (size_t i = 0; i < s->count; i++) {
        double scaled = s->r[i] * s->base_ns / s->t[i], miss = (s->r[i] - model->fraction * (s->r[i] - 1)) / scaled - 1;
        squares += miss * miss;
    }
    model->residual = 100 * sqrt(squares / (double)s->count);
    if (free == model->fraction && telling > 1)
        model->fraction_wide = model->wide[0] = sp_fit_student(telling - 1) * sqrt(squares / (double)(telling - 1) / lower);
}

static void fit_growth(const struct series *s, struct sp_model *model)
{
    struct sp_pmnf best;
    if (!sp_pmnf_fit(s->x, s->t, s->count, &best)) {
        refuse_few(model, SP_PMNF_LEAST);
        return;
    }
    model->c[0] = best.c0;
    model->c[1] = best.c1;
    model->i = best.i;
    model->j = best.j;
    model->smape = best.smape;
    model->residual = best.residual;
}

void sp_model_fit(enum sp_law law, const struct sp_scaling_point *points, size_t count, double baseline, struct sp_model *model)
{
    struct series s;
    take(points, count, baseline, &s);
    *model = (struct sp_model){.law = law,
        .point_count = s.count,
        .residual = NAN,
        .c = {NAN, NAN},
        .wide = {NAN, NAN},
        .fraction = NAN,
        .fraction_wide = NAN,
        .best_x = NAN,
        .i = NAN,
        .j = NAN,
        .smape = NAN,
        .reach_x = s.count ? 2 * s.x[s.count - 1] : NAN};
    if (count > SP_PMNF_MOST)
        refuse(model, "too many points");
    else if (law != SP_LAW_GROWTH && s.count < LEAST)
        refuse_few(model, LEAST);
    else if (law == SP_LAW_AMDAHL)
        fit_amdahl(&s, model);
    else if (law == SP_LAW_USL)
        fit_usl(&s, baseline, model);
    else if (law == SP_LAW_GUSTAFSON)
        fit_gustafson(&s, model);
    else
        fit_growth(&s, model);
}

double sp_model_time(const struct sp_model *model, double x, double baseline, double base_ns)
{
    double r = x / baseline;
    const double *c = model->c;
    if (model->why_not[0] || !(x <= model->reach_x))
        return NAN;
    switch (model->law) {
    case SP_LAW_AMDAHL: return c[0] + c[1] / r;
    case SP_LAW_USL: return base_ns * (1 + c[0] * (r - 1) + c[1] * r * (r - 1)) / r;
    case SP_LAW_GUSTAFSON: return base_ns * r / (r - c[0] * (r - 1));
    case SP_LAW_GROWTH: return c[0] + c[1] * sp_pmnf_term(x, model->i, model->j);
    case SP_LAWS: break;
    }
    return NAN;
}

const enum sp_law *sp_model_laws(enum sp_scaling_kind kind)
{
    static const enum sp_law strong[] = {SP_LAW_AMDAHL, SP_LAW_USL, SP_LAW_GROWTH, SP_LAWS},
                             weak[] = {SP_LAW_GUSTAFSON, SP_LAW_GROWTH, SP_LAWS};
    return kind == SP_SCALING_WEAK ? weak : strong;
}

bool sp_model_wants(const struct sp_scaling_row *row)
{
    return row->kind != SP_REGION_MPI;
}

static void add_rows(const struct sp_scaling *scaling, enum sp_scaling_kind kind, struct sp_models *models)
{
    for (size_t i = 0; i < scaling->row_count; i++)
        for (const enum sp_law *law = sp_model_laws(kind); sp_model_wants(&scaling->rows[i]) && *law != SP_LAWS; law++) {
            struct sp_model_row *added = &models->items[models->count++];
            *added = (struct sp_model_row){.scaling = scaling, .row = &scaling->rows[i], .kind = kind};
            sp_model_fit(*law, added->row->points, scaling->point_count, scaling->baseline, &added->model);
        }
}

int sp_models_analyse(const struct sp_scalings *scalings, struct sp_models *models, struct sp_error *err)
{
    size_t room = 1;
    for (size_t i = 0; i < scalings->count; i++)
        room += scalings->items[i].row_count * SP_SCALING_KINDS * SP_LAWS;
    *models = (struct sp_models){.items = calloc(room, sizeof *models->items)};
    if (!models->items)
        return sp_fail(err, "out of memory");
    for (int kind = 0; kind < SP_SCALING_KINDS; kind++)
        for (size_t i = 0; i < scalings->count; i++)
            if (scalings->choice.kinds[kind] && !scalings->items[i].x_is_text)
                add_rows(&scalings->items[i], (enum sp_scaling_kind)kind, models);
    return 0;
}

void sp_models_free(struct sp_models *models)
{
    free(models->items);
    *models = (struct sp_models){0};
}
