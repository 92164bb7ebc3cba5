/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COMMS_H
#define SP_COMMS_H

/* The communicators of the process: found by handle, with an id, an identity equal on all members (found without communication:
 * parent, ordinal of the creating call on the parent, lowest global rank of the group) and the global ranks of their members. */

#include "sp_mpi.h"

#include <stdint.h>

struct sp_comm {
    MPI_Comm handle;
    int32_t id; /* in this process, in the order they were met */
    int32_t rank, size, peer_count;
    int is_inter;
    uint64_t identity, parent;
    uint64_t children; /* creating calls on it so far */
    int32_t *members; /* global rank of each member; -1 of another world */
    int32_t *peers;   /* of each rank that can be sent to: members, or the remote group; owned as members unless is_inter */
};

/* Data of a handle; met for the first time it is asked of MPI. NULL for MPI_COMM_NULL and without memory. Valid until freed. */
const struct sp_comm *sp_comms_find(MPI_Comm handle);

/* A communicator made by a call on parent (ordinal: the call's number on the parent; or the tag of create_group). */
void sp_comms_created(MPI_Comm parent, MPI_Comm handle);
void sp_comms_created_by_group(MPI_Comm parent, int tag, MPI_Comm handle);

/* Counts a creating call whose result is not known yet. */
void sp_comms_counted(MPI_Comm parent);

/* Forgets a handle: it may come again for another communicator. */
void sp_comms_freed(MPI_Comm handle);

/* Splitmix64 over the three; pure. */
uint64_t sp_comms_identity(uint64_t parent, uint64_t ordinal, uint64_t lowest);

/* Global rank of a peer; -1 none (MPI_PROC_NULL), -2 unknown (wildcards, other worlds). */
int32_t sp_comms_global_rank(const struct sp_comm *comm, int peer);

#endif
