/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_call.h"
#include "sp_comms.h"
#include "sp_note.h"

struct sp_mpi sp_mpi;
const struct sp_runtime_internal *sp_call_runtime;

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identities_differ_where_any_part_does),
        cmocka_unit_test(a_peer_is_a_global_rank_none_or_unknown),
        cmocka_unit_test(an_index_of_fortran_counts_from_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
