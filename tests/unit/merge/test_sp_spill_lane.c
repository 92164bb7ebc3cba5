/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_spill_keyed.h"
#include "spill_fixture.h"

#include <stdlib.h>
#include <string.h>

struct opened {
    struct spill_image *image;
    struct sp_spill *spill;
    struct sp_spill_lane *lane;
};

static struct opened open_image(struct spill_image *image)
{
    struct opened o = {.image = image};
    struct sp_error err;
    size_t bytes;
    void *start = spill_image_bytes(image, &bytes);
    assert_int_equal(sp_spill_open_image(start, bytes, "lane", &o.spill, &err), 0);
    assert_int_equal(sp_spill_lane_open(o.spill, &o.lane, &err), 0);
    return o;
}

static void close_image(struct opened *o)
{
    sp_spill_lane_close(o->lane);
    sp_spill_close(o->spill);
    spill_image_free(o->image);
}

/* count calls of 10 ticks every 100, of region 0; a turn-over after so many (0: none). */
static struct spill_image *calls(int count, int turn_over_after)
{
    struct spill_image *image = spill_image_lane("run", 0, 1, 0);
    for (int i = 0; i < count; i++) {
        spill_image_begin(image, 0, (uint64_t)(2000 + 100 * i));
        spill_image_end(image, (uint64_t)(2010 + 100 * i));
        if (i + 1 == turn_over_after)
            spill_image_turn_over(image);
    }
    return image;
}

/* Starts 2000, 2100, ... each once, whatever was kept where. */
static void check_starts(const struct opened *o, uint64_t first, uint64_t count)
{
    size_t run_count;
    uint64_t row = 0;
    const struct sp_event_run *runs = sp_spill_lane_events(o->lane, &run_count);
    assert_int_equal(sp_spill_lane_event_count(o->lane), count);
    for (size_t r = 0; r < run_count; r++) {
        assert_int_equal(runs[r].row, row);
        for (uint64_t i = 0; i < runs[r].count; i++, row++)
            assert_int_equal(runs[r].events[i].start, 2000 + 100 * (first + row));
    }
    assert_int_equal(row, count);
}

static void events_come_from_segments_and_ring_as_one_stream(void **state)
{
    static const int cases[][2] = {{0, 0}, {5, 0}, {5, 3}, {5, 5}, {5, 1}};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct opened o = open_image(calls(cases[i][0], cases[i][1]));
        check_starts(&o, 0, (uint64_t)cases[i][0]);
        close_image(&o);
    }
}

/* Killed after the ring was appended as a segment and before it was emptied: the ring repeats what the segment holds. */
static void a_kill_between_appending_and_emptying_the_ring_repeats_nothing(void **state)
{
    struct spill_image *image = calls(5, 3);
    struct sp_spill_header *header = spill_image_header(image);
    struct sp_spill_event *ring = (void *)((char *)header + SP_SPILL_EVENTS_AT);
    (void)state;
    memmove(ring + 3, ring, 2 * sizeof *ring);
    for (uint32_t i = 0; i < 3; i++)
        ring[i] = (struct sp_spill_event){2000 + 100 * i, 10, 1};
    header->events_first = 0;
    struct opened o = open_image(image);
    check_starts(&o, 0, 5);
    close_image(&o);
}

static void events_beyond_the_limit_are_counted_and_not_given_out(void **state)
{
    struct spill_image *image = calls(5, 3);
    (void)state;
    spill_image_header(image)->events_kept = 3;
    struct opened o = open_image(image);
    check_starts(&o, 0, 3);
    assert_int_equal(sp_spill_lane_dropped(o.lane), 2);
    assert_false(sp_spill_lane_is_profile(o.lane));
    assert_int_equal(sp_spill_lane_row(o.lane, 2), 2);
    assert_true(sp_spill_lane_row(o.lane, 3) == UINT64_MAX);
    close_image(&o);
}

static void a_lane_without_room_for_its_first_event_is_cut_and_no_profile(void **state)
{
    struct spill_image *image = calls(5, 0);
    (void)state;
    spill_image_header(image)->events_kept = 0;
    spill_image_header(image)->was_cut = 1;
    struct opened o = open_image(image);
    check_starts(&o, 0, 0);
    assert_false(sp_spill_lane_is_profile(o.lane));
    assert_int_equal(sp_spill_lane_dropped(o.lane), 5);
    close_image(&o);
}

static void a_lane_that_keeps_no_events_has_statistics_only(void **state)
{
    struct spill_image *image = calls(5, 0);
    struct sp_stats stats;
    (void)state;
    spill_image_header(image)->events_kept = 0;
    spill_image_finish(image, 9000);
    struct opened o = open_image(image);
    check_starts(&o, 0, 0);
    assert_true(sp_spill_lane_is_profile(o.lane));
    assert_int_equal(sp_spill_lane_dropped(o.lane), 0);
    sp_spill_lane_stats(o.lane, 1, &stats);
    assert_int_equal(stats.calls, 5);
    assert_int_equal(stats.total, 50);
    assert_int_equal(stats.squares_low, 500);
    close_image(&o);
}

static void an_event_of_a_call_path_that_is_not_there_is_left_out(void **state)
{
    struct spill_image *image = calls(5, 0);
    struct sp_spill_event *ring = (void *)((char *)spill_image_header(image) + SP_SPILL_EVENTS_AT);
    (void)state;
    ring[2].node = 77;
    struct opened o = open_image(image);
    size_t run_count;
    const struct sp_event_run *runs = sp_spill_lane_events(o.lane, &run_count);
    assert_int_equal(run_count, 2);
    assert_int_equal(runs[1].first, 3);
    assert_int_equal(runs[1].row, 2);
    assert_int_equal(sp_spill_lane_row(o.lane, 4), 3);
    assert_true(sp_spill_lane_row(o.lane, 2) == UINT64_MAX);
    close_image(&o);
}

/* An outer call over two turn-overs; its duration stands in a close record. A very long one as well. */
static void ends_that_came_late_are_found_in_the_close_records(void **state)
{
    struct spill_image *image = spill_image_lane("run", 0, 1, 0);
    (void)state;
    spill_image_begin(image, 0, 2000);
    for (int i = 0; i < 4; i++) {
        spill_image_begin(image, 1, (uint64_t)(2100 + 100 * i));
        spill_image_end(image, (uint64_t)(2110 + 100 * i));
        if (i < 2)
            spill_image_turn_over(image);
    }
    spill_image_end(image, 2600);
    spill_image_begin(image, 0, 3000);
    spill_image_end(image, 3000 + ((uint64_t)1 << 33));
    spill_image_begin(image, 0, (uint64_t)1 << 40);
    struct opened o = open_image(image);
    static const uint64_t durations[] = {600, 10, 10, 10, 10, (uint64_t)1 << 33, SP_TICKS_OPEN};
    size_t run_count, n = 0;
    const struct sp_event_run *runs = sp_spill_lane_events(o.lane, &run_count);
    for (size_t r = 0; r < run_count; r++)
        for (uint64_t i = 0; i < runs[r].count; i++)
            assert_true(sp_spill_lane_duration(o.lane, runs[r].first + i, &runs[r].events[i]) == durations[n++]);
    assert_int_equal(n, SP_COUNT(durations));
    close_image(&o);
}

static void messages_come_once_and_as_far_as_they_were_kept(void **state)
{
    struct spill_image *image = spill_image_lane("run", 0, 1, 0);
    (void)state;
    for (int i = 0; i < (int)SP_SPILL_RING_MESSAGES + 10; i++) { /* one segment, ten in the ring */
        if (i % 1000 == 0) {
            spill_image_begin(image, 0, (uint64_t)(2000 + i));
            spill_image_end(image, (uint64_t)(2001 + i));
        }
        spill_image_message(image, (struct sp_spill_message){.bytes = i, .operation = SP_OPERATION_SEND});
    }
    /* as if killed before the ring was emptied */
    struct sp_spill_header *header = spill_image_header(image);
    header->messages_first -= 5;
    struct sp_spill_message *ring = (void *)((char *)header + SP_SPILL_MESSAGES_AT);
    memmove(ring + 5, ring, 10 * sizeof *ring);
    header->messages_used = 15;
    header->messages_kept = SP_SPILL_RING_MESSAGES + 8;
    struct opened o = open_image(image);
    size_t run_count;
    int64_t next = 0;
    const struct sp_message_run *runs = sp_spill_lane_messages(o.lane, &run_count);
    for (size_t r = 0; r < run_count; r++)
        for (uint64_t i = 0; i < runs[r].count; i++)
            assert_int_equal(runs[r].messages[i].bytes, next++);
    assert_int_equal(next, SP_SPILL_RING_MESSAGES + 8);
    assert_int_equal(sp_spill_lane_message_count(o.lane), next);
    close_image(&o);
}

static void the_statistics_of_a_killed_lane_are_those_of_a_closed_one(void **state)
{
    (void)state;
    for (int turn_over = 0; turn_over <= 5; turn_over++) {
        struct spill_image *closed = calls(5, turn_over), *killed = calls(5, turn_over);
        struct sp_stats a, b;
        spill_image_finish(closed, 9000);
        struct opened o = open_image(closed), k = open_image(killed);
        sp_spill_lane_stats(o.lane, 1, &a);
        sp_spill_lane_stats(k.lane, 1, &b);
        assert_memory_equal(&a, &b, sizeof a);
        assert_int_equal(a.calls, 5);
        assert_int_equal(a.total, 50);
        assert_int_equal(a.squares_low, 500);
        assert_int_equal(a.first_start, 2000);
        assert_int_equal(a.last_end, 2410);
        close_image(&o);
        close_image(&k);
    }
}

/* Rows of a table by key, united: the fixture's keys are few. */
static struct sp_spill_exchanged exchanged_by(const struct opened *o, uint32_t type, uint32_t a, uint32_t b)
{
    struct sp_spill_exchanged sum = {0};
    struct sp_spill_keyed rows;
    struct sp_spill_keyed_row row;
    sp_spill_keyed_start(&rows, o->spill, o->lane, type);
    while (sp_spill_keyed_next(&rows, &row))
        if (row.key[0] == a && row.key[1] == b)
            sum = (struct sp_spill_exchanged){sum.messages + row.sum.messages, sum.bytes + row.sum.bytes, sum.ticks + row.sum.ticks};
    return sum;
}

static void call_with_messages(struct spill_image *image, uint64_t start)
{
    spill_image_begin(image, 0, start);
    spill_image_end(image, start + 50);
    spill_image_message(image, (struct sp_spill_message){.bytes = 100, .operation = SP_OPERATION_SEND, .peer = 2});
    spill_image_message(image, (struct sp_spill_message){.bytes = 30, .operation = SP_OPERATION_RECEIVE, .peer = 2});
    spill_image_message(image, (struct sp_spill_message){.bytes = 7, .operation = SP_OPERATION_SEND_DONE, .peer = 2});
}

static void messages_that_no_batch_has_summed_up_are_added_and_a_call_s_time_once(void **state)
{
    (void)state;
    for (int done = 0; done <= 1; done++) {
        struct spill_image *image = spill_image_lane("run", 0, 3, 0);
        struct sp_stats stats;
        call_with_messages(image, 2000);
        spill_image_finish(image, 9000); /* does the batch */
        spill_image_header(image)->lane_end = done ? 9000 : 0;
        if (!done) /* and after it the lane lives on */
            call_with_messages(image, 3000);
        struct opened o = open_image(image);
        uint64_t calls = done ? 1 : 2;
        sp_spill_lane_stats(o.lane, 1, &stats);
        assert_int_equal(stats.bytes_sent, 100 * calls);
        struct sp_spill_exchanged sent = exchanged_by(&o, SP_SEGMENT_TRAFFIC, 2, SP_OPERATION_SEND);
        assert_int_equal(sent.messages, calls);
        assert_int_equal(sent.bytes, 100 * calls);
        assert_int_equal(sent.ticks, 50 * calls);
        struct sp_spill_exchanged received = exchanged_by(&o, SP_SEGMENT_SIZES, 0, 5 + SP_SIZE_RECEIVED); /* 16 to 31 bytes */
        assert_int_equal(received.messages, calls);
        assert_int_equal(received.bytes, 30 * calls);
        assert_int_equal(received.ticks, 0); /* the call's first message has it */
        close_image(&o);
    }
}

/* Killed after the batch was switched over and before the ring was emptied. */
static void a_kill_in_the_middle_of_a_turn_over_counts_nothing_twice(void **state)
{
    struct spill_image *image = calls(5, 0);
    struct sp_stats stats;
    (void)state;
    spill_image_finish(image, 9000);         /* does the batch ... */
    spill_image_header(image)->lane_end = 0; /* ... but the lane lives on */
    struct opened o = open_image(image);
    sp_spill_lane_stats(o.lane, 1, &stats);
    assert_int_equal(stats.squares_low, 500);
    assert_int_equal(stats.last_end, 2410);
    close_image(&o);
}

static void a_killed_lane_ends_with_its_last_sign_of_life(void **state)
{
    struct spill_image *image = calls(5, 0);
    (void)state;
    spill_image_header(image)->clock.last[0].ticks = 1500;
    struct opened o = open_image(image);
    assert_int_equal(sp_spill_lane_end(o.lane), 2410);
    close_image(&o);
    image = calls(5, 0);
    spill_image_header(image)->clock.last[0].ticks = 7000;
    o = open_image(image);
    assert_int_equal(sp_spill_lane_end(o.lane), 7000);
    close_image(&o);
    image = calls(5, 0);
    spill_image_finish(image, 2420);
    o = open_image(image);
    assert_int_equal(sp_spill_lane_end(o.lane), 2420);
    close_image(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_from_segments_and_ring_as_one_stream),
        cmocka_unit_test(a_kill_between_appending_and_emptying_the_ring_repeats_nothing),
        cmocka_unit_test(events_beyond_the_limit_are_counted_and_not_given_out),
        cmocka_unit_test(a_lane_without_room_for_its_first_event_is_cut_and_no_profile),
        cmocka_unit_test(a_lane_that_keeps_no_events_has_statistics_only),
        cmocka_unit_test(an_event_of_a_call_path_that_is_not_there_is_left_out),
        cmocka_unit_test(ends_that_came_late_are_found_in_the_close_records),
        cmocka_unit_test(messages_come_once_and_as_far_as_they_were_kept),
        cmocka_unit_test(messages_that_no_batch_has_summed_up_are_added_and_a_call_s_time_once),
        cmocka_unit_test(the_statistics_of_a_killed_lane_are_those_of_a_closed_one),
        cmocka_unit_test(a_kill_in_the_middle_of_a_turn_over_counts_nothing_twice),
        cmocka_unit_test(a_killed_lane_ends_with_its_last_sign_of_life),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
