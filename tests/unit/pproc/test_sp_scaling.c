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
    double scratch[24];
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

static void only_three_times_and_kinds_can_be_compared(void **state)
{
    struct sp_scaling_choice choice = {0};
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(sp_scaling_choice_parse(&choice, "strong", "mean", &err), 0);
    assert_true(choice.kinds[SP_SCALING_STRONG] && !choice.kinds[SP_SCALING_WEAK] && choice.of == SP_OF_MEAN);
    assert_int_equal(sp_scaling_choice_parse(&choice, "both", "total", &err), 0);
    assert_true(choice.kinds[SP_SCALING_STRONG] && choice.kinds[SP_SCALING_WEAK] && choice.of == SP_OF_TOTAL);
    assert_int_equal(sp_scaling_choice_parse(&choice, "weak", "median", &err), -1);
    assert_int_equal(err.code, SP_EXIT_USAGE);
    assert_string_equal(err.text, "--of median: must be mean, max or total");
    assert_int_equal(sp_scaling_choice_parse(&choice, "sideways", "mean", &err), -1);
    assert_string_equal(err.text, "--scaling sideways: must be strong, weak or both");
}

static void weak_scaling_keeps_the_time_and_multiplies_the_work(void **state)
{
    /* four times the work in 100/80 of the time: efficiency 0.8, 3.2 times the work in a time */
    static const double x[] = {2, 8}, time[] = {80, 100};
    struct sp_scaling_point points[2];
    double scratch[6];
    (void)state;
    assert_int_equal(sp_scaling_points(x, time, 2, NAN, points, scratch), 2);
    struct sp_scaled weak = sp_scaling_view(&points[1], SP_SCALING_WEAK), strong = sp_scaling_view(&points[1], SP_SCALING_STRONG);
    assert_same(weak.efficiency, 0.8);
    assert_same(weak.speedup, 3.2);
    assert_same(strong.speedup, 0.8);
    assert_same(strong.efficiency, 0.2);
    assert_true(isnan(weak.speedup_sure.low) && isnan(strong.efficiency_sure.high));
}

static void six_repeats_give_intervals_and_five_do_not(void **state)
{
    /* six values: the median's interval is from the smallest to the largest; a ratio of medians lies between the extreme ratios */
    static const double x[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4},
                        time[] = {100, 101, 102, 103, 104, 105, 50, 51, 52, 53, 54, 55, 25, 25, 25, 25, 25};
    struct sp_scaling_point points[17];
    double scratch[51];
    (void)state;
    assert_int_equal(sp_scaling_points(x, time, 17, NAN, points, scratch), 3);
    assert_same(points[1].time_ns, 52.5);
    assert_same(points[1].low_ns, 50);
    assert_same(points[1].high_ns, 55);
    assert_same(points[1].speedup, 102.5 / 52.5);
    assert_true(points[1].sure.low >= 100.0 / 55 && points[1].sure.low < 102.5 / 52.5);
    assert_true(points[1].sure.high <= 105.0 / 50 && points[1].sure.high > 102.5 / 52.5);
    struct sp_scaled strong = sp_scaling_view(&points[1], SP_SCALING_STRONG);
    assert_same(strong.efficiency_sure.low, points[1].sure.low / 2);
    assert_int_equal(points[2].run_count, 5);
    assert_true(isnan(points[2].low_ns) && isnan(points[2].sure.low));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speedup_and_efficiency_follow_their_formulas),
        cmocka_unit_test(a_baseline_may_be_any_x),
        cmocka_unit_test(repeats_count_as_their_median),
        cmocka_unit_test(what_is_missing_is_undefined_and_never_a_number),
        cmocka_unit_test(one_x_gives_one_point),
        cmocka_unit_test(only_three_times_and_kinds_can_be_compared),
        cmocka_unit_test(weak_scaling_keeps_the_time_and_multiplies_the_work),
        cmocka_unit_test(six_repeats_give_intervals_and_five_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
