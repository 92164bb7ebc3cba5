/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_models.h"

#include <math.h>
#include <stdint.h>

static void assert_near(double a, double b, double most)
{
    assert_true(fabs(a - b) <= most);
}

#define MOST 8

static uint64_t seed = 3;

/* Uniform in [-1, 1]. */
static double noise(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

static void set(struct sp_scaling_point *points, size_t i, double x, double time)
{
    points[i] = (struct sp_scaling_point){.x = x, .time_ns = time};
}

static void karp_flatt_is_the_serial_fraction(void **state)
{
    (void)state;
    /* of a tenth serial S(4) = 1/(0.1 + 0.9/4) */
    assert_near(sp_model_karp_flatt(1 / (0.1 + 0.9 / 4), 4), 0.1, 1e-12);
    assert_near(sp_model_karp_flatt(4, 4), 0, 1e-12);
    assert_near(sp_model_karp_flatt(2, 4), 1.0 / 3, 1e-12);
    assert_true(isnan(sp_model_karp_flatt(1, 1)) && isnan(sp_model_karp_flatt(NAN, 4)) && isnan(sp_model_karp_flatt(2, 0.5)));
}

static void amdahl_finds_the_two_parts(void **state)
{
    struct sp_scaling_point points[MOST];
    struct sp_model model;
    (void)state;
    for (size_t i = 0; i < 5; i++)
        set(points, i, 2 << i, 10 + 90.0 / (1 << i));
    sp_model_fit(SP_LAW_AMDAHL, points, 5, 2, &model);
    assert_string_equal(model.why_not, "");
    assert_near(model.c[0], 10, 1e-9);
    assert_near(model.c[1], 90, 1e-9);
    assert_near(model.fraction, 0.1, 1e-9);
    assert_true(model.residual < 1e-9 && model.fraction_wide < 1e-6);
    assert_near(sp_model_time(&model, 64, 2, 100), 10 + 90.0 / 32, 1e-9);
    assert_true(isnan(sp_model_time(&model, 65, 2, 100)));
}

/* What is faster than ideal has no serial part, and no interval. */
static void parts_are_never_negative(void **state)
{
    struct sp_scaling_point points[MOST];
    struct sp_model model;
    (void)state;
    for (size_t i = 0; i < 4; i++)
        set(points, i, 1 << i, 100 / pow(1 << i, 1.2));
    sp_model_fit(SP_LAW_AMDAHL, points, 4, 1, &model);
    assert_near(model.c[0], 0, 0);
    assert_near(model.fraction, 0, 0);
    assert_true(model.c[1] > 0 && isnan(model.wide[0]) && isnan(model.fraction_wide));
}

static void usl_finds_contention_coherency_and_the_most(void **state)
{
    struct sp_scaling_point points[MOST];
    struct sp_model model;
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        double n = 1 << i;
        set(points, i, n, 100 * (1 + 0.05 * (n - 1) + 0.001 * n * (n - 1)) / n);
    }
    sp_model_fit(SP_LAW_USL, points, 6, 1, &model);
    assert_near(model.c[0], 0.05, 1e-9);
    assert_near(model.c[1], 0.001, 1e-9);
    assert_near(model.best_x, sqrt(0.95 / 0.001), 1e-6); /* 30.8 */
    assert_near(sp_model_time(&model, 64, 1, 100), 100 * (1 + 0.05 * 63 + 0.001 * 64 * 63) / 64, 1e-9);
    sp_model_fit(SP_LAW_USL, points, 4, 1, &model); /* up to 8: 30.8 is out of reach */
    assert_true(isnan(model.best_x));
}

static void gustafson_finds_what_does_not_grow_with_the_work(void **state)
{
    struct sp_scaling_point points[MOST];
    struct sp_model model;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        double r = 1 << i;
        set(points, i, 3 * r, 100 * r / (0.2 + 0.8 * r));
    }
    sp_model_fit(SP_LAW_GUSTAFSON, points, 4, 3, &model);
    assert_near(model.fraction, 0.2, 1e-9);
    assert_true(model.residual < 1e-9 && isnan(model.c[1]));
}

/* 200 series of 6 points with noise of 2 %: the law's parameters lie within the interval about 95 times of 100. */
static void intervals_of_noisy_series_hold_the_law(void **state)
{
    struct sp_scaling_point points[MOST];
    struct sp_model model;
    int amdahl = 0, gustafson = 0;
    (void)state;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < 6; i++)
            set(points, i, 1 << i, (10 + 90.0 / (1 << i)) * (1 + 0.02 * noise()));
        sp_model_fit(SP_LAW_AMDAHL, points, 6, 1, &model);
        amdahl += fabs(model.fraction - 0.1) <= model.fraction_wide;
        assert_true(model.residual < 2.5);
        for (size_t i = 0; i < 6; i++)
            set(points, i, 1 << i, 100.0 * (1 << i) / (0.2 + 0.8 * (1 << i)) * (1 + (i ? 0.02 : 0) * noise()));
        sp_model_fit(SP_LAW_GUSTAFSON, points, 6, 1, &model);
        gustafson += fabs(model.fraction - 0.2) <= model.fraction_wide;
    }
    assert_true(amdahl >= 180 && amdahl <= 199);
    assert_true(gustafson >= 180 && gustafson <= 199);
}

static void too_few_points_are_refused_with_the_reason(void **state)
{
    struct sp_scaling_point points[MOST];
    struct sp_model model;
    (void)state;
    for (size_t i = 0; i < 4; i++)
        set(points, i, 1 << i, i == 1 || i == 2 ? NAN : 10);
    sp_model_fit(SP_LAW_AMDAHL, points, 4, 1, &model);
    assert_string_equal(model.why_not, "too few points: 2, it takes 3 different x");
    assert_true(isnan(sp_model_time(&model, 1, 1, 10)));
    sp_model_fit(SP_LAW_GROWTH, points, 4, 1, &model);
    assert_string_equal(model.why_not, "too few points: 2, it takes 5 different x");
    set(points, 0, 1, NAN);
    set(points, 1, 2, 5);
    set(points, 2, 4, 5);
    sp_model_fit(SP_LAW_USL, points, 4, 1, &model);
    assert_string_equal(model.why_not, "no time at the baseline");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(karp_flatt_is_the_serial_fraction),
        cmocka_unit_test(amdahl_finds_the_two_parts),
        cmocka_unit_test(parts_are_never_negative),
        cmocka_unit_test(usl_finds_contention_coherency_and_the_most),
        cmocka_unit_test(gustafson_finds_what_does_not_grow_with_the_work),
        cmocka_unit_test(intervals_of_noisy_series_hold_the_law),
        cmocka_unit_test(too_few_points_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
