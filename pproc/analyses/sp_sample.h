/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SAMPLE_H
#define SP_SAMPLE_H

/* One quantity, measured once or more. Pure. */

#include <stddef.h>

/* Repeats below this number have no interval of 95 %. */
#define SP_SAMPLE_ENOUGH 6

struct sp_sample {
    size_t count;     /* values that are numbers */
    double median;    /* NaN: there are none */
    double low, high; /* distribution-free interval of the median; NaN below SP_SAMPLE_ENOUGH values */
};

/* Sorts values; those that are NaN are left out. The interval reaches from the k-th smallest to the k-th largest value, k as large as
 * leaves it at least 95 %: 1 - 2 P(B < k) with B binomial of count and 1/2 (the sign test turned round). */
struct sp_sample sp_sample_of(double *values, size_t count);

#endif
