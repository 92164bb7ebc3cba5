/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAKE_MPI_H
#define FAKE_MPI_H

/* As much of an MPI as sp_comms asks, in a world of 8: a handle stands for the members fake_set gives it, and its remote group. Handles
 * and groups are numbers. */

#include "sp_call.h"
#include "sp_comms.h"

#include <string.h>

enum { FAKE_WORLD = 8, FAKE_HANDLES = 64 };

struct fake_group {
    int size, ranks[FAKE_WORLD]; /* -1: of another world */
};

struct sp_mpi sp_mpi;
const struct sp_runtime_internal *sp_call_runtime;
static struct fake_group fake_local[FAKE_HANDLES], fake_remote[FAKE_HANDLES]; /* remote of size 0: an intracommunicator */
static int fake_published;
static char fake_last_name[64];

#define FAKE_HANDLE(type) \
    static type fake_##type(uintptr_t n) \
    { \
        type handle; \
        memset(&handle, 0, sizeof handle); \
        memcpy(&handle, &n, sizeof handle < sizeof n ? sizeof handle : sizeof n); \
        return handle; \
    } \
    static uintptr_t fake_number_##type(type handle) \
    { \
        uintptr_t n = 0; \
        memcpy(&n, &handle, sizeof handle < sizeof n ? sizeof handle : sizeof n); \
        return n; \
    }

FAKE_HANDLE(MPI_Comm)
FAKE_HANDLE(MPI_Group)

static int fake_comm_rank(MPI_Comm comm, int *rank)
{
    const struct fake_group *group = &fake_local[fake_number_MPI_Comm(comm)];
    *rank = 0;
    while (*rank < group->size && group->ranks[*rank] != sp_mpi.world_rank)
        ++*rank;
    return MPI_SUCCESS;
}

static int fake_comm_test_inter(MPI_Comm comm, int *is_inter)
{
    *is_inter = fake_remote[fake_number_MPI_Comm(comm)].size > 0;
    return MPI_SUCCESS;
}

static int fake_comm_group(MPI_Comm comm, MPI_Group *group)
{
    *group = fake_MPI_Group(fake_number_MPI_Comm(comm));
    return MPI_SUCCESS;
}

static int fake_comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    *group = fake_MPI_Group(fake_number_MPI_Comm(comm) + FAKE_HANDLES);
    return MPI_SUCCESS;
}

static const struct fake_group *fake_group_of(MPI_Group group)
{
    uintptr_t n = fake_number_MPI_Group(group);
    return n < FAKE_HANDLES ? &fake_local[n] : &fake_remote[n - FAKE_HANDLES];
}

static int fake_group_size(MPI_Group group, int *size)
{
    *size = fake_group_of(group)->size;
    return MPI_SUCCESS;
}

static int fake_group_translate_ranks(MPI_Group group, int n, const int ranks[], MPI_Group world, int out[])
{
    (void)world;
    for (int i = 0; i < n; i++) {
        int rank = fake_group_of(group)->ranks[ranks[i]];
        out[i] = rank < 0 ? MPI_UNDEFINED : rank;
    }
    return MPI_SUCCESS;
}

static int fake_group_free(MPI_Group *group)
{
    (void)group;
    return MPI_SUCCESS;
}

static int fake_comm_get_name(MPI_Comm comm, char *name, int *length)
{
    (void)comm;
    strcpy(name, "of the program");
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

static int fake_topo_test(MPI_Comm comm, int *topology)
{
    (void)comm;
    *topology = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static void fake_communicator(const struct sp_spill_communicator *record, const char *name, const int32_t *members)
{
    (void)members;
    fake_published++;
    memset(fake_last_name, 0, sizeof fake_last_name);
    memcpy(fake_last_name, name, record->name_bytes);
}

/* Members are the bits of local; remote likewise, 0 for none. */
static void fake_set(uintptr_t handle, unsigned local, unsigned remote)
{
    struct fake_group *groups[] = {&fake_local[handle], &fake_remote[handle]};
    const unsigned bits[] = {local, remote};
    for (int g = 0; g < 2; g++) {
        groups[g]->size = 0;
        for (int rank = 0; rank < FAKE_WORLD; rank++)
            if (bits[g] >> rank & 1)
                groups[g]->ranks[groups[g]->size++] = rank;
    }
}

static void fake_start(int world_rank)
{
    static struct sp_runtime_internal runtime;
    runtime.communicator = fake_communicator;
    sp_call_runtime = &runtime;
    sp_mpi.world_rank = world_rank;
    sp_mpi.world_size = FAKE_WORLD;
    sp_mpi.comm_world = fake_MPI_Comm(1);
    sp_mpi.comm_self = fake_MPI_Comm(2);
    sp_mpi.comm_null = fake_MPI_Comm(3);
    sp_mpi.Comm_rank = fake_comm_rank;
    sp_mpi.Comm_test_inter = fake_comm_test_inter;
    sp_mpi.Comm_group = fake_comm_group;
    sp_mpi.Comm_remote_group = fake_comm_remote_group;
    sp_mpi.Group_size = fake_group_size;
    sp_mpi.Group_translate_ranks = fake_group_translate_ranks;
    sp_mpi.Group_free = fake_group_free;
    sp_mpi.Comm_get_name = fake_comm_get_name;
    sp_mpi.Topo_test = fake_topo_test;
    fake_set(1, 0xff, 0);
    fake_set(2, 1u << world_rank, 0);
}

#endif
