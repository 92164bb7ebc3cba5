/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_sample.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Probability of exactly k heads of n coins. */
static double binomial(size_t n, size_t k)
{
    double ways = lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
    return exp(ways - (double)n * log(2));
}

/* k of the interval; 0: there is none. */
static size_t rank_of_interval(size_t n)
{
    double below = 0;
    size_t k = 0;
    while (2 * k < n && 2 * (below += binomial(n, k)) <= 0.05)
        k++;
    return k;
}

struct sp_sample sp_sample_of(double *values, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[n++] = values[i];
    struct sp_sample sample = {.count = n, .median = NAN, .low = NAN, .high = NAN};
    if (!n)
        return sample;
    qsort(values, n, sizeof *values, compare_doubles);
    sample.median = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    size_t k = rank_of_interval(n);
    if (k) {
        sample.low = values[k - 1];
        sample.high = values[n - k];
    }
    return sample;
}
