/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_collective.h"
#include "sp_call.h"
#include "sp_key.h"
#include "sp_requests.h"

#include <stddef.h>

void sp_note_collective(int64_t sent, int64_t received, int32_t root, int32_t communicator)
{
    if (sent > 0 || received == 0)
        sp_call_message(SP_OPERATION_COLLECTIVE, sent, root, -1, communicator, 0);
    if (received > 0)
        sp_call_message(SP_OPERATION_COLLECTIVE_RECEIVE, received, root, -1, communicator, 0);
}

void sp_plan(struct sp_traffic traffic, const MPI_Request *request)
{
    struct sp_request r = {.key = sp_key_of_request(*request),
        .kind = SP_REQUEST_COLLECTIVE,
        .is_persistent = 1,
        .bytes = traffic.sent,
        .received = traffic.received,
        .peer = traffic.root,
        .tag = -1,
        .communicator = traffic.communicator};
    if (!sp_call_follows) /* then the freeing of an earlier one was not seen; else a live one may be about to complete */
        sp_requests_forget(r.key);
    sp_requests_add(&r);
}

int64_t sp_members(MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return c ? c->size : 0;
}

int64_t sp_peers(MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return c ? c->peer_count : 0;
}

int sp_own_rank(MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return c ? c->rank : -1;
}

static int64_t count_at(struct sp_counts counts, int64_t i)
{
    int64_t count = counts.width == sizeof(int) ? ((const int *)counts.values)[i] : (int64_t)((const MPI_Count *)counts.values)[i];
    return count > 0 ? count : 0;
}

static MPI_Datatype type_at(struct sp_types types, int64_t i)
{
    return types.is_fortran ? sp_mpi.Type_f2c(((const MPI_Fint *)types.values)[i]) : ((const MPI_Datatype *)types.values)[i];
}

static int64_t bytes_of(struct sp_counts counts, MPI_Datatype type, int64_t number)
{
    int64_t elements = 0;
    for (int64_t i = 0; i < number; i++)
        elements += count_at(counts, i);
    return sp_bytes(elements, type);
}

int64_t sp_bytes_v(struct sp_counts counts, MPI_Datatype type, MPI_Comm comm)
{
    return bytes_of(counts, type, sp_peers(comm));
}

int64_t sp_bytes_members(struct sp_counts counts, MPI_Datatype type, MPI_Comm comm)
{
    return bytes_of(counts, type, sp_members(comm));
}

int64_t sp_bytes_own(struct sp_counts counts, MPI_Datatype type, MPI_Comm comm)
{
    int rank = sp_own_rank(comm);
    return rank >= 0 ? sp_bytes(count_at(counts, rank), type) : 0;
}

int64_t sp_bytes_w(struct sp_counts counts, struct sp_types types, MPI_Comm comm)
{
    int64_t bytes = 0, peers = sp_peers(comm);
    for (int64_t i = 0; i < peers; i++)
        if (count_at(counts, i) > 0)
            bytes += sp_bytes(count_at(counts, i), type_at(types, i));
    return bytes;
}

static int is_root(const struct sp_comm *c, int root)
{
    return c && (c->is_inter ? root == MPI_ROOT : root == c->rank);
}

static int takes_part(const struct sp_comm *c, int root)
{
    return c && !(c->is_inter && root == MPI_PROC_NULL);
}

struct sp_traffic sp_traffic_rooted(
    MPI_Comm comm, int root, int64_t root_sent, int64_t other_sent, int64_t root_received, int64_t other_received)
{
    const struct sp_comm *c = sp_comms_find(comm);
    struct sp_traffic traffic = sp_traffic_all(comm, 0, 0);
    if (root >= 0)
        traffic.root = sp_comms_global_rank(c, root);
    if (takes_part(c, root)) {
        traffic.sent = is_root(c, root) ? root_sent : other_sent;
        traffic.received = is_root(c, root) ? root_received : other_received;
    }
    return traffic;
}

/* Where all but the root send: the root sends to itself too, but not from another group. */
static struct sp_traffic gathered(MPI_Comm comm, int root, int64_t root_sent, int64_t other_sent, int64_t received)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return sp_traffic_rooted(comm, root, c && c->is_inter ? 0 : root_sent, other_sent, received, 0);
}

static struct sp_traffic scattered(MPI_Comm comm, int root, int64_t sent, int64_t root_received, int64_t other_received)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return sp_traffic_rooted(comm, root, sent, 0, c && c->is_inter ? 0 : root_received, other_received);
}

/* Arguments that are significant at the root only are not looked at elsewhere. */
struct sp_traffic sp_traffic_gather(
    MPI_Comm comm, int root, int in_place, int64_t sendcount, MPI_Datatype sendtype, int64_t recvcount, MPI_Datatype recvtype)
{
    if (!is_root(sp_comms_find(comm), root))
        return gathered(comm, root, 0, root == MPI_PROC_NULL ? 0 : sp_bytes(sendcount, sendtype), 0);
    int64_t part = sp_bytes(recvcount, recvtype);
    return gathered(comm, root, in_place || root == MPI_ROOT ? part : sp_bytes(sendcount, sendtype), 0, part * sp_peers(comm));
}

struct sp_traffic sp_traffic_gatherv(
    MPI_Comm comm, int root, int in_place, int64_t sendcount, MPI_Datatype sendtype, struct sp_counts recvcounts, MPI_Datatype recvtype)
{
    if (!is_root(sp_comms_find(comm), root))
        return gathered(comm, root, 0, root == MPI_PROC_NULL ? 0 : sp_bytes(sendcount, sendtype), 0);
    int64_t own = 0;
    if (root != MPI_ROOT)
        own = in_place ? sp_bytes_own(recvcounts, recvtype, comm) : sp_bytes(sendcount, sendtype);
    return gathered(comm, root, own, 0, sp_bytes_v(recvcounts, recvtype, comm));
}

struct sp_traffic sp_traffic_scatter(
    MPI_Comm comm, int root, int in_place, int64_t sendcount, MPI_Datatype sendtype, int64_t recvcount, MPI_Datatype recvtype)
{
    if (!is_root(sp_comms_find(comm), root))
        return scattered(comm, root, 0, 0, root == MPI_PROC_NULL ? 0 : sp_bytes(recvcount, recvtype));
    int64_t part = sp_bytes(sendcount, sendtype);
    return scattered(comm, root, part * sp_peers(comm), in_place || root == MPI_ROOT ? part : sp_bytes(recvcount, recvtype), 0);
}

struct sp_traffic sp_traffic_scatterv(
    MPI_Comm comm, int root, int in_place, struct sp_counts sendcounts, MPI_Datatype sendtype, int64_t recvcount, MPI_Datatype recvtype)
{
    if (!is_root(sp_comms_find(comm), root))
        return scattered(comm, root, 0, 0, root == MPI_PROC_NULL ? 0 : sp_bytes(recvcount, recvtype));
    int64_t own = 0;
    if (root != MPI_ROOT)
        own = in_place ? sp_bytes_own(sendcounts, sendtype, comm) : sp_bytes(recvcount, recvtype);
    return scattered(comm, root, sp_bytes_v(sendcounts, sendtype, comm), own, 0);
}

static const struct sp_neighbours *neighbours_of(MPI_Comm comm)
{
    static const struct sp_neighbours none;
    const struct sp_comm *c = sp_comms_find(comm);
    return c ? &c->neighbours : &none;
}

static int64_t present(const int ranks[], int count)
{
    int64_t number = 0;
    for (int i = 0; i < count; i++)
        number += ranks[i] >= 0;
    return number;
}

static int64_t bytes_with(const int ranks[], int number, struct sp_counts counts, MPI_Datatype type)
{
    int64_t elements = 0;
    for (int i = 0; i < number; i++)
        elements += ranks[i] >= 0 ? count_at(counts, i) : 0;
    return sp_bytes(elements, type);
}

static int64_t bytes_with_w(const int ranks[], int number, struct sp_counts counts, struct sp_types types)
{
    int64_t bytes = 0;
    for (int i = 0; i < number; i++)
        if (ranks[i] >= 0 && count_at(counts, i) > 0)
            bytes += sp_bytes(count_at(counts, i), type_at(types, i));
    return bytes;
}

struct sp_traffic sp_traffic_neighbours(MPI_Comm comm, int64_t sent_each, int64_t received_each)
{
    const struct sp_neighbours *n = neighbours_of(comm);
    return sp_traffic_all(
        comm, sent_each * present(n->destinations, n->destination_count), received_each * present(n->sources, n->source_count));
}

struct sp_traffic sp_traffic_neighbours_from(MPI_Comm comm, int64_t sent_each, struct sp_counts recvcounts, MPI_Datatype recvtype)
{
    const struct sp_neighbours *n = neighbours_of(comm);
    return sp_traffic_all(
        comm, sent_each * present(n->destinations, n->destination_count), bytes_with(n->sources, n->source_count, recvcounts, recvtype));
}

struct sp_traffic sp_traffic_neighbours_v(
    MPI_Comm comm, struct sp_counts sendcounts, MPI_Datatype sendtype, struct sp_counts recvcounts, MPI_Datatype recvtype)
{
    const struct sp_neighbours *n = neighbours_of(comm);
    return sp_traffic_all(comm, bytes_with(n->destinations, n->destination_count, sendcounts, sendtype),
        bytes_with(n->sources, n->source_count, recvcounts, recvtype));
}

struct sp_traffic sp_traffic_neighbours_w(
    MPI_Comm comm, struct sp_counts sendcounts, struct sp_types sendtypes, struct sp_counts recvcounts, struct sp_types recvtypes)
{
    const struct sp_neighbours *n = neighbours_of(comm);
    return sp_traffic_all(comm, bytes_with_w(n->destinations, n->destination_count, sendcounts, sendtypes),
        bytes_with_w(n->sources, n->source_count, recvcounts, recvtypes));
}
