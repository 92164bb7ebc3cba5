/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BOOTSTRAP_H
#define SP_BOOTSTRAP_H

/* How sure a ratio of medians is. Pure. */

#include <stddef.h>

struct sp_interval {
    double low, high; /* NaN: there is none */
};

/* Of median(a) / median(b): the middle 95 % of the ratios of SP_BOOTSTRAP_ROUNDS pairs of samples drawn from a and b with
 * repetition (percentile bootstrap; B. Efron, 1979). None where a or b has fewer than SP_SAMPLE_ENOUGH values, or more than
 * SP_BOOTSTRAP_MOST. The draws come from a fixed seed: the same values give the same interval. */
#define SP_BOOTSTRAP_ROUNDS 1000
#define SP_BOOTSTRAP_MOST 256
struct sp_interval sp_bootstrap_ratio(const double *a, size_t a_count, const double *b, size_t b_count);

#endif
