/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_replay.h"

#include <math.h>

/* Steps of rank r, after computing for g. */
#define SENDS(r, g, to, t)                                                                                                                 \
    {                                                                                                                                      \
        .gap_ns = (g), .rank = (r), .kind = SP_REPLAY_SEND, .peer = (to), .tag = (t)                                                       \
    }
#define RECEIVES(r, g, from, t, nth)                                                                                                       \
    {                                                                                                                                      \
        .gap_ns = (g), .rank = (r), .kind = SP_REPLAY_RECEIVE, .peer = (from), .tag = (t), .order = (nth)                                  \
    }
#define MEETS(r, g, how, root)                                                                                                             \
    {                                                                                                                                      \
        .gap_ns = (g), .rank = (r), .kind = (how), .peer = (root), .tag = -1                                                               \
    }
#define ENDS(r, g)                                                                                                                         \
    {                                                                                                                                      \
        .gap_ns = (g), .rank = (r), .kind = SP_REPLAY_END                                                                                  \
    }

static void check(const struct sp_replay_step *steps, size_t count, int32_t ranks, double time_ns, const char *why)
{
    struct sp_ideal ideal;
    const int32_t sizes[] = {ranks, 2};
    assert_int_equal(sp_replay(steps, count, ranks, sizes, 2, &ideal, NULL), 0);
    assert_string_equal(ideal.why_not, why);
    if (isnan(time_ns))
        assert_true(isnan(ideal.time_ns));
    else
        assert_float_equal(ideal.time_ns, time_ns, 0);
}
#define CHECK(steps, ranks, time_ns, why) check(steps, sizeof steps / sizeof steps[0], ranks, time_ns, why)

static void ranks_that_do_not_meet_end_on_their_own(void **state)
{
    static const struct sp_replay_step steps[] = {ENDS(0, 10), ENDS(1, 30), ENDS(2, 20)};
    (void)state;
    CHECK(steps, 3, 30, "");
}

static void a_receive_waits_for_the_start_of_its_send(void **state)
{
    /* late sender: 20 + 20; late receiver: nothing is added to 30 + 5 */
    static const struct sp_replay_step late_sender[] = {SENDS(0, 20, 1, 7), ENDS(0, 10), RECEIVES(1, 5, 0, 7, 1), ENDS(1, 20)};
    static const struct sp_replay_step late_receiver[] = {SENDS(0, 20, 1, 7), ENDS(0, 10), RECEIVES(1, 30, 0, 7, 1), ENDS(1, 5)};
    (void)state;
    CHECK(late_sender, 2, 40, "");
    CHECK(late_receiver, 2, 35, "");
}

static void a_chain_is_as_long_as_its_links(void **state)
{
    static const struct sp_replay_step steps[] = {
        SENDS(0, 10, 1, 0), ENDS(0, 0), RECEIVES(1, 0, 0, 0, 1), SENDS(1, 10, 2, 0), ENDS(1, 0), RECEIVES(2, 0, 1, 0, 1), ENDS(2, 10)};
    (void)state;
    CHECK(steps, 3, 30, "");
}

static void messages_of_a_pair_match_in_the_order_of_posting(void **state)
{
    /* two of one tag, received in the order of completion 2, 1: the first send (at 10) is for the receive posted first */
    static const struct sp_replay_step steps[] = {SENDS(0, 10, 1, 3), SENDS(0, 90, 1, 3), ENDS(0, 0), RECEIVES(1, 0, 0, 3, 1), ENDS(1, 50)};
    static const struct sp_replay_step both[] = {
        SENDS(0, 10, 1, 3), SENDS(0, 90, 1, 3), ENDS(0, 0), RECEIVES(1, 0, 0, 3, 2), RECEIVES(1, 50, 0, 3, 1), ENDS(1, 0)};
    static const struct sp_replay_step in_order[] = {
        SENDS(0, 10, 1, 3), SENDS(0, 90, 1, 3), ENDS(0, 0), RECEIVES(1, 0, 0, 3, 1), RECEIVES(1, 50, 0, 3, 2), ENDS(1, 0)};
    (void)state;
    CHECK(steps, 2, NAN, "1 sends or receives have no counterpart in the trace");
    CHECK(both, 2, 150, "");
    CHECK(in_order, 2, 100, "");
}

static void tags_and_peers_tell_messages_apart(void **state)
{
    static const struct sp_replay_step tags[] = {
        SENDS(0, 10, 1, 1), SENDS(0, 30, 1, 2), ENDS(0, 0), RECEIVES(1, 0, 0, 2, 1), RECEIVES(1, 5, 0, 1, 2), ENDS(1, 5)};
    static const struct sp_replay_step wrong[] = {SENDS(0, 10, 1, 1), ENDS(0, 0), RECEIVES(1, 0, 0, 2, 1), ENDS(1, 5)};
    (void)state;
    CHECK(tags, 2, 50, "");
    CHECK(wrong, 2, NAN, "2 sends or receives have no counterpart in the trace");
}

static void all_wait_for_the_last_where_all_meet(void **state)
{
    static const struct sp_replay_step steps[] = {MEETS(0, 10, SP_REPLAY_ALL, -1), MEETS(0, 30, SP_REPLAY_ALL, -1), ENDS(0, 1),
        MEETS(1, 20, SP_REPLAY_ALL, -1), MEETS(1, 5, SP_REPLAY_ALL, -1), ENDS(1, 2)};
    (void)state;
    CHECK(steps, 2, 20 + 30 + 2, "");
}

static void rooted_collectives_wait_one_way(void **state)
{
    /* from root 0, which is late: 30 + 10; from root 1, which is early: nobody waits */
    static const struct sp_replay_step from_late[] = {
        MEETS(0, 30, SP_REPLAY_FROM_ROOT, 0), ENDS(0, 0), MEETS(1, 0, SP_REPLAY_FROM_ROOT, 0), ENDS(1, 10)};
    static const struct sp_replay_step from_early[] = {
        MEETS(0, 30, SP_REPLAY_FROM_ROOT, 1), ENDS(0, 0), MEETS(1, 0, SP_REPLAY_FROM_ROOT, 1), ENDS(1, 10)};
    static const struct sp_replay_step to_early[] = {
        MEETS(0, 30, SP_REPLAY_TO_ROOT, 1), ENDS(0, 0), MEETS(1, 0, SP_REPLAY_TO_ROOT, 1), ENDS(1, 10)};
    static const struct sp_replay_step to_late[] = {
        MEETS(0, 30, SP_REPLAY_TO_ROOT, 0), ENDS(0, 0), MEETS(1, 0, SP_REPLAY_TO_ROOT, 0), ENDS(1, 10)};
    (void)state;
    CHECK(from_late, 2, 40, "");
    CHECK(from_early, 2, 30, "");
    CHECK(to_early, 2, 40, "");
    CHECK(to_late, 2, 30, "");
}

static void a_trace_that_lacks_calls_is_refused(void **state)
{
    static const struct sp_replay_step alone[] = {MEETS(0, 10, SP_REPLAY_ALL, -1), ENDS(0, 0), ENDS(1, 10)};
    static const struct sp_replay_step crossed[] = {
        RECEIVES(0, 0, 1, 0, 1), SENDS(0, 0, 1, 0), ENDS(0, 0), RECEIVES(1, 0, 0, 0, 1), SENDS(1, 0, 0, 0), ENDS(1, 0)};
    (void)state;
    CHECK(alone, 2, NAN, "1 rank(s) would wait forever: not all calls are in the trace");
    CHECK(crossed, 2, NAN, "2 rank(s) would wait forever: not all calls are in the trace");
}

static void collectives_are_known_by_name(void **state)
{
    (void)state;
    assert_int_equal(sp_replay_collective("MPI_Barrier"), SP_REPLAY_ALL);
    assert_int_equal(sp_replay_collective("MPI_Alltoallv_c"), SP_REPLAY_ALL);
    assert_int_equal(sp_replay_collective("MPI_Bcast"), SP_REPLAY_FROM_ROOT);
    assert_int_equal(sp_replay_collective("MPI_Gatherv"), SP_REPLAY_TO_ROOT);
    assert_int_equal(sp_replay_collective("MPI_Scan"), -1);
    assert_int_equal(sp_replay_collective("MPI_Waitall"), -1);
    assert_int_equal(sp_replay_collective("Barrier"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_that_do_not_meet_end_on_their_own),
        cmocka_unit_test(a_receive_waits_for_the_start_of_its_send),
        cmocka_unit_test(a_chain_is_as_long_as_its_links),
        cmocka_unit_test(messages_of_a_pair_match_in_the_order_of_posting),
        cmocka_unit_test(tags_and_peers_tell_messages_apart),
        cmocka_unit_test(all_wait_for_the_last_where_all_meet),
        cmocka_unit_test(rooted_collectives_wait_one_way),
        cmocka_unit_test(a_trace_that_lacks_calls_is_refused),
        cmocka_unit_test(collectives_are_known_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
