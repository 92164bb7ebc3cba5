/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_note.h"
#include "sp_call.h"
#include "sp_comms.h"

#include <stddef.h>

int64_t sp_bytes(int count, MPI_Datatype type)
{
    MPI_Count size = 0;
    if (count <= 0 || sp_mpi.Type_size_x(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return (int64_t)count * (int64_t)size;
}

int64_t sp_peers(MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return c ? c->peer_count : 0;
}

int64_t sp_bytes_v(const int counts[], MPI_Datatype type, MPI_Comm comm)
{
    int64_t elements = 0, peers = sp_peers(comm);
    for (int64_t i = 0; i < peers; i++)
        elements += counts[i] > 0 ? counts[i] : 0;
    return elements * sp_bytes(1, type);
}

int64_t sp_bytes_own(const int counts[], MPI_Datatype type, MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return c && !c->is_inter ? sp_bytes(counts[c->rank], type) : 0;
}

int64_t sp_bytes_w(const int counts[], const MPI_Datatype types[], MPI_Comm comm)
{
    int64_t bytes = 0, peers = sp_peers(comm);
    for (int64_t i = 0; i < peers; i++)
        bytes += counts[i] > 0 ? sp_bytes(counts[i], types[i]) : 0;
    return bytes;
}

int64_t sp_bytes_w_fortran(const MPI_Fint counts[], const MPI_Fint types[], MPI_Comm comm)
{
    int64_t bytes = 0, peers = sp_peers(comm);
    for (int64_t i = 0; i < peers; i++)
        bytes += counts[i] > 0 ? sp_bytes((int)counts[i], sp_mpi.Type_f2c(types[i])) : 0;
    return bytes;
}

static int32_t id_of(const struct sp_comm *comm)
{
    return comm ? comm->id : -1;
}

void sp_note_send(int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    int32_t peer = sp_comms_global_rank(c, dest);
    sp_call_runtime->message((struct sp_spill_message){.bytes = peer == -1 ? 0 : sp_bytes(count, type),
        .peer = peer,
        .tag = tag,
        .communicator = id_of(c),
        .operation = SP_OPERATION_SEND});
}

static int64_t actual_bytes(const MPI_Status *status, int64_t posted)
{
    MPI_Count bytes = 0;
    if (!status || sp_mpi.Get_elements_x(status, sp_mpi.byte, &bytes) != MPI_SUCCESS || bytes < 0)
        return posted;
    return (int64_t)bytes;
}

/* A receive that is over: what the status knows comes before what was posted. */
static void note_received(const struct sp_request *r, const MPI_Status *status)
{
    struct sp_spill_message message = {.bytes = r->bytes,
        .request = r->number,
        .peer = r->peer,
        .tag = r->tag,
        .communicator = r->communicator,
        .operation = SP_OPERATION_RECEIVE};
    if (r->peer == -1)
        message.bytes = 0;
    else if (status) {
        message.bytes = actual_bytes(status, r->bytes);
        if (r->peer == -2 && r->communicator >= 0)
            message.peer = sp_comms_global_rank(sp_comms_find(r->comm), status->MPI_SOURCE);
        if (r->tag < 0)
            message.tag = status->MPI_TAG;
    }
    sp_call_runtime->message(message);
}

static struct sp_request make_receive(int count, MPI_Datatype type, int source, int tag, MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    return (struct sp_request){.bytes = sp_bytes(count, type),
        .peer = sp_comms_global_rank(c, source),
        .tag = tag == MPI_ANY_TAG ? -1 : tag,
        .communicator = id_of(c),
        .comm = comm,
        .is_active = 1};
}

void sp_note_receive(int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Status *status)
{
    struct sp_request receive = make_receive(count, type, source, tag, comm);
    note_received(&receive, status);
}

/* Of a matched message the communicator is not known here: its source stays a rank of that communicator and is left out. */
void sp_note_matched_receive(int count, MPI_Datatype type, const MPI_Status *status)
{
    struct sp_request receive = {.bytes = sp_bytes(count, type), .peer = -2, .tag = -1, .communicator = -1};
    note_received(&receive, status);
}

void sp_note_post_receive(int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request)
{
    struct sp_request receive = make_receive(count, type, source, tag, comm);
    receive.handle = *request;
    if (receive.peer != -1)
        sp_requests_add(&receive);
}

void sp_note_post_matched_receive(int count, MPI_Datatype type, const MPI_Request *request)
{
    struct sp_request receive = {
        .handle = *request, .bytes = sp_bytes(count, type), .peer = -2, .tag = -1, .communicator = -1, .is_active = 1};
    sp_requests_add(&receive);
}

void sp_note_persistent_send(int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request)
{
    const struct sp_comm *c = sp_comms_find(comm);
    struct sp_request send = {.handle = *request,
        .bytes = sp_bytes(count, type),
        .peer = sp_comms_global_rank(c, dest),
        .tag = tag,
        .communicator = id_of(c),
        .is_send = 1,
        .is_persistent = 1};
    if (send.peer == -1)
        send.bytes = 0;
    sp_requests_add(&send);
}

void sp_note_persistent_receive(int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request)
{
    struct sp_request receive = make_receive(count, type, source, tag, comm);
    receive.handle = *request;
    receive.is_active = 0;
    receive.is_persistent = 1;
    sp_requests_add(&receive);
}

static void note_started(MPI_Request handle)
{
    struct sp_request r;
    if (!sp_requests_any() || !sp_requests_start(handle, &r) || !r.is_send)
        return;
    sp_call_runtime->message((struct sp_spill_message){.bytes = r.bytes,
        .request = r.number,
        .peer = r.peer,
        .tag = r.tag,
        .communicator = r.communicator,
        .operation = SP_OPERATION_SEND});
}

void sp_note_started(int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++)
        note_started(requests[i]);
}

void sp_note_started_fortran(int count, const MPI_Fint requests[])
{
    for (int i = 0; i < count; i++)
        note_started(sp_mpi.Request_f2c(requests[i]));
}

void sp_note_done(struct sp_saved *saved, int index, const MPI_Status *status)
{
    struct sp_request r;
    if (index < 0 || index >= saved->count || !sp_requests_complete(saved->handles[index], &r) || r.is_send)
        return;
    note_received(&r, status);
}

static const MPI_Status *status_at(const MPI_Status *statuses, int index)
{
    return statuses == NULL || statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[index];
}

void sp_note_done_all(struct sp_saved *saved, const MPI_Status statuses[])
{
    for (int i = 0; i < saved->count; i++)
        sp_note_done(saved, i, status_at(statuses, i));
}

void sp_note_done_some(struct sp_saved *saved, int count, const int indices[], const MPI_Status statuses[])
{
    for (int i = 0; i < count; i++)
        sp_note_done(saved, indices[i], status_at(statuses, i));
}

void sp_note_done_some_fortran(struct sp_saved *saved, int count, const MPI_Fint indices[], const MPI_Status statuses[])
{
    for (int i = 0; i < count; i++)
        sp_note_done(saved, (int)indices[i] - 1, status_at(statuses, i));
}

void sp_note_request_freed(struct sp_saved *saved)
{
    if (saved->count > 0)
        sp_requests_forget(saved->handles[0]);
}

static void note_part(const struct sp_comm *c, int root, int64_t bytes, int operation)
{
    sp_call_runtime->message((struct sp_spill_message){.bytes = bytes,
        .peer = root < 0 ? -1 : sp_comms_global_rank(c, root),
        .tag = -1,
        .communicator = id_of(c),
        .operation = operation});
}

/* One record at least, so that every collective call is known with its communicator. */
void sp_note_collective(MPI_Comm comm, int root, int64_t sent, int64_t received)
{
    const struct sp_comm *c = sp_comms_find(comm);
    if (sent > 0 || received == 0)
        note_part(c, root, sent, SP_OPERATION_COLLECTIVE);
    if (received > 0)
        note_part(c, root, received, SP_OPERATION_COLLECTIVE_RECEIVE);
}

/* Of an intercommunicator the root passes MPI_ROOT, its companions MPI_PROC_NULL. */
static int is_root(const struct sp_comm *c, int root)
{
    return c && (c->is_inter ? root == MPI_ROOT : root == c->rank);
}

static int takes_part(const struct sp_comm *c, int root)
{
    return c && !(c->is_inter && root == MPI_PROC_NULL);
}

void sp_note_rooted(MPI_Comm comm, int root, int64_t root_sent, int64_t other_sent, int64_t root_received, int64_t other_received)
{
    const struct sp_comm *c = sp_comms_find(comm);
    int at_root = is_root(c, root), any = takes_part(c, root);
    int64_t sent = at_root ? root_sent : other_sent, received = at_root ? root_received : other_received;
    sp_note_collective(comm, root, any ? sent : 0, any ? received : 0);
}

void sp_note_gather(MPI_Comm comm, int root, int in_place, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype)
{
    int at_root = is_root(sp_comms_find(comm), root);
    int64_t sent = at_root && in_place ? sp_bytes(recvcount, recvtype) : sp_bytes(sendcount, sendtype);
    int64_t gathered = at_root ? sp_bytes(recvcount, recvtype) * sp_peers(comm) : 0;
    sp_note_rooted(comm, root, sent, sent, gathered, 0);
}

void sp_note_gatherv(
    MPI_Comm comm, int root, int in_place, int sendcount, MPI_Datatype sendtype, const int recvcounts[], MPI_Datatype recvtype)
{
    int at_root = is_root(sp_comms_find(comm), root);
    int64_t sent = at_root && in_place ? sp_bytes_own(recvcounts, recvtype, comm) : sp_bytes(sendcount, sendtype);
    int64_t gathered = at_root ? sp_bytes_v(recvcounts, recvtype, comm) : 0;
    sp_note_rooted(comm, root, sent, sent, gathered, 0);
}

void sp_note_scatter(MPI_Comm comm, int root, int in_place, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype)
{
    int at_root = is_root(sp_comms_find(comm), root);
    int64_t scattered = at_root ? sp_bytes(sendcount, sendtype) * sp_peers(comm) : 0;
    int64_t received = at_root && in_place ? sp_bytes(sendcount, sendtype) : sp_bytes(recvcount, recvtype);
    sp_note_rooted(comm, root, scattered, 0, received, received);
}

void sp_note_scatterv(
    MPI_Comm comm, int root, int in_place, const int sendcounts[], MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype)
{
    int at_root = is_root(sp_comms_find(comm), root);
    int64_t scattered = at_root ? sp_bytes_v(sendcounts, sendtype, comm) : 0;
    int64_t received = at_root && in_place ? sp_bytes_own(sendcounts, sendtype, comm) : sp_bytes(recvcount, recvtype);
    sp_note_rooted(comm, root, scattered, 0, received, received);
}

void sp_note_created(MPI_Comm parent, const MPI_Comm *created)
{
    sp_comms_created(parent, *created);
}

void sp_note_created_by_group(MPI_Comm parent, int tag, const MPI_Comm *created)
{
    sp_comms_created_by_group(parent, tag, *created);
}

void sp_note_created_later(MPI_Comm parent)
{
    sp_comms_counted(parent);
}

void sp_note_freed(MPI_Comm comm)
{
    sp_comms_freed(comm);
}

int sp_fortran_in_place(const void *buffer)
{
    return buffer && buffer == sp_mpi.in_place;
}

/* A Fortran status has the bits of a C status in both MPIs. */
const MPI_Status *sp_fortran_status(const MPI_Fint *status)
{
    return status == sp_mpi.status_ignore ? NULL : (const MPI_Status *)(const void *)status;
}

const MPI_Status *sp_fortran_statuses(const MPI_Fint *statuses)
{
    return statuses == sp_mpi.statuses_ignore ? NULL : (const MPI_Status *)(const void *)statuses;
}
