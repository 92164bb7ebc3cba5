/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_timeline.h"

#include <string.h>

static struct sp_spill_clock clock_of(uint64_t ticks, int64_t ns)
{
    return (struct sp_spill_clock){.source = SP_CLOCK_TSC, .first = {1000, 50}, .last = {{1000 + ticks, 50 + ns}}};
}

static void durations_are_rounded_to_the_nearest_nanosecond(void **state)
{
    /* rate ns / ticks; ticks; by hand */
    static const struct {
        uint64_t rate_ticks;
        int64_t rate_ns;
        uint64_t ticks;
        int64_t ns;
    } cases[] = {
        {2, 1, 0, 0},
        {2, 1, 1, 1 /* 0.5 */},
        {2, 1, 3, 2 /* 1.5 */},
        {2, 1, 1000, 500},
        {3, 1, 1, 0 /* 0.33 */},
        {3, 1, 2, 1 /* 0.67 */},
        {3, 1, 4, 1},
        {3, 2, 2, 1 /* 1.33 */},
        {1, 1, 12345, 12345},
        {1, 40, 7, 280},
        {24, 1000, 1, 42 /* 41.67 */},
        {24, 1000, 24000000, 1000000000},
        {2999999999, 1000000000, 2999999999, 1000000000},
        {3000000000, 1000000001, 3, 1},
        /* 2^62 ticks of 3 a ns: 1537228672809129301.33 */
        {3, 1, (uint64_t)1 << 62, 1537228672809129301},
        {1, 1, UINT64_MAX, INT64_MAX /* the most there is */},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_rate rate;
        struct sp_spill_clock clock = clock_of(cases[i].rate_ticks, cases[i].rate_ns);
        assert_int_equal(sp_rate_init(&rate, &clock), 0);
        assert_int_equal(sp_rate_duration(&rate, cases[i].ticks), cases[i].ns);
    }
}

/* The fast way against plain 128-bit division. */
static void every_duration_is_what_128_bit_division_says(void **state)
{
    uint64_t x = 88172645463325252u;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        struct sp_rate rate;
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        uint64_t ticks = (x >> (x % 50)) + 1, rate_ticks = (x * 3 >> (1 + x % 40) >> 3) + 1, rate_ns = (x * 5 >> (1 + x % 37) >> 3) + 1;
        struct sp_spill_clock clock = {.first = {0, 0}, .last = {{rate_ticks, (int64_t)rate_ns}}};
        if (sp_rate_init(&rate, &clock) < 0)
            continue;
        sp_u128 ns = ((sp_u128)ticks * (rate_ns % rate_ticks) + rate_ticks / 2) / rate_ticks + (sp_u128)ticks * (rate_ns / rate_ticks);
        int64_t quick;
        assert_true(sp_rate_duration(&rate, ticks) == (ns > INT64_MAX ? INT64_MAX : (int64_t)ns));
        if (ticks <= rate.quick_limit && sp_rate_quick(&rate, ticks, &quick))
            assert_true(quick == (int64_t)ns);
    }
}

/* Ties and their neighbours, where rounding is decided, and readings before the first point. */
static void many_events_are_converted_as_one_by_one(void **state)
{
    static const struct {
        uint64_t rate_ticks;
        int64_t rate_ns, offset_last_ns;
    } cases[] = {{2, 1, 30}, {3, 1, 30}, {3000000000, 1000000000, 30}, {2999999999, 1000000000, 30}, {1, 40, 30}, {1, 1, 30},
        {24, 1000, 30}, {2999999999, 1000000000, 5000} /* drifts */, {1, (int64_t)1 << 40, 30} /* longer than is quick */};
    enum { EVENTS = 1000 };
    static struct sp_spill_event events[EVENTS];
    static int64_t starts[EVENTS], durations[EVENTS];
    (void)state;
    for (size_t c = 0; c < SP_COUNT(cases); c++) {
        struct sp_rate rate;
        struct sp_timeline timeline;
        struct sp_spill_clock clock = clock_of(cases[c].rate_ticks, cases[c].rate_ns);
        struct sp_spill_rank rank = {.mpi_init_end = 2000, .end = 9000, .offset_ns = 30, .offset_last_ns = cases[c].offset_last_ns};
        assert_int_equal(sp_rate_init(&rate, &clock), 0);
        sp_timeline_init(&timeline, &rate, &rank);
        for (uint32_t i = 0; i < EVENTS; i++)
            events[i] = (struct sp_spill_event){.start = 900 + i * 7, .duration = i % 10 == 9 ? UINT32_MAX - i % 3 : i * i};
        memset(durations, 1, sizeof durations);
        sp_timeline_events(&timeline, events, EVENTS, starts, durations);
        for (int i = 0; i < EVENTS; i++) {
            int64_t kept;
            memset(&kept, 1, sizeof kept);
            assert_true(starts[i] == sp_timeline_time(&timeline, events[i].start));
            assert_true(durations[i] ==
                (events[i].duration < SP_DURATION_LONG ? sp_timeline_duration(&timeline, events[i].start, events[i].duration) : kept));
        }
    }
}

static void a_clock_without_two_good_points_counts_a_tick_as_a_nanosecond(void **state)
{
    static const struct sp_spill_clock clocks[] = {
        {.source = SP_CLOCK_TSC, .first = {5, 7}, .last = {{5, 7}}},
        {.source = SP_CLOCK_TSC, .first = {5, 7}, .last = {{4, 9}}},
        {.source = SP_CLOCK_TSC, .first = {5, 7}, .last = {{9, 3}}},
        {.source = SP_CLOCK_TSC, .first = {5, INT64_MIN}, .last = {{9, INT64_MAX}}},
    };
    struct sp_rate rate;
    (void)state;
    for (size_t i = 0; i < SP_COUNT(clocks); i++) {
        assert_int_equal(sp_rate_init(&rate, &clocks[i]), -1);
        assert_int_equal(sp_rate_duration(&rate, 123), 123);
    }
    struct sp_spill_clock monotonic = {.source = SP_CLOCK_MONOTONIC, .first = {5, 5}, .last = {{5, 5}}};
    assert_int_equal(sp_rate_init(&rate, &monotonic), 0);
    assert_int_equal(sp_rate_time(&rate, 77), 77);
}

static void the_index_chooses_the_last_point(void **state)
{
    struct sp_spill_clock clock = {.source = SP_CLOCK_TSC, .last_index = 1, .first = {0, 0}, .last = {{1, 1}, {4, 2}}};
    struct sp_rate rate;
    (void)state;
    assert_int_equal(sp_rate_init(&rate, &clock), 0);
    assert_int_equal(sp_rate_duration(&rate, 10), 5);
}

static void readings_before_the_first_point_count_backwards(void **state)
{
    struct sp_spill_clock clock = clock_of(2, 1);
    struct sp_rate rate;
    (void)state;
    sp_rate_init(&rate, &clock);
    assert_int_equal(sp_rate_time(&rate, 1000), 50);
    assert_int_equal(sp_rate_time(&rate, 1100), 100);
    assert_int_equal(sp_rate_time(&rate, 900), 0);
    assert_int_equal(sp_rate_time(&rate, 0), -450);
}

static struct sp_timeline drifting(void)
{
    /* a tick a ns; offset 100 at 1000, 300 at 2000 */
    struct sp_spill_clock clock = {.source = SP_CLOCK_MONOTONIC, .first = {0, 0}, .last = {{1000, 1000}}};
    struct sp_spill_rank rank = {.mpi_init_end = 1000, .end = 2000, .offset_ns = 100, .offset_last_ns = 300};
    struct sp_rate rate;
    struct sp_timeline timeline;
    sp_rate_init(&rate, &clock);
    sp_timeline_init(&timeline, &rate, &rank);
    return timeline;
}

static void the_offset_is_interpolated_between_its_two_points_and_constant_beyond(void **state)
{
    static const int64_t cases[][2] = {{0, 100}, {1000, 100}, {1250, 150}, {1500, 200}, {1999, 300}, {2000, 300}, {9000, 300}};
    struct sp_timeline timeline = drifting();
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        assert_int_equal(sp_timeline_offset(&timeline, cases[i][0]), cases[i][1]);
        assert_int_equal(sp_timeline_time(&timeline, (uint64_t)cases[i][0]), cases[i][0] - cases[i][1]);
    }
    timeline.origin_ns = 10;
    assert_int_equal(sp_timeline_time(&timeline, 1500), 1290);
}

static void inner_calls_stay_inside_outer_ones_while_the_clock_drifts(void **state)
{
    struct sp_timeline timeline = drifting();
    (void)state;
    /* 1000..2000 on the host is 900..1700 on the global clock; its last quarter 1750..2000 is 1500..1700 */
    assert_int_equal(sp_timeline_duration(&timeline, 1000, 1000), 800);
    assert_int_equal(sp_timeline_time(&timeline, 1750), 1500);
    assert_int_equal(sp_timeline_duration(&timeline, 1750, 250), 200);
}

static void without_a_rank_record_or_an_end_the_first_offset_holds(void **state)
{
    struct sp_spill_clock clock = {.source = SP_CLOCK_MONOTONIC, .first = {0, 0}, .last = {{1000, 1000}}};
    struct sp_spill_rank killed = {.mpi_init_end = 1000, .end = 0, .offset_ns = 100, .offset_last_ns = 0};
    struct sp_rate rate;
    struct sp_timeline timeline;
    (void)state;
    sp_rate_init(&rate, &clock);
    sp_timeline_init(&timeline, &rate, &killed);
    assert_int_equal(sp_timeline_time(&timeline, 5000), 4900);
    sp_timeline_init(&timeline, &rate, NULL);
    assert_int_equal(sp_timeline_time(&timeline, 5000), 5000);
}

static struct sp_timeline three_ticks_a_ns(void)
{
    struct sp_spill_clock clock = {.source = SP_CLOCK_TSC, .first = {0, 0}, .last = {{3, 1}}};
    struct sp_rate rate;
    struct sp_timeline timeline;
    sp_rate_init(&rate, &clock);
    sp_timeline_init(&timeline, &rate, NULL);
    return timeline;
}

static void one_call_has_no_deviation_whatever_rounding_does(void **state)
{
    struct sp_timeline timeline = three_ticks_a_ns();
    (void)state;
    for (int64_t ticks = 1; ticks < 10000; ticks += 7) {
        struct sp_stats in = {0}, out;
        sp_stats_add(&in, 30, ticks, ticks);
        sp_timeline_stats(&timeline, &in, &out);
        assert_int_equal(out.total, (ticks + 1) / 3);
        assert_int_equal(out.squares_low, (uint64_t)(out.total * out.total));
        assert_true(sp_stats_std(&out) == 0.0);
    }
}

static void the_deviation_in_ns_is_that_of_the_ticks(void **state)
{
    /* 3 * (2, 4, 4, 4, 5, 5, 7, 9) ticks: total 40 ns, squares 232, deviation 2 */
    static const int64_t ns[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct sp_timeline timeline = three_ticks_a_ns();
    struct sp_stats in = {.bytes_sent = 5}, out;
    (void)state;
    for (size_t i = 0; i < SP_COUNT(ns); i++)
        sp_stats_add(&in, (int64_t)(300 * i), 3 * ns[i], 3);
    sp_timeline_stats(&timeline, &in, &out);
    assert_int_equal(out.calls, 8);
    assert_int_equal(out.total, 40);
    assert_int_equal(out.self, 8);
    assert_int_equal(out.min, 2);
    assert_int_equal(out.max, 9);
    assert_int_equal(out.first_start, 0);
    assert_int_equal(out.last_end, 709);
    assert_int_equal(out.squares_low, 232);
    assert_int_equal(out.bytes_sent, 5);
    assert_true(sp_stats_std(&out) == 2.0);
}

static void a_negative_self_time_stays_negative(void **state)
{
    struct sp_timeline timeline = three_ticks_a_ns();
    struct sp_stats in = {0}, out;
    (void)state;
    sp_stats_add(&in, 0, 0, -30);
    sp_timeline_stats(&timeline, &in, &out);
    assert_int_equal(out.self, -10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_are_rounded_to_the_nearest_nanosecond),
        cmocka_unit_test(every_duration_is_what_128_bit_division_says),
        cmocka_unit_test(many_events_are_converted_as_one_by_one),
        cmocka_unit_test(a_clock_without_two_good_points_counts_a_tick_as_a_nanosecond),
        cmocka_unit_test(the_index_chooses_the_last_point),
        cmocka_unit_test(readings_before_the_first_point_count_backwards),
        cmocka_unit_test(the_offset_is_interpolated_between_its_two_points_and_constant_beyond),
        cmocka_unit_test(inner_calls_stay_inside_outer_ones_while_the_clock_drifts),
        cmocka_unit_test(without_a_rank_record_or_an_end_the_first_offset_holds),
        cmocka_unit_test(one_call_has_no_deviation_whatever_rounding_does),
        cmocka_unit_test(the_deviation_in_ns_is_that_of_the_ticks),
        cmocka_unit_test(a_negative_self_time_stays_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
