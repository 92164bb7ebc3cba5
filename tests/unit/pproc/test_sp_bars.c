/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_bars.h"
#include "sp_error.h"

#include <stdlib.h>
#include <string.h>

static void assert_bars(const struct sp_bar *bars, size_t count, const struct sp_bar *expected, size_t expected_count)
{
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(bars[i].slot, expected[i].slot);
        assert_int_equal(bars[i].rank, expected[i].rank);
        assert_int_equal(bars[i].start_ns, expected[i].start_ns);
        assert_int_equal(bars[i].end_ns, expected[i].end_ns);
        assert_int_equal(bars[i].calls, expected[i].calls);
    }
}

static void without_merging_bars_are_only_ordered(void **state)
{
    struct sp_bar bars[] = {{1, 0, 5, 9, 1}, {0, 1, 0, 4, 1}, {0, 0, 3, 4, 1}, {0, 0, 0, 3, 1}};
    static const struct sp_bar expected[] = {{0, 0, 0, 3, 1}, {0, 0, 3, 4, 1}, {0, 1, 0, 4, 1}, {1, 0, 5, 9, 1}};
    (void)state;
    assert_bars(bars, sp_bars_merge(bars, 4, -1, -1), expected, 4);
}

static void bars_of_a_row_closer_than_a_pixel_become_one(void **state)
{
    struct sp_bar bars[] = {{0, 0, 0, 10, 1}, {0, 0, 13, 20, 1}, {0, 0, 24, 25, 1}, {0, 1, 25, 26, 1}};
    static const struct sp_bar expected[] = {{0, 0, 0, 20, 2}, {0, 0, 24, 25, 1}, {0, 1, 25, 26, 1}};
    (void)state;
    assert_bars(bars, sp_bars_merge(bars, 4, 3, -1), expected, 3);
}

static void a_long_bar_swallows_what_it_covers(void **state)
{
    struct sp_bar bars[] = {{0, 0, 0, 100, 1}, {0, 0, 10, 20, 1}, {0, 0, 99, 120, 1}};
    static const struct sp_bar expected[] = {{0, 0, 0, 120, 3}};
    (void)state;
    assert_bars(bars, sp_bars_merge(bars, 3, 0, -1), expected, 1);
}

static void the_others_are_united_even_when_calls_are_exact(void **state)
{
    struct sp_bar bars[] = {{0, 0, 0, 5, 1}, {0, 0, 2, 3, 1}, {1, 0, 0, 5, 1}, {1, 0, 2, 3, 1}, {1, 0, 5, 6, 1}, {1, 0, 8, 9, 1}};
    static const struct sp_bar expected[] = {{0, 0, 0, 5, 1}, {0, 0, 2, 3, 1}, {1, 0, 0, 6, 3}, {1, 0, 8, 9, 1}};
    (void)state;
    assert_bars(bars, sp_bars_merge(bars, 6, -1, 1), expected, 4);
}

/* Whoever merges a part first, the whole is the same: here every way to cut 12 bars in two. */
static void merging_parts_first_changes_nothing(void **state)
{
    struct sp_bar all[12], whole[12], parts[12];
    (void)state;
    for (int i = 0; i < 12; i++)
        all[i] = (struct sp_bar){0, 0, 10 * i + i * i % 7, 10 * i + i * i % 7 + 3 + 5 * (i % 3), 1};
    memcpy(whole, all, sizeof all);
    size_t count = sp_bars_merge(whole, 12, 2, -1);
    for (size_t cut = 0; cut <= 12; cut++) {
        memcpy(parts, all, sizeof all);
        size_t first = sp_bars_merge(parts, cut, 2, -1), second = sp_bars_merge(parts + cut, 12 - cut, 2, -1);
        memmove(parts + first, parts + cut, second * sizeof *parts);
        assert_bars(parts, sp_bars_merge(parts, first + second, 2, -1), whole, count);
    }
}

/* A run of `regions` regions called once by each of `ranks` ranks, the k-th for k + 1 ns. */
static void plan(int32_t region_count, int32_t rank_count, size_t top_n, size_t row_limit, struct sp_bars *bars)
{
    struct sp_file_info info = {.rank_count = rank_count, .region_count = region_count};
    struct sp_run run = {.info = &info, .rank_count = rank_count};
    struct sp_profile profile = {.run = &run, .region_count = (size_t)region_count};
    run.ranks = calloc((size_t)rank_count, sizeof *run.ranks);
    run.regions = calloc((size_t)region_count, sizeof *run.regions);
    profile.regions = calloc((size_t)region_count, sizeof *profile.regions);
    char names[100][16];
    for (int32_t i = 0; i < rank_count; i++)
        run.ranks[i] = true;
    for (int32_t i = 0; i < region_count; i++) {
        snprintf(names[i], sizeof names[i], "r%d", (int)i);
        run.regions[i].name = names[i];
        profile.regions[i].region = i;
        sp_stats_add(&profile.regions[i].stats, i, i + 1, i + 1);
    }
    assert_int_equal(sp_bars_plan(&profile, top_n, row_limit, bars, NULL), 0);
    free(run.ranks);
    free(run.regions);
    free(profile.regions);
}

static void small_regions_share_a_row(void **state)
{
    struct sp_bars bars;
    (void)state;
    plan(5, 2, 3, 100, &bars);
    assert_int_equal(bars.slot_count, 4);
    assert_int_equal(bars.slots[0], 2); /* the three longest, in order of first start */
    assert_int_equal(bars.slots[2], 4);
    assert_int_equal(bars.slots[3], SP_BARS_OTHERS);
    assert_int_equal(bars.other_count, 2);
    assert_int_equal(bars.rank_count, 2);
    sp_bars_free(&bars);
}

static void a_single_region_left_over_has_its_own_row(void **state)
{
    struct sp_bars bars;
    (void)state;
    plan(4, 1, 3, 100, &bars);
    assert_int_equal(bars.slot_count, 4);
    assert_int_equal(bars.other_count, 0);
    sp_bars_free(&bars);
}

static void too_many_ranks_are_thinned_evenly_with_the_first_and_the_last(void **state)
{
    struct sp_bars bars;
    (void)state;
    plan(1, 1000, 3, 10, &bars);
    assert_int_equal(bars.rank_count, 10);
    for (int32_t i = 0; i < 10; i++)
        assert_int_equal(bars.ranks[i], 111 * i);
    sp_bars_free(&bars);
}

/* Of four lanes on three ranks: the second was not cut, the last is not drawn. */
static void a_cut_trace_ends_with_the_last_event_of_each_lane(void **state)
{
    static const struct sp_lane lanes[] = {{.rank = 0, .start_ns = 7, .events_dropped = 5}, {.rank = 0},
        {.rank = 1, .start_ns = 9, .events_dropped = 1}, {.rank = 2, .events_dropped = 9}};
    static const int64_t ends[] = {400, 10, 300, 20}, none[] = {400, 10, -1, 20}, uncut[] = {1};
    int32_t ranks[] = {0, 1};
    struct sp_bars bars = {.ranks = ranks, .rank_count = 2};
    (void)state;
    sp_bars_find_cut(lanes, ends, 4, &bars);
    assert_true(bars.cut);
    assert_int_equal(bars.cut_first_ns, 300);
    assert_int_equal(bars.cut_last_ns, 400);
    bars.cut = false;
    sp_bars_find_cut(lanes, none, 4, &bars); /* a lane of which nothing is kept ends where it starts */
    assert_int_equal(bars.cut_first_ns, 9);
    bars.cut = false;
    sp_bars_find_cut(&lanes[1], uncut, 1, &bars);
    assert_false(bars.cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_merging_bars_are_only_ordered),
        cmocka_unit_test(bars_of_a_row_closer_than_a_pixel_become_one),
        cmocka_unit_test(a_long_bar_swallows_what_it_covers),
        cmocka_unit_test(the_others_are_united_even_when_calls_are_exact),
        cmocka_unit_test(merging_parts_first_changes_nothing),
        cmocka_unit_test(small_regions_share_a_row),
        cmocka_unit_test(a_single_region_left_over_has_its_own_row),
        cmocka_unit_test(too_many_ranks_are_thinned_evenly_with_the_first_and_the_last),
        cmocka_unit_test(a_cut_trace_ends_with_the_last_event_of_each_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
