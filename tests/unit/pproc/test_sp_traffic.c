/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_traffic.h"

#include <stdlib.h>

/* event, bytes, request, peer, tag, communicator, operation */
static void add(struct sp_traffic_sums *sums, int32_t rank, int32_t region, int64_t duration_ns, uint64_t event, int64_t bytes,
    int32_t peer, int32_t communicator, int32_t operation)
{
    struct sp_error err = {0};
    struct sp_message message = {event, bytes, 0, peer, 0, communicator, operation};
    assert_int_equal(sp_traffic_add(sums, &message, rank, region, duration_ns, &err), 0);
}

/* Rank 0: event 1 sends 100 bytes to 2, event 2 (a sendrecv of 50 ns) sends 7 to 2 and receives 300 from 2, event 3 receives nothing from
 * nobody, event 4 gets 40 bytes of rank 1, event 5 posts a receive, event 6 is an Allreduce of 8 and 8 bytes. */
static void one_rank(struct sp_traffic_sums *sums)
{
    add(sums, 0, 5, 10, 1, 100, 2, 0, 1);
    add(sums, 0, 6, 50, 2, 7, 2, 0, 1);
    add(sums, 0, 6, 50, 2, 300, 2, 0, 2);
    add(sums, 0, 7, 5, 3, 0, -1, 0, 2);
    add(sums, 0, 8, 20, 4, 40, 1, 1, 6);
    add(sums, 0, 9, 3, 5, 0, 2, 0, 12);
    add(sums, 0, 4, 60, 6, 8, -1, 1, 3);
    add(sums, 0, 4, 60, 6, 8, -1, 1, 4);
}

static void what_is_moved_counts_where_it_was_begun(void **state)
{
    struct sp_traffic_sums sums = {0};
    struct sp_error err = {0};
    struct sp_peer *rows;
    size_t count;
    (void)state;
    one_rank(&sums);
    sp_sums_sort(&sums.peers);
    assert_int_equal(sp_peers_make(&sums.peers, &rows, &count, &err), 0);
    assert_int_equal(count, 3);
    /* 0 to 2: two sends, the time of the sendrecv with its first message */
    assert_int_equal(rows[0].source * 10 + rows[0].destination, 2);
    assert_int_equal(rows[0].messages, 2);
    assert_int_equal(rows[0].bytes, 107);
    assert_int_equal(rows[0].time_ns, 60);
    assert_int_equal(rows[0].received, 0);
    /* 1 to 0: the get, counted by its origin */
    assert_int_equal(rows[1].source * 10 + rows[1].destination, 10);
    assert_int_equal(rows[1].messages, 1);
    assert_int_equal(rows[1].bytes, 40);
    /* 2 to 0: as seen by the receiver, without time of its own */
    assert_int_equal(rows[2].source * 10 + rows[2].destination, 20);
    assert_int_equal(rows[2].messages, 0);
    assert_int_equal(rows[2].received, 1);
    assert_int_equal(rows[2].bytes_received, 300);
    assert_int_equal(rows[2].receive_ns, 0);
    free(rows);
    sp_traffic_sums_free(&sums);
}

static void sizes_are_powers_of_two(void **state)
{
    static const struct {
        int64_t bytes, first, last;
        int32_t bin;
    } rows[] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 3, 2}, {3, 2, 3, 2}, {4, 4, 7, 3}, {1023, 512, 1023, 10}, {1024, 1024, 2047, 11},
        {INT64_MAX, INT64_C(1) << 62, INT64_MAX, 63}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(sp_size_bin(rows[i].bytes), rows[i].bin);
        assert_true(sp_size_first(rows[i].bin) == rows[i].first);
        assert_true(sp_size_last(rows[i].bin) == rows[i].last);
    }
}

static void sizes_are_by_function_and_direction(void **state)
{
    struct sp_traffic_sums sums = {0};
    struct sp_error err = {0};
    struct sp_size *rows;
    size_t count;
    (void)state;
    one_rank(&sums);
    sp_sums_sort(&sums.sizes);
    assert_int_equal(sp_sizes_make(&sums.sizes, &rows, &count, &err), 0);
    /* region 4 received, sent; 5 sent; 6 received, sent; 7; 8. The posted receive is none. */
    assert_int_equal(count, 7);
    assert_int_equal(rows[0].direction, -1);
    assert_int_equal(rows[0].time_ns, 0);
    assert_int_equal(rows[1].direction, 1);
    assert_int_equal(rows[1].time_ns, 60);
    assert_int_equal(rows[1].bin, 4);
    assert_int_equal(rows[2].region, 5);
    assert_int_equal(rows[2].bin, 7);
    free(rows);
    sp_traffic_sums_free(&sums);
}

static void a_call_counts_once_on_its_communicator(void **state)
{
    struct sp_traffic_sums sums = {0};
    struct sp_error err = {0};
    struct sp_usage *rows;
    size_t count;
    (void)state;
    one_rank(&sums);
    sp_sums_sort(&sums.usages);
    assert_int_equal(sp_usages_make(&sums.usages, &rows, &count, &err), 0);
    assert_int_equal(count, 6); /* on 0 the functions 5, 6, 7, 9; on 1 4 and 8 */
    assert_int_equal(rows[1].region, 6);
    assert_int_equal(rows[1].calls, 1);
    assert_int_equal(rows[1].time_ns, 50);
    assert_int_equal(rows[1].bytes_sent, 7);
    assert_int_equal(rows[1].bytes_received, 300);
    assert_int_equal(rows[4].communicator, 1);
    assert_int_equal(rows[4].region, 4);
    assert_int_equal(rows[4].calls, 1);
    assert_int_equal(rows[4].bytes_sent, 8);
    assert_int_equal(rows[4].bytes_received, 8);
    free(rows);
    sp_traffic_sums_free(&sums);
}

static void many_keys_keep_their_sums(void **state)
{
    struct sp_sums sums = {0};
    struct sp_error err = {0};
    (void)state;
    for (int32_t round = 0; round < 3; round++)
        for (int32_t i = 0; i < 5000; i++) {
            struct sp_sum sum = {{i % 71, -i, i}, 1, i, 2};
            assert_int_equal(sp_sums_add(&sums, &sum, &err), 0);
        }
    sp_sums_sort(&sums);
    assert_int_equal(sums.count, 5000);
    for (size_t i = 0; i < sums.count; i++) {
        assert_int_equal(sums.items[i].count, 3);
        assert_int_equal(sums.items[i].time_ns, 6);
        assert_int_equal(sums.items[i].bytes, 3 * sums.items[i].key[2]);
        assert_true(i == 0 || sums.items[i].key[0] >= sums.items[i - 1].key[0]);
    }
    sp_sums_free(&sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_moved_counts_where_it_was_begun),
        cmocka_unit_test(sizes_are_powers_of_two),
        cmocka_unit_test(sizes_are_by_function_and_direction),
        cmocka_unit_test(a_call_counts_once_on_its_communicator),
        cmocka_unit_test(many_keys_keep_their_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
