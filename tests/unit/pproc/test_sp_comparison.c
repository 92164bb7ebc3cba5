/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_comparison.h"
#include "sp_error.h"

#include <math.h>
#include <string.h>

static void assert_same(double a, double b)
{
    if (isnan(b))
        assert_true(isnan(a));
    else
        assert_float_equal(a, b, 1e-9);
}

/* Nothing in a side: NaN. */
static struct sp_comparison_row row_of(double a, double b)
{
    struct sp_comparison_row row = {0};
    row.a_runs = isnan(a) ? 0U : 1U;
    row.b_runs = isnan(b) ? 0U : 1U;
    row.a = (struct sp_sample){row.a_runs, a, NAN, NAN};
    row.b = (struct sp_sample){row.b_runs, b, NAN, NAN};
    return row;
}

static void changes_follow_their_formulas(void **state)
{
    static const struct {
        double a, b, delta, percent;
        bool changed, shown, violated;
    } rows[] = {
        /* threshold 5 %, budget 10 %; one that is exactly on the budget keeps it */
        {100, 110, 10, 10, true, true, false},
        {100, 111, 11, 11, true, true, true},
        {100, 104, 4, 4, true, false, false},
        {100, 100, 0, 0, false, false, false},
        {200, 150, -50, -25, true, true, false},
        {100, NAN, -100, -100, true, true, false},
        {NAN, 100, 100, NAN, true, true, false},
        {0, 100, 100, NAN, true, true, false},
        {0, 0, 0, NAN, false, true, false},
    };
    const struct sp_comparison_choice choice = {.threshold = 5, .budget = 10};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sp_comparison_row row = row_of(rows[i].a, rows[i].b);
        sp_comparison_judge(&row, &choice);
        assert_same(row.delta, rows[i].delta);
        assert_same(row.percent, rows[i].percent);
        assert_int_equal(row.changed, rows[i].changed);
        assert_int_equal(row.shown, rows[i].shown);
        assert_int_equal(row.violated, rows[i].violated);
    }
}

static void what_is_new_violates_only_if_asked_to(void **state)
{
    struct sp_comparison_choice choice = {.budget = 1000, .fail_on_new = true};
    struct sp_comparison_row fresh = row_of(NAN, 1), from_nothing = row_of(0, 1), gone = row_of(1, NAN);
    (void)state;
    sp_comparison_judge(&fresh, &choice);
    sp_comparison_judge(&from_nothing, &choice);
    sp_comparison_judge(&gone, &choice);
    assert_true(fresh.violated);
    assert_false(from_nothing.violated);
    assert_false(gone.violated);
}

static void intervals_that_overlap_keep_the_budget(void **state)
{
    static const struct {
        double a_low, a_high, b_low, b_high;
        bool violated;
    } rows[] = {{90, 115, 110, 140, false}, {90, 110, 110, 140, false}, {90, 109, 110, 140, true}, {NAN, NAN, 110, 140, true},
        {NAN, NAN, 99, 140, false}, {90, 121, NAN, NAN, false}, {90, 119, NAN, NAN, true}};
    const struct sp_comparison_choice choice = {.budget = 10};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sp_comparison_row row = row_of(100, 120);
        row.a.low = rows[i].a_low;
        row.a.high = rows[i].a_high;
        row.b.low = rows[i].b_low;
        row.b.high = rows[i].b_high;
        sp_comparison_judge(&row, &choice);
        assert_int_equal(row.violated, rows[i].violated);
    }
}

/* Two runs: of 2 ranks with solve and io, of 4 ranks with solve, io and MPI_Send. */
static struct sp_region regions[] = {{(char *)"solve", NULL, SP_REGION_USER, true}, {(char *)"io", NULL, SP_REGION_USER, true},
    {(char *)"MPI_Send", NULL, SP_REGION_MPI, true}, {(char *)"MPI_Finalize", NULL, SP_REGION_MPI, true}};

static struct sp_region_summary summary(int32_t region, uint64_t calls, int64_t total, int64_t slowest)
{
    struct sp_stats stats = {.calls = calls, .total = total, .self = total, .min = 1, .max = 9};
    return (struct sp_region_summary){.region = region, .stats = stats, .slowest_ns = slowest, .busiest_ns = slowest, .imbalance = NAN};
}

static struct sp_region_summary of_2[] = {{0}, {0}, {0}}, of_4[] = {{0}, {0}, {0}};
static struct sp_run run_2 = {.regions = regions, .rank_count = 2, .time_ns = 1000};
static struct sp_run run_4 = {.regions = regions, .rank_count = 4, .time_ns = 800};
static struct sp_profile profile_2 = {.run = &run_2, .regions = of_2, .region_count = 3};
static struct sp_profile profile_4 = {.run = &run_4, .regions = of_4, .region_count = 3};
static const struct sp_profiles a = {&profile_2, 1}, b = {&profile_4, 1};

static void make_profiles(void)
{
    of_2[0] = summary(0, 4, 1200, 800); /* a rank: 600 */
    of_2[1] = summary(1, 2, 200, 150);  /* 100 */
    of_2[2] = summary(3, 2, 2, 1);
    of_4[0] = summary(0, 8, 1600, 900); /* 400 */
    of_4[1] = summary(1, 4, 480, 150);  /* 120 */
    of_4[2] = summary(2, 4, 40, 10);    /* 10 */
}

struct expected {
    const char *name;
    double a, b, delta, percent;
};

static void compare(const struct sp_comparison_choice *choice, const struct expected *expected, size_t count)
{
    struct sp_comparison comparison;
    assert_int_equal(sp_comparison_make(&a, &b, choice, &comparison, NULL), 0);
    assert_int_equal(comparison.row_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(comparison.rows[i].name, expected[i].name);
        assert_same(comparison.rows[i].a.median, expected[i].a);
        assert_same(comparison.rows[i].b.median, expected[i].b);
        assert_same(comparison.rows[i].delta, expected[i].delta);
        assert_same(comparison.rows[i].percent, expected[i].percent);
    }
    assert_same(comparison.run.delta, -200);
    assert_same(comparison.run.percent, -20);
    assert_true(comparison.ranks_differ);
    sp_comparison_free(&comparison);
}

static void runs_of_different_ranks_compare_per_rank(void **state)
{
    static const struct expected expected[] = {
        {"solve", 600, 400, -200, -100.0 / 3}, {"io", 100, 120, 20, 20}, {"MPI_Send", NAN, 10, 10, NAN}};
    const struct sp_comparison_choice choice = {.metric = SP_METRIC_TOTAL};
    (void)state;
    make_profiles();
    compare(&choice, expected, 3);
}

static void sums_and_the_slowest_rank_are_there_for_the_asking(void **state)
{
    static const struct expected sums[] = {
        {"solve", 1200, 1600, 400, 100.0 / 3}, {"io", 200, 480, 280, 140}, {"MPI_Send", NAN, 40, 40, NAN}};
    static const struct expected slowest[] = {{"solve", 800, 900, 100, 12.5}, {"MPI_Send", NAN, 10, 10, NAN}, {"io", 150, 150, 0, 0}};
    struct sp_comparison_choice choice = {.metric = SP_METRIC_TOTAL, .across = SP_ACROSS_SUM};
    (void)state;
    make_profiles();
    compare(&choice, sums, 3);
    choice.across = SP_ACROSS_SLOWEST;
    compare(&choice, slowest, 3);
}

static void rows_are_ordered_as_asked(void **state)
{
    /* calls a rank, where MPI_Finalize counts too; largest percent first, undefined ones last, ties by name */
    static const struct expected by_percent[] = {
        {"MPI_Finalize", 1, NAN, -1, -100}, {"io", 1, 1, 0, 0}, {"solve", 2, 2, 0, 0}, {"MPI_Send", NAN, 1, 1, NAN}};
    static const struct expected by_name[] = {
        {"MPI_Finalize", 1, NAN, -1, -100}, {"MPI_Send", NAN, 1, 1, NAN}, {"io", 1, 1, 0, 0}, {"solve", 2, 2, 0, 0}};
    struct sp_comparison_choice choice = {.metric = SP_METRIC_CALLS, .order = SP_BY_PERCENT};
    (void)state;
    make_profiles();
    compare(&choice, by_percent, 4);
    choice.order = SP_BY_NAME;
    compare(&choice, by_name, 4);
}

static void what_is_undefined_on_both_sides_did_not_change(void **state)
{
    const struct sp_comparison_choice choice = {.metric = SP_METRIC_IMBALANCE};
    struct sp_profile same = profile_2;
    struct sp_profiles both = {&same, 1};
    struct sp_comparison comparison;
    (void)state;
    make_profiles();
    assert_int_equal(sp_comparison_make(&both, &both, &choice, &comparison, NULL), 0);
    assert_int_equal(comparison.row_count, 2); /* MPI_Finalize has no times */
    assert_false(comparison.changed);
    assert_same(comparison.rows[0].delta, NAN);
    sp_comparison_free(&comparison);
}

static void names_of_the_command_line_are_checked(void **state)
{
    static const struct {
        const char *metric, *by, *of, *sort, *text;
    } rows[] = {{"total", "region", NULL, "delta", NULL}, {"self", "path", "max", "pct", NULL}, {"calls", "region", "total", "name", NULL},
        {"p50", "region", NULL, "delta", "--metric p50: must be total, self, avg, min, max, calls or imbalance"},
        {"avg", "rank", NULL, "delta", "--by rank: must be region or path"},
        {"total", "region", "median", "delta", "--of median: must be mean, max or total"},
        {"total", "region", NULL, "size", "--sort size: must be delta, pct or name"},
        {"avg", "region", "total", "delta", "--of total: avg is the same whatever is summed over"},
        {"calls", "region", "max", "delta", "--of max: needs --metric total or self"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sp_error err = {0};
        struct sp_comparison_choice choice;
        int status = sp_comparison_parse(&choice, rows[i].metric, rows[i].by, rows[i].of, rows[i].sort, &err);
        assert_int_equal(status, rows[i].text ? -1 : 0);
        assert_string_equal(err.text, rows[i].text ? rows[i].text : "");
        assert_int_equal(err.code, rows[i].text ? SP_EXIT_USAGE : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_follow_their_formulas),
        cmocka_unit_test(what_is_new_violates_only_if_asked_to),
        cmocka_unit_test(intervals_that_overlap_keep_the_budget),
        cmocka_unit_test(runs_of_different_ranks_compare_per_rank),
        cmocka_unit_test(sums_and_the_slowest_rank_are_there_for_the_asking),
        cmocka_unit_test(rows_are_ordered_as_asked),
        cmocka_unit_test(what_is_undefined_on_both_sides_did_not_change),
        cmocka_unit_test(names_of_the_command_line_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
