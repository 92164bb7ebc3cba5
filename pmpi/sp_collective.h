/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COLLECTIVE_H
#define SP_COLLECTIVE_H

/* What a collective call says about traffic, by the role of this rank: sent is what it contributes, received what lands in its
 * buffer. Of an intercommunicator the root passes MPI_ROOT and its companions MPI_PROC_NULL, who take no part. All Local, any
 * thread; as sp_note.h. */

#include "sp_comms.h"
#include "sp_note.h"

#include <stddef.h>

/* An array of int (C and Fortran) or MPI_Count counts, and one of types (of Fortran: handles). */
struct sp_counts {
    const void *values;
    size_t width;
};
struct sp_types {
    const void *values;
    int is_fortran;
};

struct sp_traffic {
    int64_t sent, received;
    int32_t root; /* global rank; -1 none */
    int32_t communicator;
};

/* Records it now: one record at least, so that every collective call is known with its communicator. Its parts go in registers: to
 * hand a structure on through memory costs more than all the rest of a record. */
void sp_note_collective(int64_t sent, int64_t received, int32_t root, int32_t communicator);
static inline __attribute__((always_inline)) void sp_note(struct sp_traffic traffic)
{
    sp_note_collective(traffic.sent, traffic.received, traffic.root, traffic.communicator);
}

/* Keeps it for each start of a persistent request. */
void sp_plan(struct sp_traffic traffic, const MPI_Request *request);

/* Members of this rank's group, processes it exchanges with (of an intercommunicator the remote group), and its own rank. */
int64_t sp_members(MPI_Comm comm);
int64_t sp_peers(MPI_Comm comm);
int sp_own_rank(MPI_Comm comm);

/* Bytes of a count each: for the peers, for the members of this rank's group, for this rank; _w: a type each, for the peers. */
int64_t sp_bytes_v(struct sp_counts counts, MPI_Datatype type, MPI_Comm comm);
int64_t sp_bytes_members(struct sp_counts counts, MPI_Datatype type, MPI_Comm comm);
int64_t sp_bytes_own(struct sp_counts counts, MPI_Datatype type, MPI_Comm comm);
int64_t sp_bytes_w(struct sp_counts counts, struct sp_types types, MPI_Comm comm);

static inline __attribute__((always_inline)) struct sp_traffic sp_traffic_all(MPI_Comm comm, int64_t sent, int64_t received)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return (struct sp_traffic){.sent = sent, .received = received, .root = -1, .communicator = c ? c->id : -1};
}

struct sp_traffic sp_traffic_rooted(
    MPI_Comm comm, int root, int64_t root_sent, int64_t other_sent, int64_t root_received, int64_t other_received);
struct sp_traffic sp_traffic_gather(
    MPI_Comm comm, int root, int in_place, int64_t sendcount, MPI_Datatype sendtype, int64_t recvcount, MPI_Datatype recvtype);
struct sp_traffic sp_traffic_gatherv(
    MPI_Comm comm, int root, int in_place, int64_t sendcount, MPI_Datatype sendtype, struct sp_counts recvcounts, MPI_Datatype recvtype);
struct sp_traffic sp_traffic_scatter(
    MPI_Comm comm, int root, int in_place, int64_t sendcount, MPI_Datatype sendtype, int64_t recvcount, MPI_Datatype recvtype);
struct sp_traffic sp_traffic_scatterv(
    MPI_Comm comm, int root, int in_place, struct sp_counts sendcounts, MPI_Datatype sendtype, int64_t recvcount, MPI_Datatype recvtype);

/* Over a neighbourhood: bytes to each destination and from each source; MPI_PROC_NULL at the edge of a grid gets and gives none. */
struct sp_traffic sp_traffic_neighbours(MPI_Comm comm, int64_t sent_each, int64_t received_each);
struct sp_traffic sp_traffic_neighbours_from(MPI_Comm comm, int64_t sent_each, struct sp_counts recvcounts, MPI_Datatype recvtype);
struct sp_traffic sp_traffic_neighbours_v(
    MPI_Comm comm, struct sp_counts sendcounts, MPI_Datatype sendtype, struct sp_counts recvcounts, MPI_Datatype recvtype);
struct sp_traffic sp_traffic_neighbours_w(
    MPI_Comm comm, struct sp_counts sendcounts, struct sp_types sendtypes, struct sp_counts recvcounts, struct sp_types recvtypes);

#endif
