/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PMNF_H
#define SP_PMNF_H

/* How a time grows with x: c0 + c1 x^i log2(x)^j, the performance model normal form with one term, of the exponents that Extra-P
 * searches (A. Calotoiu, T. Hoefler, M. Poke, F. Wolf, 2013). Pure. */

#include <stdbool.h>
#include <stddef.h>

#define SP_PMNF_LEAST 5 /* distinct x that it takes */
#define SP_PMNF_MOST 1024

struct sp_pmnf {
    double c0, c1, i, j; /* c1 0: constant */
    double smape;        /* percent: mean of 200 |p - t|/(|p| + |t|), each t predicted by p from the others */
    double residual;     /* root of the mean square of the relative misses, percent */
};

/* x ascending and above 0, t above 0. The exponents are those with the smallest smape, the constant where it is no worse; without
 * logarithms where an x is below 1. Returns false with fewer than SP_PMNF_LEAST points. */
bool sp_pmnf_fit(const double *x, const double *t, size_t count, struct sp_pmnf *best);

/* x^i log2(x)^j */
double sp_pmnf_term(double x, double i, double j);

/* The which-th pair of exponents; false behind the last. */
bool sp_pmnf_exponents(size_t which, double *i, double *j);

#endif
