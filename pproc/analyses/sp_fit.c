/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_fit.h"

#include <math.h>

double sp_fit_student(size_t freedom)
{
    static const double table[] = {NAN, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    double n = (double)freedom;
    if (freedom < sizeof table / sizeof table[0])
        return table[freedom];
    return 1.95996 + 2.37227 / n + 2.82250 / (n * n) + 2.55585 / (n * n * n); /* Cornish-Fisher, better than 1e-3 from 10 on */
}

/* The best multiple of f alone. */
static double fit_one(const double *f, const double *y, const double *w, size_t count)
{
    double ff = 0, fy = 0;
    for (size_t i = 0; i < count; i++) {
        ff += w[i] * f[i] * f[i];
        fy += w[i] * f[i] * y[i];
    }
    return ff > 0 ? fy / ff : 0;
}

static double squares(const double *f, const double *g, const double *y, const double *w, size_t count, const double c[2])
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double miss = c[0] * f[i] + c[1] * g[i] - y[i];
        sum += w[i] * miss * miss;
    }
    return sum;
}

/* The better of the two borders, where the free optimum lies outside. */
static void fit_border(const double *f, const double *g, const double *y, const double *w, size_t count, double c[2])
{
    double left[2] = {fmax(0, fit_one(f, y, w, count)), 0}, right[2] = {0, fmax(0, fit_one(g, y, w, count))};
    const double *best = squares(f, g, y, w, count, left) <= squares(f, g, y, w, count, right) ? left : right;
    c[0] = best[0];
    c[1] = best[1];
}

/* a - b; 0 where that is no more than what rounding leaves. */
static double without_dust(double a, double b)
{
    return fabs(a - b) > 1e-12 * (fabs(a) + fabs(b)) ? a - b : 0;
}

bool sp_fit_two(const double *f, const double *g, const double *y, const double *w, size_t count, bool at_least_0, struct sp_fit *fit)
{
    double ff = 0, fg = 0, gg = 0, fy = 0, gy = 0;
    for (size_t i = 0; i < count; i++) {
        ff += w[i] * f[i] * f[i];
        fg += w[i] * f[i] * g[i];
        gg += w[i] * g[i] * g[i];
        fy += w[i] * f[i] * y[i];
        gy += w[i] * g[i] * y[i];
    }
    double det = ff * gg - fg * fg;
    *fit = (struct sp_fit){.wide = {NAN, NAN}, .variance = {NAN, NAN, NAN}};
    if (count < 2 || !(det > 1e-12 * ff * gg))
        return false;
    fit->c[0] = without_dust(gg * fy, fg * gy) / det;
    fit->c[1] = without_dust(ff * gy, fg * fy) / det;
    bool outside = at_least_0 && (fit->c[0] < 0 || fit->c[1] < 0);
    if (outside)
        fit_border(f, g, y, w, count, fit->c);
    if (!outside && count > 2) {
        double noise = squares(f, g, y, w, count, fit->c) / (double)(count - 2), t = sp_fit_student(count - 2);
        fit->variance[0] = noise * gg / det;
        fit->variance[1] = noise * ff / det;
        fit->variance[2] = -noise * fg / det;
        fit->wide[0] = t * sqrt(fit->variance[0]);
        fit->wide[1] = t * sqrt(fit->variance[1]);
    }
    for (size_t i = 0; i < count; i++) {
        double miss = (fit->c[0] * f[i] + fit->c[1] * g[i] - y[i]) / y[i];
        fit->residual += miss * miss / (double)count;
    }
    fit->residual = 100 * sqrt(fit->residual);
    return true;
}
