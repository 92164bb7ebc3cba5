/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_bootstrap.h"

#include <math.h>

static void equal_values_leave_no_doubt(void **state)
{
    static const double a[] = {6, 6, 6, 6, 6, 6}, b[] = {2, 2, 2, 2, 2, 2};
    (void)state;
    struct sp_interval sure = sp_bootstrap_ratio(a, 6, b, 6);
    assert_float_equal(sure.low, 3, 0);
    assert_float_equal(sure.high, 3, 0);
}

static void too_few_values_and_a_zero_give_none(void **state)
{
    static const double a[] = {6, 6, 6, 6, 6, 6}, zeros[6] = {0};
    (void)state;
    assert_true(isnan(sp_bootstrap_ratio(a, 5, a, 6).low));
    assert_true(isnan(sp_bootstrap_ratio(a, 6, a, 5).high));
    assert_true(isnan(sp_bootstrap_ratio(a, 6, zeros, 6).low));
}

static void the_same_values_give_the_same_interval(void **state)
{
    static const double a[] = {9, 8, 11, 10, 12, 7, 10}, b[] = {5, 4, 6, 5, 5, 7};
    (void)state;
    struct sp_interval first = sp_bootstrap_ratio(a, 7, b, 6), again = sp_bootstrap_ratio(a, 7, b, 6);
    assert_float_equal(first.low, again.low, 0);
    assert_float_equal(first.high, again.high, 0);
    assert_true(first.low < 2 && first.high > 2);
}

/* Values 100 +- 1 and 50 +- 0.5 (uniform, 41 of each): the deviation of a median of n uniform values of width w is w/(2 sqrt(n + 2)):
 * 0.152 and 0.076, of the ratio 2 sqrt(2) 0.00152 = 0.0043; the interval is about 2 +- 1.96 of that, never half or twice as wide. */
static void the_width_is_that_of_the_theory(void **state)
{
    double a[41], b[41];
    (void)state;
    for (int i = 0; i < 41; i++) {
        a[i] = 99 + i / 20.0;
        b[i] = 49.5 + i / 40.0;
    }
    struct sp_interval sure = sp_bootstrap_ratio(a, 41, b, 41);
    assert_true(sure.high - sure.low > 0.0169 / 2 && sure.high - sure.low < 0.0169 * 2);
    assert_true(sure.low < 2 && sure.high > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_values_leave_no_doubt),
        cmocka_unit_test(too_few_values_and_a_zero_give_none),
        cmocka_unit_test(the_same_values_give_the_same_interval),
        cmocka_unit_test(the_width_is_that_of_the_theory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
