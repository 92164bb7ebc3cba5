/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A lane whose calls the tests place by hand: begins are shifted to the tick that a test wants. */
static struct sp_trace_budget budget;

static struct sp_lane *make(uint64_t limit)
{
    struct sp_spill_clock clock = {.source = SP_CLOCK_MONOTONIC, .first = {0, 0}, .last = {{1000, 1000}}};
    budget = (struct sp_trace_budget){.limit = limit};
    struct sp_lane *lane = sp_lane_create(&clock, &budget);
    sp_lane_enter(lane);
    return lane;
}

static void begin_at(struct sp_lane *lane, int region, uint64_t ticks)
{
    if (!sp_lane_try_begin(region, SP_CLOCK_MONOTONIC))
        sp_lane_begin(lane, region);
    sp_hot.top->start = sp_hot.top->event->start = ticks;
}

static void end_at(struct sp_lane *lane, int region, uint64_t ticks)
{
    if (!sp_lane_try_end(region, ticks))
        sp_lane_end(lane, region, ticks);
}

/* A path's sums so far. */
static const struct sp_spill_sums *sums_of(struct sp_lane *lane, uint32_t parent, uint32_t region)
{
    sp_batch_sum_up(lane);
    const struct sp_spill_node *node = sp_paths_node(lane->paths, sp_paths_child(lane->paths, parent, region));
    return &node->sums[sp_spill_valid_copy(node->batch, lane->head.batches)];
}

static const struct sp_spill_sums *sums_of_id(const struct sp_lane *lane, uint32_t id)
{
    const struct sp_spill_node *node = sp_paths_node(lane->paths, id);
    return &node->sums[sp_spill_valid_copy(node->batch, lane->head.batches)];
}

static const struct sp_spill_node *node_of(const struct sp_lane *lane, uint32_t parent, uint32_t region)
{
    return sp_paths_node(lane->paths, sp_paths_child(lane->paths, parent, region));
}

static void a_call_counts_on_its_path(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 100);
    begin_at(lane, 1, 110);
    end_at(lane, 1, 130);
    begin_at(lane, 1, 140);
    end_at(lane, 1, 145);
    end_at(lane, 0, 200);
    const struct sp_spill_sums *outer = sums_of(lane, 0, 0), *inner = sums_of(lane, 1, 1);
    assert_int_equal(outer->calls, 1);
    assert_int_equal(outer->total, 100);
    assert_int_equal(inner->calls, 2);
    assert_int_equal(inner->total, 25);
    assert_int_equal(inner->min, 5);
    assert_int_equal(inner->max, 20);
    sp_lane_destroy(lane);
}

static void events_stand_in_entry_order(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 7, 10);
    begin_at(lane, 8, 20);
    end_at(lane, 8, 25);
    end_at(lane, 7, 40);
    assert_int_equal(sp_lane_events_used(lane), 2);
    assert_int_equal(lane->ring[0].start, 10);
    assert_int_equal(lane->ring[0].duration, 30);
    assert_int_equal(lane->ring[1].start, 20);
    assert_int_equal(lane->ring[1].duration, 5);
    sp_lane_destroy(lane);
}

static void recursion_counts_every_invocation(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    enum { DEPTH = 10000 };
    for (uint64_t i = 0; i < DEPTH; i++)
        begin_at(lane, 3, i);
    for (uint64_t i = 0; i < DEPTH; i++)
        end_at(lane, 3, DEPTH + i);
    uint64_t self = 0, calls = 0;
    sp_batch_sum_up(lane);
    for (uint32_t id = 1; id < lane->head.node_count; id++) { /* the only child of a node is the next one */
        self += sums_of_id(lane, id)->total - (id + 1 < lane->head.node_count ? sums_of_id(lane, id + 1)->total : 0);
        calls += sums_of_id(lane, id)->calls;
    }
    assert_int_equal(calls, DEPTH);
    assert_int_equal(self, 2 * DEPTH - 1); /* the span of the outermost call */
    sp_lane_destroy(lane);
}

static void a_crossed_end_closes_what_is_inside(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 10); /* A B end-A end-B */
    begin_at(lane, 1, 20);
    end_at(lane, 0, 30);
    end_at(lane, 1, 40);
    assert_int_equal(sums_of(lane, 0, 0)->total, 20);
    assert_int_equal(sums_of(lane, 1, 1)->total, 10);
    assert_int_equal(lane->head.unmatched_ends, 2);
    assert_int_equal(lane->crossed_region, 0);
    assert_ptr_equal(sp_hot.top, lane->frames);
    sp_lane_destroy(lane);
}

static int told;

static void tell(const struct sp_lane *lane)
{
    assert_int_equal(lane->crossed_region, 0);
    told++;
}

/* A B end-A end-B end-A, with what each rule makes of it: durations of A and B, ends that did not match, and what was said. */
static void crossed_ends_go_by_the_rule(void **state)
{
    static const struct {
        enum sp_nesting nesting;
        uint64_t a, b, unmatched;
        int told;
    } rows[] = {
        {SP_NESTING_UNWIND, 20, 10, 3, 0}, /* end-B and the second end-A find nothing open */
        {SP_NESTING_IGNORE, 40, 20, 1, 0},
        {SP_NESTING_STRICT, 40, 20, 1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sp_lane *lane = make(UINT64_MAX);
        lane->nesting = rows[i].nesting;
        lane->tell_crossing = tell;
        told = 0;
        begin_at(lane, 0, 10);
        begin_at(lane, 1, 20);
        end_at(lane, 0, 30);
        end_at(lane, 1, 40);
        end_at(lane, 0, 50);
        assert_int_equal(sums_of(lane, 0, 0)->total, rows[i].a);
        assert_int_equal(sums_of(lane, 1, 1)->total, rows[i].b);
        assert_int_equal(lane->head.unmatched_ends, rows[i].unmatched);
        assert_int_equal(told, rows[i].told);
        sp_lane_destroy(lane);
    }
}

/* MPI calls are over when they return, also where a callback left a region open and the rule is to pass ends over. */
static void a_call_of_the_tool_ends_whatever_is_open_inside(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    lane->nesting = SP_NESTING_IGNORE;
    begin_at(lane, 0, 10);
    begin_at(lane, 1, 20);
    sp_lane_end_call(lane, 0, 50);
    assert_int_equal(sums_of(lane, 0, 0)->total, 40);
    assert_int_equal(sums_of(lane, 1, 1)->total, 30);
    assert_ptr_equal(sp_hot.top, lane->frames);
    sp_lane_destroy(lane);
}

static void ends_without_a_begin_change_nothing(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    for (int i = 0; i < 1000; i++)
        end_at(lane, 5, 10);
    assert_int_equal(lane->head.unmatched_ends, 1000);
    assert_int_equal(sp_lane_events_used(lane), 0);
    assert_ptr_equal(sp_hot.top, lane->frames);
    sp_lane_destroy(lane);
}

static void a_skipped_begin_takes_its_end_with_it(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 10);
    sp_lane_skip(lane);    /* begin A while paused */
    begin_at(lane, 1, 20); /* begin B after resuming, inside A */
    end_at(lane, 1, 25);   /* end B */
    end_at(lane, 2, 30);   /* end A */
    end_at(lane, 0, 50);
    assert_int_equal(lane->head.unmatched_ends, 0);
    assert_int_equal(sums_of(lane, 1, 1)->total, 5);
    assert_int_equal(sums_of(lane, 0, 0)->total, 40);
    sp_lane_destroy(lane);
}

static void a_long_call_has_a_close_record(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 1000);
    end_at(lane, 0, 1000 + 0xffffffffffu);
    assert_int_equal(lane->ring[0].duration, SP_DURATION_LONG);
    assert_int_equal(lane->head.closes_used, 1);
    assert_int_equal(lane->closes[0].event, 0);
    assert_int_equal(lane->closes[0].duration, 0xffffffffffu);
    assert_int_equal(sums_of(lane, 0, 0)->total, 0xffffffffffu);
    sp_lane_destroy(lane);
}

static void a_clock_that_steps_back_is_clamped_and_counted(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 1000);
    end_at(lane, 0, 900);
    assert_int_equal(sums_of(lane, 0, 0)->total, 0);
    assert_int_equal(lane->head.clock_steps_back, 1);
    sp_lane_destroy(lane);
}

static void calls_of(struct sp_lane *lane, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        begin_at(lane, 1, 10 * i);
        end_at(lane, 1, 10 * i + 3);
    }
}

static void a_full_ring_becomes_a_segment_and_statistics_follow(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    calls_of(lane, SP_SPILL_RING_EVENTS + 10);
    struct sp_spill_header *head = &lane->head;
    assert_int_equal(head->events_first, SP_SPILL_RING_EVENTS);
    assert_int_equal(sp_lane_events_used(lane), 10);
    assert_int_equal(head->batches, 1);
    assert_int_equal(sp_spill_batched_until(head), SP_SPILL_RING_EVENTS);
    const struct sp_spill_node *node = node_of(lane, 0, 1);
    assert_int_equal(sums_of_id(lane, 1)->squares_low, 9 * (uint64_t)SP_SPILL_RING_EVENTS);
    const struct sp_spill_clock clock = {.source = SP_CLOCK_MONOTONIC};
    sp_lane_finish(lane, 1 << 30, &clock);
    assert_int_equal(sums_of_id(lane, 1)->squares_low, 9 * ((uint64_t)SP_SPILL_RING_EVENTS + 10));
    assert_int_equal(node->first_start, 0);
    assert_int_equal(node->last_start, 10 * ((uint64_t)SP_SPILL_RING_EVENTS + 9));
    sp_lane_destroy(lane);
}

static void a_call_open_at_the_turn_over_is_closed_by_a_record(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 5);
    calls_of(lane, SP_SPILL_RING_EVENTS);
    end_at(lane, 0, 105);
    assert_int_equal(lane->head.closes_used, 1);
    assert_int_equal(lane->closes[0].event, 0);
    assert_int_equal(lane->closes[0].duration, 100);
    const struct sp_spill_node *node = node_of(lane, 0, 0);
    assert_int_equal(sums_of(lane, 0, 0)->squares_low, 10000);
    assert_int_equal(node->first, 100);
    sp_lane_destroy(lane);
}

static void beyond_the_limit_only_statistics_go_on(void **state)
{
    (void)state;
    struct sp_lane *lane = make(SP_SPILL_RING_EVENTS * sizeof(struct sp_spill_event));
    calls_of(lane, 3 * SP_SPILL_RING_EVENTS);
    assert_int_equal(lane->head.events_kept, SP_SPILL_RING_EVENTS);
    assert_int_equal(sums_of(lane, 0, 1)->calls, 3 * SP_SPILL_RING_EVENTS);
    sp_lane_destroy(lane);
}

static void a_limit_below_a_ring_keeps_what_fits(void **state)
{
    (void)state;
    struct sp_lane *lane = make(1000 * sizeof(struct sp_spill_event) + 7);
    calls_of(lane, 2 * SP_SPILL_RING_EVENTS);
    assert_int_equal(lane->head.events_kept, 1000);
    assert_int_equal(sums_of(lane, 0, 1)->calls, 2 * SP_SPILL_RING_EVENTS);
    sp_lane_destroy(lane);
}

static void a_limit_below_one_event_is_not_taken_for_profile_mode(void **state)
{
    (void)state;
    struct sp_lane *lane = make(sizeof(struct sp_spill_event) - 1);
    calls_of(lane, 2 * SP_SPILL_RING_EVENTS);
    assert_int_equal(lane->head.events_kept, 0);
    assert_int_equal(lane->head.was_cut, 1);
    assert_int_equal(sums_of(lane, 0, 1)->calls, 2 * SP_SPILL_RING_EVENTS);
    sp_lane_destroy(lane);
}

static void profile_mode_keeps_no_event(void **state)
{
    (void)state;
    struct sp_lane *lane = make(0);
    size_t before = sp_store_bytes(lane->store);
    calls_of(lane, 3 * SP_SPILL_RING_EVENTS);
    assert_int_equal(lane->head.events_kept, 0);
    assert_int_equal(lane->head.was_cut, 0);
    assert_in_range(sp_store_bytes(lane->store) - before, 0, 64 * SP_SPILL_PAGE); /* rows of the histogram */
    assert_int_equal(sums_of(lane, 0, 1)->calls, 3 * SP_SPILL_RING_EVENTS);
    sp_lane_destroy(lane);
}

static void say(struct sp_lane *lane, const struct sp_spill_message *m)
{
    sp_lane_message(lane, m->bytes, m->request, m->peer, m->tag, m->communicator, (int)m->operation);
}

static void bytes_go_to_the_call_that_ended(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 1);
    begin_at(lane, 1, 2);
    sp_lane_end_call(lane, 1, 3);
    say(lane, &(struct sp_spill_message){.bytes = 800, .operation = SP_OPERATION_SEND, .peer = 3});
    say(lane, &(struct sp_spill_message){.bytes = 5, .operation = SP_OPERATION_COLLECTIVE_RECEIVE, .peer = -1});
    assert_int_equal(lane->head.messages_used, 2);
    assert_int_equal(lane->messages[0].event, 1);
    assert_int_equal(lane->messages[0].ticks, 1);
    sp_batch_sum_up(lane);
    assert_int_equal(sums_of(lane, 1, 1)->bytes_sent, 800);
    assert_int_equal(sums_of(lane, 1, 1)->bytes_received, 5);
    sp_batch_sum_up(lane);
    assert_int_equal(sums_of(lane, 1, 1)->bytes_sent, 800);
    sp_lane_destroy(lane);
}

static void two_begin_at_one_reading_or_are_refused_with_nothing_done(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    assert_int_equal(sp_lane_try_begin_in(0, 1, SP_CLOCK_MONOTONIC), 0); /* neither path is known */
    begin_at(lane, 0, 10);
    assert_int_equal(sp_lane_try_begin_in(0, 1, SP_CLOCK_MONOTONIC), 0);
    begin_at(lane, 1, 11);
    end_at(lane, 1, 12);
    end_at(lane, 0, 13);
    assert_int_equal(sp_lane_events_used(lane), 2);
    assert_int_equal(sp_lane_try_begin_in(0, 1, SP_CLOCK_MONOTONIC), 1);
    assert_int_equal(sp_lane_events_used(lane), 4);
    assert_int_equal(lane->ring[2].start, lane->ring[3].start);
    assert_int_equal(lane->ring[2].node, lane->ring[0].node);
    assert_int_equal(lane->ring[3].node, lane->ring[1].node);
    uint64_t start = lane->ring[2].start;
    sp_lane_end_call(lane, 1, start + 5);
    sp_lane_end_call(lane, 0, start + 5);
    assert_int_equal(sums_of(lane, 1, 1)->total, 1 + 5);
    assert_int_equal(sums_of(lane, 0, 0)->total, 3 + 5);
    assert_int_equal(sp_lane_try_begin_in(0, -1, SP_CLOCK_MONOTONIC), 0);
    assert_int_equal(sp_lane_try_begin_in(-1, 1, SP_CLOCK_MONOTONIC), 0);
    calls_of(lane, SP_SPILL_RING_EVENTS - 1 - sp_lane_events_used(lane));
    assert_int_equal(sp_lane_try_begin_in(0, 1, SP_CLOCK_MONOTONIC), 0); /* one place is left */
    assert_int_equal(sp_lane_events_used(lane), SP_SPILL_RING_EVENTS - 1);
    sp_lane_destroy(lane);
}

static uint64_t starts_in_the_ring(const struct sp_lane *lane)
{
    uint64_t count = 0;
    while (lane->ring[count].start != 0)
        count++;
    return count;
}

static void a_call_ended_unrecorded_counts_and_leaves_no_event(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 100);
    for (uint64_t i = 0; i < 3; i++) { /* of 5, 6 and 7 ticks */
        begin_at(lane, 1, 110 + 10 * i);
        sp_lane_end_unrecorded(lane, 1, 115 + 11 * i);
        assert_int_equal(starts_in_the_ring(lane), 1);
        say(lane, &(struct sp_spill_message){.bytes = 8, .operation = SP_OPERATION_RECEIVE});
    }
    begin_at(lane, 1, 140);
    end_at(lane, 1, 144);
    end_at(lane, 0, 200);
    assert_int_equal(sp_lane_events_used(lane), 2);
    assert_int_equal(lane->ring[1].start, 140);
    assert_int_equal(lane->head.messages_used, 0);
    const struct sp_spill_sums *inner = sums_of(lane, 1, 1);
    assert_int_equal(inner->calls, 4);
    assert_int_equal(inner->total, 5 + 6 + 7 + 4);
    assert_int_equal(inner->min, 4);
    assert_int_equal(inner->max, 7);
    assert_int_equal(inner->squares_low, 25 + 36 + 49 + 16);
    assert_int_equal(node_of(lane, 1, 1)->first, 5);
    assert_int_equal(node_of(lane, 1, 1)->last, 4);
    assert_int_equal(sums_of(lane, 0, 0)->total, 100);
    sp_lane_destroy(lane);
}

/* Sequence numbers are places in the ring: an event that others follow stays where it is. */
static void a_call_with_events_inside_ends_as_one(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 100);
    begin_at(lane, 1, 110);
    end_at(lane, 1, 120);
    sp_lane_end_unrecorded(lane, 0, 150);
    assert_int_equal(sp_lane_events_used(lane), 2);
    assert_int_equal(lane->ring[0].duration, 50);
    assert_int_equal(sums_of(lane, 0, 0)->calls, 1);
    begin_at(lane, 0, 200);
    begin_at(lane, 1, 210);
    sp_lane_end_unrecorded(lane, 1, 220); /* taken back, and then the outer one is the last again */
    sp_lane_end_unrecorded(lane, 0, 230);
    assert_int_equal(starts_in_the_ring(lane), 2);
    assert_int_equal(sums_of(lane, 0, 0)->total, 50 + 30);
    assert_int_equal(sums_of(lane, 1, 1)->calls, 2);
    sp_lane_destroy(lane);
}

/* A batch while the call is open makes its event one that only a record can close. */
static void a_call_open_at_a_batch_ends_by_its_record(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    begin_at(lane, 0, 100);
    sp_batch_sum_up(lane);
    sp_lane_end_unrecorded(lane, 0, 130);
    assert_int_equal(sp_lane_events_used(lane), 1);
    assert_int_equal(lane->head.closes_used, 1);
    assert_int_equal(lane->closes[0].duration, 30);
    assert_int_equal(sums_of(lane, 0, 0)->calls, 1);
    sp_lane_destroy(lane);
}

static void calls_ended_unrecorded_fill_no_ring(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    enum { ASKED = 3 * SP_SPILL_RING_EVENTS };
    calls_of(lane, SP_SPILL_RING_EVENTS - 1);
    for (uint64_t i = 0; i < ASKED; i++) { /* in the last place, and longer than 32 bits hold */
        begin_at(lane, 2, 10);
        sp_lane_end_unrecorded(lane, 2, 10 + ((uint64_t)1 << 33));
    }
    assert_int_equal(sp_lane_events_used(lane), SP_SPILL_RING_EVENTS - 1);
    assert_int_equal(lane->head.events_first, 0);
    assert_int_equal(lane->head.closes_used, 0);
    assert_int_equal(sums_of(lane, 0, 2)->calls, ASKED);
    assert_int_equal(sums_of(lane, 0, 2)->total, (uint64_t)ASKED << 33);
    sp_lane_destroy(lane);
}

static void check_sum(const struct sp_lane *lane, const uint32_t batch[2], const struct sp_spill_exchanged sums[2], uint64_t messages,
    int64_t bytes, uint64_t ticks)
{
    const struct sp_spill_exchanged *sum = &sums[sp_spill_valid_copy(batch, lane->head.batches)];
    assert_int_equal(sum->messages, messages);
    assert_int_equal(sum->bytes, bytes);
    assert_int_equal(sum->ticks, ticks);
}

static void check_traffic(struct sp_lane *lane, int32_t peer, int operation, uint64_t messages, int64_t bytes, uint64_t ticks)
{
    const struct sp_spill_traffic *row = sp_keyed_row(&lane->exchange.traffic, (uint32_t)peer, (uint32_t)operation);
    check_sum(lane, row->batch, row->sums, messages, bytes, ticks);
}

static void check_size(struct sp_lane *lane, uint32_t region, uint32_t bin, uint64_t messages, int64_t bytes, uint64_t ticks)
{
    const struct sp_spill_size *row = sp_keyed_row(&lane->exchange.sizes, region, bin);
    check_sum(lane, row->batch, row->sums, messages, bytes, ticks);
}

static void call_with(struct sp_lane *lane, int region, uint64_t start, uint64_t end, const struct sp_spill_message *messages, int count)
{
    begin_at(lane, region, start);
    sp_lane_end_call(lane, region, end);
    for (int i = 0; i < count; i++)
        say(lane, &messages[i]);
}

static void messages_are_summed_by_peer_and_by_size_and_a_call_s_time_counts_once(void **state)
{
    static const struct sp_spill_message exchange[] = {
        {.bytes = 800, .operation = SP_OPERATION_SEND, .peer = 3},
        {.bytes = 600, .operation = SP_OPERATION_RECEIVE, .peer = 4},
    };
    static const struct sp_spill_message waited[] = {
        {.operation = SP_OPERATION_SEND_DONE, .peer = 3},
        {.bytes = 1023, .operation = SP_OPERATION_RECEIVE, .peer = 4},
        {.bytes = 1024, .operation = SP_OPERATION_RECEIVE, .peer = 4},
        {.bytes = 0, .operation = SP_OPERATION_RECEIVE, .peer = -2},
    };
    static const struct sp_spill_message reduced[] = {
        {.bytes = 8, .operation = SP_OPERATION_COLLECTIVE, .peer = 0},
        {.bytes = 1, .operation = SP_OPERATION_COLLECTIVE_RECEIVE, .peer = -1},
    };
    static const uint64_t limits[] = {UINT64_MAX, 0};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(limits); i++) {
        struct sp_lane *lane = make(limits[i]);
        call_with(lane, 0, 100, 130, exchange, 2);
        call_with(lane, 0, 200, 250, exchange, 1);
        sp_batch_sum_up(lane); /* in the middle of a call's messages */
        say(lane, &exchange[1]);
        call_with(lane, 1, 300, 307, waited, 4);
        call_with(lane, 2, 400, 411, reduced, 2);
        call_with(lane, 3, 500, 600, NULL, 0);
        sp_batch_sum_up(lane);
        assert_int_equal(lane->head.traffic_count, 2); /* no collective, and nothing without a peer */
        check_traffic(lane, 3, SP_OPERATION_SEND, 2, 1600, 80);
        check_traffic(lane, 4, SP_OPERATION_RECEIVE, 4, 3247, 7);
        assert_int_equal(lane->head.size_count, 7);
        check_size(lane, 0, 10, 2, 1600, 80); /* 512 to 1023 bytes */
        check_size(lane, 0, 10 + SP_SIZE_RECEIVED, 2, 1200, 0);
        check_size(lane, 1, 10 + SP_SIZE_RECEIVED, 1, 1023, 7);
        check_size(lane, 1, 11 + SP_SIZE_RECEIVED, 1, 1024, 0);
        check_size(lane, 1, 0 + SP_SIZE_RECEIVED, 1, 0, 0);
        check_size(lane, 2, 4, 1, 8, 11);
        check_size(lane, 2, 1 + SP_SIZE_RECEIVED, 1, 1, 0);
        sp_lane_destroy(lane);
    }
}

static void open_calls_count_up_to_the_end(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    const struct sp_spill_clock clock = {.source = SP_CLOCK_MONOTONIC};
    begin_at(lane, 0, 100);
    begin_at(lane, 1, 150);
    sp_lane_finish(lane, 200, &clock);
    assert_int_equal(sums_of(lane, 0, 0)->total, 100);
    assert_int_equal(sums_of(lane, 1, 1)->total, 50);
    assert_int_equal(lane->ring[0].duration, SP_DURATION_OPEN);
    sp_lane_destroy(lane);
}

static void a_hundred_thousand_regions_are_told_apart(void **state)
{
    (void)state;
    struct sp_lane *lane = make(UINT64_MAX);
    enum { REGIONS = 100000 };
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < REGIONS; r++) {
            begin_at(lane, r, 0);
            end_at(lane, r, 1);
        }
    assert_int_equal(lane->head.node_count, REGIONS + 1);
    sp_batch_sum_up(lane);
    for (uint32_t id = 1; id <= REGIONS; id++)
        assert_int_equal(sums_of_id(lane, id)->calls, 2);
    sp_lane_destroy(lane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_counts_on_its_path),
        cmocka_unit_test(events_stand_in_entry_order),
        cmocka_unit_test(recursion_counts_every_invocation),
        cmocka_unit_test(a_crossed_end_closes_what_is_inside),
        cmocka_unit_test(crossed_ends_go_by_the_rule),
        cmocka_unit_test(a_call_of_the_tool_ends_whatever_is_open_inside),
        cmocka_unit_test(ends_without_a_begin_change_nothing),
        cmocka_unit_test(a_skipped_begin_takes_its_end_with_it),
        cmocka_unit_test(a_long_call_has_a_close_record),
        cmocka_unit_test(a_clock_that_steps_back_is_clamped_and_counted),
        cmocka_unit_test(a_full_ring_becomes_a_segment_and_statistics_follow),
        cmocka_unit_test(a_call_open_at_the_turn_over_is_closed_by_a_record),
        cmocka_unit_test(beyond_the_limit_only_statistics_go_on),
        cmocka_unit_test(a_limit_below_a_ring_keeps_what_fits),
        cmocka_unit_test(a_limit_below_one_event_is_not_taken_for_profile_mode),
        cmocka_unit_test(profile_mode_keeps_no_event),
        cmocka_unit_test(bytes_go_to_the_call_that_ended),
        cmocka_unit_test(two_begin_at_one_reading_or_are_refused_with_nothing_done),
        cmocka_unit_test(a_call_ended_unrecorded_counts_and_leaves_no_event),
        cmocka_unit_test(a_call_with_events_inside_ends_as_one),
        cmocka_unit_test(a_call_open_at_a_batch_ends_by_its_record),
        cmocka_unit_test(calls_ended_unrecorded_fill_no_ring),
        cmocka_unit_test(messages_are_summed_by_peer_and_by_size_and_a_call_s_time_counts_once),
        cmocka_unit_test(open_calls_count_up_to_the_end),
        cmocka_unit_test(a_hundred_thousand_regions_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
