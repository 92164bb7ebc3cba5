/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_bootstrap.h"

#include "sp_sample.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Puts value into its place among count sorted ones. */
static void insert(double *values, size_t count, double value)
{
    for (; count > 0 && values[count - 1] > value; count--)
        values[count] = values[count - 1];
    values[count] = value;
}

static double median_of_draws(const double *values, size_t count, uint64_t *state)
{
    double drawn[SP_BOOTSTRAP_MOST];
    for (size_t i = 0; i < count; i++)
        insert(drawn, i, values[draw(state) % count]);
    return count % 2 ? drawn[count / 2] : (drawn[count / 2 - 1] + drawn[count / 2]) / 2;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct sp_interval sp_bootstrap_ratio(const double *a, size_t a_count, const double *b, size_t b_count)
{
    double ratios[SP_BOOTSTRAP_ROUNDS];
    uint64_t state = 1;
    if (a_count < SP_SAMPLE_ENOUGH || b_count < SP_SAMPLE_ENOUGH || a_count > SP_BOOTSTRAP_MOST || b_count > SP_BOOTSTRAP_MOST)
        return (struct sp_interval){NAN, NAN};
    for (size_t i = 0; i < SP_BOOTSTRAP_ROUNDS; i++) {
        double upper = median_of_draws(a, a_count, &state), lower = median_of_draws(b, b_count, &state);
        if (!(lower > 0))
            return (struct sp_interval){NAN, NAN};
        ratios[i] = upper / lower;
    }
    qsort(ratios, SP_BOOTSTRAP_ROUNDS, sizeof *ratios, compare_doubles);
    size_t cut = SP_BOOTSTRAP_ROUNDS / 40;
    return (struct sp_interval){ratios[cut], ratios[SP_BOOTSTRAP_ROUNDS - 1 - cut]};
}
