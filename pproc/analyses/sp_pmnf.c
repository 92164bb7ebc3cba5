/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_pmnf.h"

#include <math.h>

/* Numerator and denominator of i, and how many powers of the logarithm go with it, from the first on. */
static const struct {
    double over, under;
    int first_j, last_j;
} exponents[] = {{0, 1, 1, 2}, {1, 4, 0, 2}, {1, 3, 0, 2}, {1, 2, 0, 2}, {2, 3, 0, 2}, {3, 4, 0, 2}, {4, 5, 0, 0}, {1, 1, 0, 2},
    {5, 4, 0, 1}, {4, 3, 0, 1}, {3, 2, 0, 2}, {5, 3, 0, 0}, {7, 4, 0, 0}, {2, 1, 0, 2}, {9, 4, 0, 0}, {7, 3, 0, 0}, {5, 2, 0, 2},
    {8, 3, 0, 0}, {11, 4, 0, 0}, {3, 1, 0, 1}};

bool sp_pmnf_exponents(size_t which, double *i, double *j)
{
    for (size_t k = 0; k < sizeof exponents / sizeof exponents[0]; k++) {
        size_t powers = (size_t)(exponents[k].last_j - exponents[k].first_j) + 1;
        if (which < powers) {
            *i = exponents[k].over / exponents[k].under;
            *j = exponents[k].first_j + (double)which;
            return true;
        }
        which -= powers;
    }
    return false;
}

double sp_pmnf_term(double x, double i, double j)
{
    return pow(x, i) * (j > 0 ? pow(log2(x), j) : 1);
}

/* Least squares of t = c0 + c1 g without the point `without` (count: with all). */
static void fit_line(const double *g, const double *t, size_t count, size_t without, double c[2])
{
    double n = (double)(count - (without < count)), g_mean = 0, t_mean = 0, gg = 0, gt = 0;
    for (size_t k = 0; k < count; k++) {
        g_mean += k == without ? 0 : g[k] / n;
        t_mean += k == without ? 0 : t[k] / n;
    }
    for (size_t k = 0; k < count; k++) {
        gg += k == without ? 0 : (g[k] - g_mean) * (g[k] - g_mean);
        gt += k == without ? 0 : (g[k] - g_mean) * (t[k] - t_mean);
    }
    c[1] = gg > 0 ? gt / gg : 0;
    c[0] = t_mean - c[1] * g_mean;
}

static double smape_of(const double *g, const double *t, size_t count)
{
    double sum = 0, c[2];
    for (size_t k = 0; k < count; k++) {
        fit_line(g, t, count, k, c);
        double guess = c[0] + c[1] * g[k];
        sum += 200 * fabs(guess - t[k]) / (fabs(guess) + fabs(t[k]));
    }
    return sum / (double)count;
}

static void conclude(const double *x, const double *t, size_t count, struct sp_pmnf *best)
{
    double g[SP_PMNF_MOST], c[2], squares = 0;
    for (size_t k = 0; k < count; k++)
        g[k] = best->c1 != 0 ? sp_pmnf_term(x[k], best->i, best->j) : 0;
    fit_line(g, t, count, count, c);
    best->c0 = c[0];
    best->c1 = c[1];
    for (size_t k = 0; k < count; k++)
        squares += pow((c[0] + c[1] * g[k]) / t[k] - 1, 2);
    best->residual = 100 * sqrt(squares / (double)count);
}

bool sp_pmnf_fit(const double *x, const double *t, size_t count, struct sp_pmnf *best)
{
    double g[SP_PMNF_MOST] = {0}, i, j;
    if (count < SP_PMNF_LEAST || count > SP_PMNF_MOST)
        return false;
    *best = (struct sp_pmnf){.smape = smape_of(g, t, count)};
    for (size_t which = 0; sp_pmnf_exponents(which, &i, &j); which++) {
        if (j > 0 && x[0] < 1)
            continue;
        for (size_t k = 0; k < count; k++)
            g[k] = sp_pmnf_term(x[k], i, j);
        double smape = smape_of(g, t, count);
        if (smape < best->smape)
            *best = (struct sp_pmnf){.c1 = 1, .i = i, .j = j, .smape = smape};
    }
    conclude(x, t, count, best);
    return true;
}
