/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_series.h"

#define MOST 8

struct row {
    double x;
    struct sp_layout layout; /* ranks, threads, nodes */
    size_t series;
};

static void check(const struct row *rows, size_t count, size_t series_count, unsigned by)
{
    double x[MOST];
    struct sp_layout layouts[MOST];
    size_t series[MOST];
    unsigned found;
    for (size_t i = 0; i < count; i++) {
        x[i] = rows[i].x;
        layouts[i] = rows[i].layout;
    }
    assert_int_equal(sp_series_split(x, layouts, count, series, &found), series_count);
    assert_int_equal(found, by);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(series[i], rows[i].series);
}

static void one_layout_at_each_x_is_one_series(void **state)
{
    static const struct row rows[] = {{1, {1, 1, 1}, 0}, {2, {2, 1, 1}, 0}, {4, {4, 1, 2}, 0}, {4, {4, 1, 2}, 0}};
    (void)state;
    check(rows, 4, 1, 0);
}

static void ranks_with_and_without_threads_are_two(void **state)
{
    static const struct row over_ranks[] = {{1, {1, 1, 1}, 0}, {1, {1, 4, 1}, 1}, {2, {2, 1, 1}, 0}, {2, {2, 4, 1}, 1}};
    /* 8 cores as 8 x 1 and 2 x 4, 16 as 16 x 1 and 4 x 4 */
    static const struct row over_cores[] = {{8, {8, 1, 1}, 0}, {8, {2, 4, 1}, 1}, {16, {16, 1, 1}, 0}, {16, {4, 4, 1}, 1}};
    (void)state;
    check(over_ranks, 4, 2, SP_SERIES_THREADS);
    check(over_cores, 4, 2, SP_SERIES_THREADS);
}

static void packed_and_spread_ranks_are_two(void **state)
{
    static const struct row over_ranks[] = {{4, {4, 1, 1}, 0}, {4, {4, 1, 4}, 1}, {8, {8, 1, 2}, 0}, {8, {8, 1, 8}, 1}};
    static const struct row over_nodes[] = {{1, {4, 1, 1}, 0}, {1, {8, 1, 1}, 1}, {2, {8, 1, 2}, 0}, {2, {16, 1, 2}, 1}};
    (void)state;
    check(over_ranks, 4, 2, SP_SERIES_DENSITY);
    check(over_nodes, 4, 2, SP_SERIES_DENSITY);
}

static void sizes_of_a_problem_on_two_numbers_of_ranks_are_two(void **state)
{
    static const struct row rows[] = {{100, {2, 1, 1}, 0}, {100, {4, 1, 1}, 1}, {200, {2, 1, 1}, 0}, {200, {4, 1, 1}, 1}};
    (void)state;
    check(rows, 4, 2, SP_SERIES_RANKS);
}

static void threads_and_density_may_both_differ(void **state)
{
    static const struct row rows[] = {{4, {4, 1, 1}, 0}, {4, {4, 1, 2}, 1}, {4, {4, 2, 1}, 2}, {4, {4, 2, 2}, 3}};
    (void)state;
    check(rows, 4, 4, SP_SERIES_THREADS | SP_SERIES_DENSITY);
}

static void a_name_says_what_was_split_by(void **state)
{
    static const struct sp_layout layout = {8, 1, 2};
    char text[80];
    (void)state;
    assert_string_equal(sp_series_name(text, sizeof text, &layout, 0), "");
    assert_string_equal(
        sp_series_name(text, sizeof text, &layout, SP_SERIES_THREADS | SP_SERIES_DENSITY), "1 thread a rank, 4 ranks a node");
    assert_string_equal(sp_series_name(text, sizeof text, &layout, SP_SERIES_RANKS), "8 ranks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_layout_at_each_x_is_one_series),
        cmocka_unit_test(ranks_with_and_without_threads_are_two),
        cmocka_unit_test(packed_and_spread_ranks_are_two),
        cmocka_unit_test(sizes_of_a_problem_on_two_numbers_of_ranks_are_two),
        cmocka_unit_test(threads_and_density_may_both_differ),
        cmocka_unit_test(a_name_says_what_was_split_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
