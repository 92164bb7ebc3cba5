/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_efficiency.h"
#include "sp_error.h"

#include <math.h>

static void assert_same(double a, double b)
{
    if (isnan(b))
        assert_true(isnan(a));
    else
        assert_float_equal(a, b, 1e-12);
}

static void factors_follow_their_formulas(void **state)
{
    /* T = 100, avg(U) = 60, max(U) = 80, T_ideal = 90 */
    static const struct {
        struct sp_efficiency_times times;
        bool additive;
        double parallel, balance, communication, serialisation, transfer;
    } rows[] = {
        {{4, 100, 60, 80, 90}, false, 0.6, 0.75, 0.8, 80.0 / 90, 0.9},
        {{4, 100, 60, 80, 90}, true, 0.6, 0.8, 0.8, 0.9, 0.9},
        {{4, 100, 60, 80, NAN}, false, 0.6, 0.75, 0.8, NAN, NAN},
        {{4, 100, 60, 80, NAN}, true, 0.6, 0.8, 0.8, NAN, NAN},
        {{4, 100, 0, 0, 0}, false, 0, NAN, 0, NAN, 0},
        {{4, NAN, NAN, NAN, NAN}, false, NAN, NAN, NAN, NAN, NAN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sp_efficiency efficiency = {.times = rows[i].times};
        sp_efficiency_factors(&efficiency, rows[i].additive);
        assert_same(efficiency.parallel, rows[i].parallel);
        assert_same(efficiency.load_balance, rows[i].balance);
        assert_same(efficiency.communication, rows[i].communication);
        assert_same(efficiency.serialisation, rows[i].serialisation);
        assert_same(efficiency.transfer, rows[i].transfer);
    }
}

static void factors_multiply_or_add_up_to_the_whole(void **state)
{
    struct sp_efficiency efficiency = {.times = {4, 100, 60, 80, 90}};
    (void)state;
    sp_efficiency_factors(&efficiency, false);
    assert_same(efficiency.load_balance * efficiency.serialisation * efficiency.transfer, efficiency.parallel);
    sp_efficiency_factors(&efficiency, true);
    assert_same(efficiency.load_balance + efficiency.serialisation + efficiency.transfer - 2, efficiency.parallel);
}

/* Runs on 1, 2 and 4 ranks, the first of them twice; mean useful times and PE by hand. */
static struct sp_file_info infos[] = {{.rank_count = 1}, {.rank_count = 1}, {.rank_count = 2}, {.rank_count = 4}};
static struct sp_run runs[] = {{.info = &infos[0]}, {.info = &infos[1]}, {.info = &infos[2]}, {.info = &infos[3]}};
static struct sp_profile items[] = {{.run = &runs[0]}, {.run = &runs[1]}, {.run = &runs[2]}, {.run = &runs[3]}};
static const struct sp_profiles profiles = {items, 4};

static void compare(bool weak, const double *computation)
{
    static const double means[] = {90, 110, 62.5, 50}, parallel[] = {1, 1, 0.8, 0.5};
    struct sp_efficiency list[4] = {0};
    struct sp_efficiencies all = {.items = list, .count = 4, .weak = weak};
    size_t in_series[] = {0, 1, 2, 3};
    struct sp_scaling scaling = {.x_field = "num_ranks", .baseline = 1, .runs = in_series, .run_count = 4};
    for (int i = 0; i < 4; i++) {
        list[i].times = (struct sp_efficiency_times){infos[i].rank_count, NAN, means[i], NAN, NAN};
        list[i].parallel = parallel[i];
    }
    assert_int_equal(sp_efficiencies_compare(&profiles, &scaling, &all, NULL), 0);
    for (int i = 0; i < 4; i++) {
        assert_same(list[i].computation_scaling, computation[i]);
        assert_same(list[i].global, parallel[i] * computation[i]);
    }
}

static void computation_scales_against_the_baseline(void **state)
{
    /* strong: sum(U) 90, 110 (median 100), 125, 200; weak: the means themselves */
    static const double strong[] = {100.0 / 90, 100.0 / 110, 0.8, 0.5}, weak[] = {100.0 / 90, 100.0 / 110, 1.6, 2};
    (void)state;
    compare(false, strong);
    compare(true, weak);
}

static void two_schemes_are_known(void **state)
{
    bool additive;
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(sp_efficiency_parse("multiplicative", &additive, &err), 0);
    assert_false(additive);
    assert_int_equal(sp_efficiency_parse("additive", &additive, &err), 0);
    assert_true(additive);
    assert_int_equal(sp_efficiency_parse("both", &additive, &err), -1);
    assert_int_equal(err.code, SP_EXIT_USAGE);
    assert_string_equal(err.text, "--pop both: must be multiplicative or additive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_follow_their_formulas),
        cmocka_unit_test(factors_multiply_or_add_up_to_the_whole),
        cmocka_unit_test(computation_scales_against_the_baseline),
        cmocka_unit_test(two_schemes_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
