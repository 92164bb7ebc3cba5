/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_scaling.h"

#include <math.h>
#include <string.h>

struct expected {
    double x, time, speedup, ideal, efficiency;
};

static void assert_same(double a, double b)
{
    if (isnan(b))
        assert_true(isnan(a));
    else
        assert_float_equal(a, b, 1e-12);
}

static void check(
    const double *x, const double *time, size_t count, double baseline, const struct expected *expected, size_t expected_count)
{
    struct sp_scaling_point points[8];
    double scratch[8];
    assert_int_equal(sp_scaling_points(x, time, count, baseline, points, scratch), expected_count);
    for (size_t i = 0; i < expected_count; i++) {
        assert_same(points[i].x, expected[i].x);
        assert_same(points[i].time_ns, expected[i].time);
        assert_same(points[i].speedup, expected[i].speedup);
        assert_same(points[i].ideal, expected[i].ideal);
        assert_same(points[i].efficiency, expected[i].efficiency);
    }
}

static void speedup_and_efficiency_follow_their_formulas(void **state)
{
    static const double x[] = {4, 1, 2}, time[] = {30, 80, 50};
    static const struct expected expected[] = {{1, 80, 1, 1, 1}, {2, 50, 1.6, 2, 0.8}, {4, 30, 80.0 / 30, 4, 2.0 / 3}};
    (void)state;
    check(x, time, 3, NAN, expected, 3);
}

static void a_baseline_may_be_any_x(void **state)
{
    static const double x[] = {1, 2, 4}, time[] = {80, 50, 30};
    static const struct expected expected[] = {{1, 80, 0.625, 0.5, 1.25}, {2, 50, 1, 1, 1}, {4, 30, 50.0 / 30, 2, 2.5 / 3}};
    (void)state;
    check(x, time, 3, 2, expected, 3);
}

static void repeats_count_as_their_median(void **state)
{
    static const double x[] = {1, 1, 1, 2, 2}, time[] = {100, 90, 500, 40, 60};
    static const struct expected expected[] = {{1, 100, 1, 1, 1}, {2, 50, 2, 2, 1}};
    (void)state;
    check(x, time, 5, NAN, expected, 2);
}

static void what_is_missing_is_undefined_and_never_a_number(void **state)
{
    static const double x[] = {1, 2, 4}, no_base[] = {NAN, 50, 30}, no_middle[] = {80, NAN, 30}, zero[] = {80, 0, 30};
    static const struct expected without_base[] = {{1, NAN, NAN, 1, NAN}, {2, 50, NAN, 2, NAN}, {4, 30, NAN, 4, NAN}};
    static const struct expected without_middle[] = {{1, 80, 1, 1, 1}, {2, NAN, NAN, 2, NAN}, {4, 30, 80.0 / 30, 4, 2.0 / 3}};
    static const struct expected with_zero[] = {{1, 80, 1, 1, 1}, {2, 0, NAN, 2, NAN}, {4, 30, 80.0 / 30, 4, 2.0 / 3}};
    (void)state;
    check(x, no_base, 3, NAN, without_base, 3);
    check(x, no_middle, 3, NAN, without_middle, 3);
    check(x, zero, 3, NAN, with_zero, 3);
}

static void one_x_gives_one_point(void **state)
{
    static const double x[] = {2, 2}, time[] = {10, 30};
    static const struct expected expected[] = {{2, 20, 1, 1, 1}};
    (void)state;
    check(x, time, 2, NAN, expected, 1);
}

static void only_three_times_can_be_compared(void **state)
{
    enum sp_scaling_of of;
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(sp_scaling_of_parse("mean", &of, &err), 0);
    assert_int_equal(of, SP_OF_MEAN);
    assert_int_equal(sp_scaling_of_parse("total", &of, &err), 0);
    assert_int_equal(of, SP_OF_TOTAL);
    assert_int_equal(sp_scaling_of_parse("median", &of, &err), -1);
    assert_int_equal(err.code, SP_EXIT_USAGE);
    assert_string_equal(err.text, "--of median: must be mean, max or total");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speedup_and_efficiency_follow_their_formulas),
        cmocka_unit_test(a_baseline_may_be_any_x),
        cmocka_unit_test(repeats_count_as_their_median),
        cmocka_unit_test(what_is_missing_is_undefined_and_never_a_number),
        cmocka_unit_test(one_x_gives_one_point),
        cmocka_unit_test(only_three_times_can_be_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
