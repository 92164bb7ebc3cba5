/* SPDX-License-Identifier: BSD-3-Clause */
/* Of an MPI whose communicators all have the two processes of the world. */
#include "../sp_test.h"
#include "sp_call.h"
#include "sp_owners.h"

#include <string.h>

struct sp_mpi sp_mpi;
const struct sp_runtime_internal *sp_call_runtime;

static int rank_of(MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = 0;
    return MPI_SUCCESS;
}

static int is_inter(MPI_Comm comm, int *flag)
{
    (void)comm;
    *flag = 0;
    return MPI_SUCCESS;
}

static int group_of(MPI_Comm comm, MPI_Group *group)
{
    (void)comm;
    memset(group, 0, sizeof *group);
    return MPI_SUCCESS;
}

static int size_of(MPI_Group group, int *size)
{
    (void)group;
    *size = 2;
    return MPI_SUCCESS;
}

static int translate(MPI_Group group, int n, const int ranks[], MPI_Group other, int result[])
{
    (void)group;
    (void)other;
    memcpy(result, ranks, sizeof *ranks * (size_t)n);
    return MPI_SUCCESS;
}

static int free_group(MPI_Group *group)
{
    (void)group;
    return MPI_SUCCESS;
}

static int topology_of(MPI_Comm comm, int *topology)
{
    (void)comm;
    *topology = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int recorded;

static void communicator(const struct sp_spill_communicator *record, const char *name, const int32_t *members)
{
    (void)name;
    assert_int_equal(record->size, 2);
    assert_int_equal(members[1], 1);
    recorded++;
}

/* A handle that only has to be equal to itself. */
static MPI_Comm comm_of(uintptr_t n)
{
    MPI_Comm handle;
    memset(&handle, 0, sizeof handle);
    memcpy(&handle, &n, sizeof handle < sizeof n ? sizeof handle : sizeof n);
    return handle;
}

static int setup(void **state)
{
    (void)state;
    static struct sp_runtime_internal runtime;
    runtime.communicator = communicator;
    sp_call_runtime = &runtime;
    sp_mpi.Comm_rank = rank_of;
    sp_mpi.Comm_test_inter = is_inter;
    sp_mpi.Comm_group = group_of;
    sp_mpi.Group_size = size_of;
    sp_mpi.Group_translate_ranks = translate;
    sp_mpi.Group_free = free_group;
    sp_mpi.Topo_test = topology_of;
    sp_mpi.comm_world = comm_of(16);
    sp_mpi.comm_self = comm_of(32);
    sp_mpi.comm_null = comm_of(48);
    sp_mpi.world_size = 2;
    return 0;
}

static void what_was_made_on_a_communicator_is_found_with_it(void **state)
{
    (void)state;
    sp_owners_add(1000, comm_of(160));
    sp_owners_add(2000, comm_of(176));
    const struct sp_comm *first = sp_owners_find(1000), *second = sp_owners_find(2000);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_equal(first, sp_comms_find(comm_of(160)));
    assert_ptr_equal(second, sp_comms_find(comm_of(176)));
    assert_int_equal(recorded, 2);
    assert_null(sp_owners_find(3000));
    sp_owners_remove(1000);
    sp_owners_remove(2000);
    assert_null(sp_owners_find(1000));
    sp_owners_remove(1000); /* not there: nothing happens */
}

static void a_window_outlives_its_communicators_handle(void **state)
{
    (void)state;
    sp_owners_add(1000, comm_of(192));
    int32_t id = sp_owners_find(1000)->id;
    sp_comms_freed(comm_of(192));
    assert_int_equal(sp_owners_find(1000)->id, id);
    assert_int_equal(sp_comms_global_rank(sp_owners_find(1000), 1), 1);
    assert_true(sp_comms_find(comm_of(192))->id != id); /* the handle came again */
    sp_owners_remove(1000);
    sp_comms_freed(comm_of(192));
}

static void a_handle_that_comes_again_has_its_new_owner(void **state)
{
    (void)state;
    sp_owners_add(1000, comm_of(208));
    assert_ptr_equal(sp_owners_find(1000), sp_comms_find(comm_of(208)));
    sp_owners_add(1000, comm_of(224)); /* its freeing was not seen */
    assert_ptr_equal(sp_owners_find(1000), sp_comms_find(comm_of(224)));
    sp_owners_remove(1000);
    assert_null(sp_owners_find(1000));
}

static void many_are_told_apart(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 1000; i++)
        sp_owners_add(i * 64, comm_of(256 + 16 * (i % 7)));
    for (uint64_t i = 1; i <= 1000; i++)
        assert_ptr_equal(sp_owners_find(i * 64), sp_comms_find(comm_of(256 + 16 * (i % 7))));
    for (uint64_t i = 1; i <= 1000; i++)
        sp_owners_remove(i * 64);
    for (uint64_t i = 1; i <= 1000; i++)
        assert_null(sp_owners_find(i * 64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_made_on_a_communicator_is_found_with_it),
        cmocka_unit_test(a_window_outlives_its_communicators_handle),
        cmocka_unit_test(a_handle_that_comes_again_has_its_new_owner),
        cmocka_unit_test(many_are_told_apart),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
