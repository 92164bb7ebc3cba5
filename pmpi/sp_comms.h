/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COMMS_H
#define SP_COMMS_H

/* The communicators this process has met, by handle. Identified without communication, equally on all members: parent, ordinal of
 * the creating call on the parent, lowest global rank of the members; where not all of the parent's members make the call, by the
 * members themselves. Handles are used again after a free. Any thread. All Local; asks MPI only about communicators it is given,
 * and for the global ranks of their members. */

#include "sp_mpi.h"

#include <stdint.h>

/* Who a collective over a neighbourhood exchanges with: ranks of the communicator, MPI_PROC_NULL at the edge of a grid. */
struct sp_neighbours {
    int source_count, destination_count;
    int *sources, *destinations;
};

struct sp_comm {
    MPI_Comm handle;
    int32_t id; /* in this process, in the order they were met */
    int32_t rank, size, peer_count;
    int is_inter;
    int is_joint; /* an intracommunicator all of whose members take part, and all of them know it from the call that made it on */
    uint64_t identity, parent;
    uint64_t children; /* creating calls on it so far */
    int32_t *members;  /* global rank of each member; -1 of another world */
    int32_t *peers;    /* of each rank that can be sent to: members, or the remote group; owned as members unless is_inter */
    struct sp_neighbours neighbours;
    int holds; /* by its handle, and by windows and files made on it */
};

/* A creating call on a communicator whose result is not known yet. */
struct sp_comm_birth {
    uint64_t parent, ordinal;
};

/* Data of a handle; met for the first time it is asked of MPI. NULL for MPI_COMM_NULL, outside the run and without memory. Valid
 * until freed. Takes no lock for those the thread used last. */
const struct sp_comm *sp_comms_find(MPI_Comm handle);

/* The same for those that were met; asks MPI nothing. */
const struct sp_comm *sp_comms_find_known(MPI_Comm handle);

/* The same, kept until released even if the communicator is freed. */
const struct sp_comm *sp_comms_hold(MPI_Comm handle);
void sp_comms_release(const struct sp_comm *comm);

/* A communicator made by a call on parent that all its members make. */
void sp_comms_created(MPI_Comm parent, MPI_Comm handle);

/* The same in two steps. */
struct sp_comm_birth sp_comms_conceive(MPI_Comm parent);
void sp_comms_born(struct sp_comm_birth birth, MPI_Comm handle);

/* One made by its own members alone: MPI_Comm_create_group, or the two sides of an intercommunicator. parent may be null. */
void sp_comms_created_by_groups(MPI_Comm parent, int tag, MPI_Comm handle);

/* The program gave it a name. */
void sp_comms_named(MPI_Comm handle);

/* Forgets a handle: it may come again for another communicator. */
void sp_comms_freed(MPI_Comm handle);

/* Splitmix64 over the three; pure. */
uint64_t sp_comms_identity(uint64_t parent, uint64_t ordinal, uint64_t lowest);

/* Global rank of a peer; -1 none (MPI_PROC_NULL), -2 unknown (wildcards, other worlds). */
int32_t sp_comms_global_rank(const struct sp_comm *comm, int peer);

#endif
