/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_sample.h"

#include <math.h>

static void assert_same(double a, double b)
{
    if (isnan(b))
        assert_true(isnan(a));
    else
        assert_float_equal(a, b, 1e-12);
}

static void the_middle_value_and_its_interval(void **state)
{
    /* intervals of the median as in tables of the sign test at 5 %: 6 to 8 values the outermost, 9 to 11 the second, 12 the third;
     * 20 the sixth, 30 the tenth */
    static const struct {
        size_t count;
        double median, low, high;
    } rows[] = {{1, 1, NAN, NAN}, {2, 1.5, NAN, NAN}, {5, 3, NAN, NAN}, {6, 3.5, 1, 6}, {8, 4.5, 1, 8}, {9, 5, 2, 8}, {11, 6, 2, 10},
        {12, 6.5, 3, 10}, {20, 10.5, 6, 15}, {30, 15.5, 10, 21}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double values[30];
        for (size_t k = 0; k < rows[i].count; k++)
            values[k] = (double)(rows[i].count - k);
        struct sp_sample sample = sp_sample_of(values, rows[i].count);
        assert_int_equal(sample.count, rows[i].count);
        assert_same(sample.median, rows[i].median);
        assert_same(sample.low, rows[i].low);
        assert_same(sample.high, rows[i].high);
    }
}

static void what_is_no_number_is_left_out(void **state)
{
    double values[] = {NAN, 3, NAN, 1}, none[] = {NAN};
    (void)state;
    struct sp_sample sample = sp_sample_of(values, 4);
    assert_int_equal(sample.count, 2);
    assert_same(sample.median, 2);
    sample = sp_sample_of(none, 1);
    assert_int_equal(sample.count, 0);
    assert_same(sample.median, NAN);
}

static void many_repeats_have_a_narrow_interval(void **state)
{
    /* 5000 values: about 2500 +- 1.96 sqrt(5000)/2 = 2500 +- 69.3 */
    static double values[5000];
    (void)state;
    for (int i = 0; i < 5000; i++)
        values[i] = i + 1;
    struct sp_sample sample = sp_sample_of(values, 5000);
    assert_float_equal(sample.median, 2500.5, 1e-9);
    assert_float_equal(sample.low, 2431, 2);
    assert_float_equal(sample.high, 2570, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_middle_value_and_its_interval),
        cmocka_unit_test(what_is_no_number_is_left_out),
        cmocka_unit_test(many_repeats_have_a_narrow_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
