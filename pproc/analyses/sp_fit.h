/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_FIT_H
#define SP_FIT_H

/* y = c0 f + c1 g by weighted least squares. Pure. */

#include <stdbool.h>
#include <stddef.h>

struct sp_fit {
    double c[2];
    double wide[2];     /* c is sure to +- this, at 95 % (Student's t); NaN: at its bound, or no points are left over to tell */
    double variance[3]; /* of c0, c1, and their covariance; NaN likewise */
    double residual;    /* root of the mean square of (fit - y)/y, percent */
};

/* Minimises the sum of w (c0 f + c1 g - y)^2. at_least_0: c0, c1 >= 0. Returns false where the points do not determine c. */
bool sp_fit_two(const double *f, const double *g, const double *y, const double *w, size_t count, bool at_least_0, struct sp_fit *fit);

/* Half of the middle 95 % of Student's t with that many degrees of freedom. NaN for 0. */
double sp_fit_student(size_t freedom);

#endif
