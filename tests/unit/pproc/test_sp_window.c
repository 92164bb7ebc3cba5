/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_window.h"

static void a_window_is_two_times_one_of_which_may_be_missing(void **state)
{
    static const struct {
        const char *text;
        int64_t begin_ns, end_ns;
    } rows[] = {
        {"1:2", 1000000000, 2000000000},
        {"0.25:0.5", 250000000, 500000000},
        {":0.5", INT64_MIN, 500000000},
        {"1e-3:", 1000000, INT64_MAX},
        {":", INT64_MIN, INT64_MAX},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        struct sp_window window;
        struct sp_options options = {.time = rows[i].text};
        assert_int_equal(sp_window_parse(&options, &window, NULL), 0);
        assert_true(window.timed && sp_window_is_part(&window));
        assert_true(window.begin_ns == rows[i].begin_ns && window.end_ns == rows[i].end_ns);
    }
}

static void what_is_no_window_is_refused(void **state)
{
    static const struct {
        struct sp_options options;
        const char *text;
    } rows[] = {
        {{.time = "1"}, "--time 1: must be FROM:TO, seconds, FROM below TO; one of them may be missing"},
        {{.time = "2:1"}, "--time 2:1: must be FROM:TO, seconds, FROM below TO; one of them may be missing"},
        {{.time = "1:1"}, "--time 1:1: must be FROM:TO, seconds, FROM below TO; one of them may be missing"},
        {{.time = "-1:1"}, "--time -1:1: must be FROM:TO, seconds, FROM below TO; one of them may be missing"},
        {{.time = "nan:1"}, "--time nan:1: must be FROM:TO, seconds, FROM below TO; one of them may be missing"},
        {{.time = "1:2:3"}, "--time 1:2:3: must be FROM:TO, seconds, FROM below TO; one of them may be missing"},
        {{.time = ""}, "--time : must be FROM:TO, seconds, FROM below TO; one of them may be missing"},
        {{.min_duration = "1ms"}, "--min-duration 1ms: must be seconds, 0 or more"},
        {{.min_duration = "-1"}, "--min-duration -1: must be seconds, 0 or more"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        struct sp_window window;
        struct sp_error err = {0};
        assert_int_equal(sp_window_parse(&rows[i].options, &window, &err), -1);
        assert_int_equal(err.code, SP_EXIT_USAGE);
        assert_string_equal(err.text, rows[i].text);
    }
}

static void a_call_counts_with_its_part_in_the_window(void **state)
{
    /* window [100, 200), the lane ends at 250; at 150 where lane_end says so */
    static const struct {
        int64_t start_ns, duration_ns, lane_end_ns;
        bool counts;
        int64_t clipped_start_ns, clipped_ns;
    } rows[] = {
        {120, 30, 250, true, 120, 30}, {50, 100, 250, true, 100, 50}, /* began before */
        {150, 100, 250, true, 150, 50},                               /* ends behind */
        {0, 1000, 1000, true, 100, 100},                              /* around it */
        {50, 50, 250, false, 0, 0},                                   /* ends where it begins */
        {200, 10, 250, false, 0, 0},                                  /* begins where it ends */
        {100, 0, 250, true, 100, 0},                                  /* no time at all, but inside */
        {99, 0, 250, false, 0, 0}, {150, -1, 250, true, 150, 50},     /* open, longer than the window */
        {150, -1, 199, false, 0, 0},                                  /* open, and how long is not known */
    };
    const struct sp_window window = {.timed = true, .begin_ns = 100, .end_ns = 200};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        int64_t start_ns = rows[i].start_ns, duration_ns = rows[i].duration_ns;
        assert_int_equal(sp_window_clip(&window, rows[i].lane_end_ns, &start_ns, &duration_ns), rows[i].counts);
        if (rows[i].counts)
            assert_true(start_ns == rows[i].clipped_start_ns && duration_ns == rows[i].clipped_ns);
    }
}

static void a_short_call_does_not_count_however_long_the_window(void **state)
{
    const struct sp_window window = {.begin_ns = INT64_MIN, .end_ns = INT64_MAX, .min_duration_ns = 50};
    (void)state;
    assert_true(sp_window_takes(&window, 1000, 10, 50));
    assert_false(sp_window_takes(&window, 1000, 10, 49));
}

static void a_window_moves_to_the_first_call(void **state)
{
    struct sp_window open = sp_window_shift((struct sp_window){true, INT64_MIN, INT64_MAX, 0}, 7);
    struct sp_window closed = sp_window_shift((struct sp_window){true, 1, 2, 0}, 7);
    (void)state;
    assert_true(open.begin_ns == INT64_MIN && open.end_ns == INT64_MAX);
    assert_true(closed.begin_ns == 8 && closed.end_ns == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_is_two_times_one_of_which_may_be_missing),
        cmocka_unit_test(what_is_no_window_is_refused),
        cmocka_unit_test(a_call_counts_with_its_part_in_the_window),
        cmocka_unit_test(a_short_call_does_not_count_however_long_the_window),
        cmocka_unit_test(a_window_moves_to_the_first_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
