/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_pmnf.h"

#include <math.h>
#include <stdint.h>

static void assert_near(double a, double b, double most)
{
    assert_true(fabs(a - b) <= most);
}

static const double x[] = {1, 2, 4, 8, 16, 32, 64, 128};
#define COUNT (sizeof x / sizeof x[0])

/* Uniform in [-1, 1]. */
static double noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static void every_pair_of_exponents_is_found_again(void **state)
{
    double i, j, t[COUNT];
    size_t which;
    struct sp_pmnf best;
    (void)state;
    for (which = 0; sp_pmnf_exponents(which, &i, &j); which++) {
        for (size_t k = 0; k < COUNT; k++)
            t[k] = 100 + 3 * sp_pmnf_term(x[k], i, j);
        assert_true(sp_pmnf_fit(x, t, COUNT, &best));
        assert_near(best.i, i, 1e-12);
        assert_near(best.j, j, 1e-12);
        assert_near(best.c0, 100, 1e-5);
        assert_near(best.c1, 3, 1e-9);
        assert_true(best.smape < 1e-6 && best.residual < 1e-6);
    }
    assert_int_equal(which, 42);
}

/* With noise of 1 % neighbours cannot be told apart, but what they say at the points can: within 3 %. */
static void with_noise_the_model_still_says_what_the_law_says(void **state)
{
    double i, j, t[COUNT];
    struct sp_pmnf best;
    uint64_t seed = 7;
    (void)state;
    for (size_t which = 0; sp_pmnf_exponents(which, &i, &j); which++) {
        for (size_t k = 0; k < COUNT; k++)
            t[k] = (100 + 3 * sp_pmnf_term(x[k], i, j)) * (1 + 0.01 * noise(&seed));
        assert_true(sp_pmnf_fit(x, t, COUNT, &best));
        double law = 100 + 3 * sp_pmnf_term(128, i, j), model = best.c0 + best.c1 * sp_pmnf_term(128, best.i, best.j);
        assert_true(fabs(model / law - 1) < 0.03);
    }
}

static void what_does_not_grow_is_constant(void **state)
{
    static const double flat[] = {7, 7, 7, 7, 7, 7, 7, 7};
    struct sp_pmnf best;
    (void)state;
    assert_true(sp_pmnf_fit(x, flat, COUNT, &best));
    assert_near(best.c0, 7, 1e-12);
    assert_near(best.c1, 0, 0);
    assert_near(best.smape, 0, 1e-12);
}

/* 1 and 3 in turn: the mean of the other points is 2.25 or, at a 3, 1.8 (5 points: 1 3 1 3 1): of 1, 200 x (2 - 1)/3 = 66.7;
 * of 3, 200 x 1.5/4.5 = 66.7. */
static void points_left_out_are_judged_by_the_others(void **state)
{
    static const double five[] = {1, 2, 3, 4, 5}, t[] = {1, 3, 1, 3, 1};
    struct sp_pmnf best;
    (void)state;
    assert_true(sp_pmnf_fit(five, t, 5, &best));
    assert_true(best.smape <= 200.0 / 3 + 1e-9);
}

static void four_points_are_too_few_and_below_1_there_is_no_logarithm(void **state)
{
    static const double small[] = {0.25, 0.5, 1, 2, 4};
    double t[5];
    struct sp_pmnf best;
    (void)state;
    assert_false(sp_pmnf_fit(x, x, 4, &best));
    for (int k = 0; k < 5; k++)
        t[k] = 10 + log2(small[k]);
    assert_true(sp_pmnf_fit(small, t, 5, &best));
    assert_near(best.j, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_exponents_is_found_again),
        cmocka_unit_test(with_noise_the_model_still_says_what_the_law_says),
        cmocka_unit_test(what_does_not_grow_is_constant),
        cmocka_unit_test(points_left_out_are_judged_by_the_others),
        cmocka_unit_test(four_points_are_too_few_and_below_1_there_is_no_logarithm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
