/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_imbalance.h"

#include <math.h>

static void assert_near(double value, double wanted)
{
    if (isnan(wanted))
        assert_true(isnan(value));
    else
        assert_true(fabs(value - wanted) < 1e-9);
}

/* Own times of four ranks on two nodes, T = 400. */
static const struct {
    double values[4];
    int32_t nodes[4];
    double balance, excess, shorter, percent, within, between, p25, median, p75;
    int32_t slowest;
} cases[] = {
    /* mean 100, max 160: 60 / 160 * 4 / 3; node means 70, 130 */
    {{60, 80, 160, 100}, {0, 0, 1, 1}, 0.625, 60, 15, 50, 0.8125, 100.0 / 130, 75, 90, 115, 2},
    {{50, 50, 50, 50}, {0, 0, 1, 1}, 1, 0, 0, 0, 1, 1, 50, 50, 50, 0},
    /* one does everything: 100 % whatever P; alone on its node */
    {{0, 0, 0, 80}, {0, 0, 0, 1}, 0.25, 60, 15, 100, 1, 0.25, 0, 0, 20, 3},
    /* ranks are dealt out to nodes in turn: means 55 and 65 */
    {{30, 50, 80, 80}, {7, 3, 7, 3}, 0.75, 20, 5, 100.0 / 3, 65.0 / 80, 60.0 / 65, 45, 65, 80, 2},
    {{0, 0, 0, 0}, {0, 0, 1, 1}, NAN, 0, 0, NAN, NAN, NAN, 0, 0, 0, 0},
};

static void balance_is_that_worked_out_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double values[4];
        for (int k = 0; k < 4; k++)
            values[k] = cases[i].values[k];
        struct sp_imbalance found = sp_imbalance_of(values, cases[i].nodes, 4, 400);
        assert_near(found.load_balance, cases[i].balance);
        assert_near(found.excess_ns, cases[i].excess);
        assert_near(found.shorter_percent, cases[i].shorter);
        assert_near(found.percent, cases[i].percent);
        assert_near(found.within, cases[i].within);
        assert_near(found.between, cases[i].between);
        assert_near(found.within * found.between, cases[i].balance);
        assert_near(found.p25_ns, cases[i].p25);
        assert_near(found.median_ns, cases[i].median);
        assert_near(found.p75_ns, cases[i].p75);
        assert_int_equal(found.slowest_rank, cases[i].slowest);
    }
}

static void what_is_not_known_is_not_made_up(void **state)
{
    double one[] = {10}, two[] = {10, 20};
    (void)state;
    assert_near(sp_imbalance_of(one, NULL, 1, 100).percent, NAN);
    assert_near(sp_imbalance_of(one, NULL, 1, 100).load_balance, 1);
    struct sp_imbalance found = sp_imbalance_of(two, NULL, 2, -1);
    assert_near(found.within, NAN);
    assert_near(found.shorter_percent, NAN);
    assert_near(found.phase_percent, NAN);
    assert_near(found.percent, 50);
}

static void imbalance_that_alternates_shows_call_by_call(void **state)
{
    /* two ranks, 10 and 30, then 30 and 10: sums are even, each call is not */
    const struct sp_phase even[] = {{30, 40}, {30, 40}}, mixed[] = {{20, 40}, {30, 40}}, nothing[] = {{0, 0}};
    (void)state;
    assert_near(sp_phase_percent(even, 2, 2), 50);
    assert_near(sp_phase_percent(mixed, 2, 2), 25);
    assert_near(sp_phase_percent(nothing, 1, 2), NAN);
    assert_near(sp_phase_percent(NULL, 0, 2), NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance_is_that_worked_out_by_hand),
        cmocka_unit_test(what_is_not_known_is_not_made_up),
        cmocka_unit_test(imbalance_that_alternates_shows_call_by_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
