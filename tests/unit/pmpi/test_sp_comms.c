/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "fake_mpi.h"
#include "sp_comm_data.h"
#include "sp_fortran.h"

#include <pthread.h>

static int setup(void **state)
{
    (void)state;
    fake_start(0);
    return 0;
}

static const struct sp_comm *find(uintptr_t handle)
{
    return sp_comms_find(fake_MPI_Comm(handle));
}

static void create(uintptr_t parent, uintptr_t handle)
{
    sp_comms_created(fake_MPI_Comm(parent), fake_MPI_Comm(handle));
}

static void release(uintptr_t handle)
{
    sp_comms_freed(fake_MPI_Comm(handle));
}

static void what_is_no_communicator_is_not_found(void **state)
{
    (void)state;
    assert_null(sp_comms_find(sp_mpi.comm_null));
    sp_mpi.world_size = 0; /* before MPI_Init, or MPI's Sessions */
    assert_null(find(1));
}

static void a_handle_that_comes_again_is_another_communicator(void **state)
{
    (void)state;
    fake_set(10, 0x0f, 0);
    create(1, 10);
    uint64_t first = find(10)->identity;
    assert_int_equal(find(10)->size, 4);
    release(10);
    fake_set(10, 0x03, 0);
    create(1, 10);
    assert_int_equal(find(10)->size, 2);
    assert_true(find(10)->identity != first);
    release(10);
}

static void a_handle_whose_freeing_was_not_seen_is_another_communicator_too(void **state)
{
    (void)state;
    fake_set(10, 0x0f, 0);
    create(1, 10);
    int32_t id = find(10)->id;
    fake_set(10, 0x03, 0);
    create(1, 10);
    assert_int_equal(find(10)->size, 2);
    assert_true(find(10)->id != id);
    fake_set(10, 0x07, 0);
    sp_comms_created_by_groups(fake_MPI_Comm(1), 7, fake_MPI_Comm(10));
    assert_int_equal(find(10)->size, 3);
    release(10);
}

static void members_that_got_none_count_the_call_too(void **state)
{
    (void)state;
    fake_set(10, 0x0f, 0);
    sp_comms_created(fake_MPI_Comm(1), sp_mpi.comm_null);
    struct sp_comm_birth next = sp_comms_conceive(fake_MPI_Comm(1)), after = sp_comms_conceive(fake_MPI_Comm(1));
    assert_int_equal(after.ordinal, next.ordinal + 1);
    sp_comms_born(next, fake_MPI_Comm(10)); /* completes later than the second was begun */
    assert_true(find(10)->identity == sp_comms_identity(find(1)->identity, next.ordinal, 0));
    release(10);
}

static void both_sides_of_an_intercommunicator_identify_it_alike(void **state)
{
    (void)state;
    fake_set(10, 0x03, 0x0c);
    fake_set(11, 0x0c, 0x03);
    fake_set(12, 0x03, 0x0c);
    struct sp_comm here = {.handle = fake_MPI_Comm(10)}, there = {.handle = fake_MPI_Comm(11)};
    assert_int_equal(sp_comm_data_ask(&here), 0);
    assert_int_equal(sp_comm_data_ask(&there), 0);
    assert_true(sp_comm_data_hash(&here) == sp_comm_data_hash(&there));
    sp_comm_data_drop(&here);
    sp_comm_data_drop(&there);
    sp_comms_created_by_groups(fake_MPI_Comm(1), 7, fake_MPI_Comm(10));
    uint64_t near = find(10)->identity;
    assert_int_equal(sp_comms_global_rank(find(10), 1), 3);
    /* made again by the same with the same tag */
    sp_comms_created_by_groups(fake_MPI_Comm(1), 7, fake_MPI_Comm(12));
    assert_true(find(12)->identity != near);
    fake_set(13, 0x30, 0xc0);
    fake_set(14, 0xc0, 0x30);
    sp_comms_created_by_groups(fake_MPI_Comm(1), 9, fake_MPI_Comm(13));
    sp_comms_created_by_groups(fake_MPI_Comm(1), 8, fake_MPI_Comm(14));
    assert_true(find(13)->identity != find(14)->identity); /* another tag */
    for (uintptr_t handle = 10; handle < 15; handle++)
        release(handle);
}

static void two_thousand_duplicates_of_each_other_are_all_told_apart(void **state)
{
    (void)state;
    enum { N = 2000 };
    uint64_t seen[N];
    int published = fake_published;
    fake_set(10, 0xff, 0);
    for (int i = 0; i < N; i++) {
        create(1, 10);
        seen[i] = find(10)->identity;
        release(10);
    }
    assert_int_equal(fake_published - published, N);
    for (int i = 0; i < N; i++)
        for (int k = i + 1; k < N; k++)
            assert_true(seen[i] != seen[k]);
}

static void only_names_that_the_program_gave_are_kept(void **state)
{
    (void)state;
    fake_set(10, 0xff, 0);
    create(1, 10);
    assert_string_equal(fake_last_name, "");
    int32_t id = find(10)->id;
    sp_comms_named(fake_MPI_Comm(10));
    assert_string_equal(fake_last_name, "of the program");
    assert_int_equal(find(10)->id, id);
    fake_set(11, 0xff, 0);
    create(1, 11);
    assert_int_equal(find(11)->id, id + 2); /* ids count the records */
    release(10);
    release(11);
}

static void members_of_another_world_are_unknown_peers(void **state)
{
    (void)state;
    fake_set(10, 0x01, 0);
    fake_local[10].ranks[fake_local[10].size++] = -1;
    create(1, 10);
    assert_int_equal(sp_comms_global_rank(find(10), 0), 0);
    assert_int_equal(sp_comms_global_rank(find(10), 1), -2);
    release(10);
}

static void identities_differ_where_any_part_does(void **state)
{
    (void)state;
    enum { N = 20 };
    uint64_t seen[N * N * N];
    size_t count = 0;
    for (uint64_t parent = 0; parent < N; parent++)
        for (uint64_t ordinal = 0; ordinal < N; ordinal++)
            for (uint64_t lowest = 0; lowest < N; lowest++)
                seen[count++] = sp_comms_identity(parent, ordinal, lowest);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            assert_true(seen[i] != seen[k]);
    assert_true(sp_comms_identity(1, 2, 3) == sp_comms_identity(1, 2, 3));
}

static void a_peer_is_a_global_rank_none_or_unknown(void **state)
{
    (void)state;
    int32_t members[] = {4, 7, -1};
    const struct sp_comm comm = {.size = 3, .peer_count = 3, .members = members, .peers = members};
    static const struct {
        int peer;
        int32_t rank;
    } cases[] = {{0, 4}, {1, 7}, {2, -2}, {3, -2}, {MPI_PROC_NULL, -1}, {MPI_ANY_SOURCE, -2}};
    for (size_t i = 0; i < SP_COUNT(cases); i++)
        assert_int_equal(sp_comms_global_rank(&comm, cases[i].peer), cases[i].rank);
    assert_int_equal(sp_comms_global_rank(NULL, 0), -2);
    assert_int_equal(sp_comms_global_rank(NULL, MPI_PROC_NULL), -1);
}

static void an_index_of_fortran_counts_from_one(void **state)
{
    (void)state;
    assert_int_equal(sp_fortran_index(1), 0);
    assert_int_equal(sp_fortran_index(17), 16);
    assert_int_equal(sp_fortran_index(MPI_UNDEFINED), -1);
}

/* Duplicates and frees a communicator of its own, and looks at one that all use. */
static void *come_and_go(void *own)
{
    uintptr_t handle = *(const uintptr_t *)own;
    for (int i = 0; i < 2000; i++) {
        create(handle + 4, handle);
        if (find(handle)->size != FAKE_WORLD || find(1)->size != FAKE_WORLD)
            return own;
        release(handle);
    }
    return NULL;
}

static void threads_make_and_free_while_others_look(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    uintptr_t handles[THREADS];
    void *wrong;
    for (uintptr_t i = 0; i < THREADS; i++) {
        handles[i] = 20 + i;
        fake_set(20 + i, 0xff, 0);
        fake_set(24 + i, 0xff, 0);
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, &handles[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identities_differ_where_any_part_does),
        cmocka_unit_test(a_peer_is_a_global_rank_none_or_unknown),
        cmocka_unit_test(an_index_of_fortran_counts_from_one),
        cmocka_unit_test_setup(what_is_no_communicator_is_not_found, setup),
        cmocka_unit_test_setup(a_handle_that_comes_again_is_another_communicator, setup),
        cmocka_unit_test_setup(a_handle_whose_freeing_was_not_seen_is_another_communicator_too, setup),
        cmocka_unit_test_setup(members_that_got_none_count_the_call_too, setup),
        cmocka_unit_test_setup(both_sides_of_an_intercommunicator_identify_it_alike, setup),
        cmocka_unit_test_setup(two_thousand_duplicates_of_each_other_are_all_told_apart, setup),
        cmocka_unit_test_setup(only_names_that_the_program_gave_are_kept, setup),
        cmocka_unit_test_setup(members_of_another_world_are_unknown_peers, setup),
        cmocka_unit_test_setup(threads_make_and_free_while_others_look, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
