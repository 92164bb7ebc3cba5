/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_stats.h"

#include <math.h>
#include <string.h>

/* d = 2, 4, 4, 4, 5, 5, 7, 9: sum 40, squares 232, mean 5, population deviation 2 (32 / 8 = 4). */
static void mean_and_deviation_of_eight_durations_are_five_and_two(void **state)
{
    static const int64_t durations[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct sp_stats stats = {0};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(durations); i++)
        sp_stats_add(&stats, (int64_t)(100 * i), durations[i], durations[i] - 1);
    assert_int_equal(stats.calls, 8);
    assert_int_equal(stats.total, 40);
    assert_int_equal(stats.self, 32);
    assert_int_equal(stats.min, 2);
    assert_int_equal(stats.max, 9);
    assert_int_equal(stats.first, 2);
    assert_int_equal(stats.last, 9);
    assert_int_equal(stats.first_start, 0);
    assert_int_equal(stats.last_end, 709);
    assert_int_equal(stats.squares_low, 232);
    assert_true(sp_stats_mean(&stats) == 5.0);
    assert_true(sp_stats_std(&stats) == 2.0);
}

static void without_calls_mean_and_deviation_are_not_numbers(void **state)
{
    struct sp_stats none = {0};
    (void)state;
    assert_true(isnan(sp_stats_mean(&none)));
    assert_true(isnan(sp_stats_std(&none)));
}

/* (2^40)^2 = 2^80: high 2^16. A million of them: 10^6 * 2^16. */
static void squares_beyond_64_bits_are_exact(void **state)
{
    uint64_t low = 0, high = 0;
    (void)state;
    for (int i = 0; i < 1000000; i++)
        sp_squares_add(&low, &high, (uint64_t)1 << 40);
    assert_int_equal(low, 0);
    assert_int_equal(high, 1000000ull << 16);
    low = UINT64_MAX;
    high = 7;
    sp_squares_add(&low, &high, 1);
    assert_int_equal(low, 0);
    assert_int_equal(high, 8);
}

/* Durations around 10^15 ns that differ by one: doubles would lose it. (a, a + 2): deviation 1. */
static void a_deviation_of_one_survives_durations_of_eleven_days(void **state)
{
    struct sp_stats stats = {0};
    (void)state;
    sp_stats_add(&stats, 0, 1000000000000000, 0);
    sp_stats_add(&stats, 2000000000000000, 1000000000000002, 0);
    assert_true(sp_stats_std(&stats) == 1.0);
    assert_true(sp_stats_spread(&stats) == 4.0L);
}

static void rounding_that_makes_the_variance_negative_gives_zero(void **state)
{
    /* three calls, total 10: 10 * 10 = 100 > 3 * 33 */
    struct sp_stats stats = {.calls = 3, .total = 10, .squares_low = 33};
    (void)state;
    assert_true(sp_stats_spread(&stats) == 0.0L);
    assert_true(sp_stats_std(&stats) == 0.0);
}

static struct sp_stats stats_of(const int64_t (*calls)[2], size_t count)
{
    struct sp_stats stats = {0};
    for (size_t i = 0; i < count; i++)
        sp_stats_add(&stats, calls[i][0], calls[i][1], calls[i][1] / 2);
    return stats;
}

static void the_order_of_adding_and_merging_does_not_show(void **state)
{
    /* start, duration; two start together (the longer was entered first), two end together */
    static const int64_t calls[][2] = {{10, 100}, {10, 30}, {200, 50}, {300, 90}, {380, 10}, {5, 1}};
    enum { N = SP_COUNT(calls) };
    struct sp_stats all = stats_of(calls, N);
    (void)state;
    for (size_t cut = 0; cut <= N; cut++) {
        struct sp_stats one = stats_of(calls, cut), other = stats_of(calls + cut, N - cut), there = one, back = other;
        sp_stats_merge(&there, &other);
        sp_stats_merge(&back, &one);
        assert_memory_equal(&there, &back, sizeof there);
        assert_memory_equal(&there, &all, sizeof there);
    }
    assert_int_equal(all.first, 1);
    assert_int_equal(all.last, 10);
    assert_int_equal(all.last_end, 390);
}

static void a_recursive_call_leaves_the_inner_one_as_last(void **state)
{
    struct sp_stats stats = {0};
    (void)state;
    /* closed inner first, as they end: the outer starts earlier, so it is the first and not the last */
    sp_stats_add(&stats, 20, 10, 10);
    sp_stats_add(&stats, 0, 100, 90);
    assert_int_equal(stats.first, 100);
    assert_int_equal(stats.last, 10);
    assert_int_equal(stats.last_end, 30);
}

static void merging_nothing_changes_nothing_but_bytes_add_up(void **state)
{
    static const int64_t calls[][2] = {{10, 100}};
    struct sp_stats stats = stats_of(calls, 1), before, none = {0};
    (void)state;
    stats.bytes_sent = 3;
    before = stats;
    sp_stats_merge(&stats, &none);
    assert_memory_equal(&stats, &before, sizeof stats);
    sp_stats_merge(&none, &stats);
    assert_memory_equal(&none, &stats, sizeof stats);
    sp_stats_merge(&stats, &before);
    assert_int_equal(stats.bytes_sent, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_and_deviation_of_eight_durations_are_five_and_two),
        cmocka_unit_test(without_calls_mean_and_deviation_are_not_numbers),
        cmocka_unit_test(squares_beyond_64_bits_are_exact),
        cmocka_unit_test(a_deviation_of_one_survives_durations_of_eleven_days),
        cmocka_unit_test(rounding_that_makes_the_variance_negative_gives_zero),
        cmocka_unit_test(the_order_of_adding_and_merging_does_not_show),
        cmocka_unit_test(a_recursive_call_leaves_the_inner_one_as_last),
        cmocka_unit_test(merging_nothing_changes_nothing_but_bytes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
