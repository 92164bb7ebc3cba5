/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_note.h"
#include "sp_call.h"
#include "sp_comms.h"
#include "sp_key.h"
#include "sp_requests.h"

#include <stddef.h>

static int32_t id_of(const struct sp_comm *comm)
{
    return comm ? comm->id : -1;
}

/* Nothing goes to or comes from a peer that is none. */
static int64_t bytes_to(int32_t peer, int64_t bytes)
{
    return peer == -1 ? 0 : bytes;
}

/* In place: to hand a structure on through memory costs more than to fill it. */
static void set_request(struct sp_request *r, enum sp_request_kind kind, int64_t bytes, int peer, int tag, MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    int32_t rank = sp_comms_global_rank(c, peer);
    *r = (struct sp_request){.kind = kind,
        .is_active = 1,
        .bytes = bytes_to(rank, bytes),
        .peer = rank,
        .tag = tag == MPI_ANY_TAG ? -1 : tag,
        .communicator = id_of(c),
        .comm = comm};
}

static void say(const struct sp_request *r, int operation, int64_t bytes)
{
    sp_call_message(operation, bytes, r->peer, r->tag, r->communicator, r->number);
}

static uint64_t follow(const struct sp_request *r)
{
    return sp_call_follows ? sp_requests_add(r) : 0;
}

#ifdef OPEN_MPI

/* The library's calls for these cost more than all the rest of the record. */
int64_t sp_note_arrived(const MPI_Status *status, int64_t posted)
{
    return status ? (int64_t)status->_ucount : posted;
}

static int is_cancelled(const MPI_Status *status)
{
    return status->_cancelled;
}

#else

int64_t sp_note_arrived(const MPI_Status *status, int64_t posted)
{
    MPI_Count bytes = 0;
    if (!status || sp_mpi.Get_elements_x(status, sp_mpi.byte, &bytes) != MPI_SUCCESS || bytes < 0)
        return posted;
    return (int64_t)bytes;
}

static int is_cancelled(const MPI_Status *status)
{
    int flag = 0;
    return sp_mpi.Test_cancelled(status, &flag) == MPI_SUCCESS && flag;
}

#endif

/* A receive that is over: what the status knows comes before what was posted. Returns the bytes that arrived. */
static int64_t say_received(struct sp_request *r, const MPI_Status *status)
{
    if (status && r->peer == -2 && r->communicator >= 0)
        r->peer = sp_comms_global_rank(sp_comms_find(r->comm), status->MPI_SOURCE);
    if (status && r->tag < 0 && r->peer != -1)
        r->tag = status->MPI_TAG;
    int64_t bytes = status && is_cancelled(status) ? 0 : sp_note_arrived(status, r->bytes);
    bytes = bytes_to(r->peer, bytes);
    say(r, SP_OPERATION_RECEIVE, bytes);
    return bytes;
}

/* One that was not posted before. */
static void say_received_at_once(struct sp_request *r, const MPI_Status *status)
{
    if (say_received(r, status) != r->bytes)
        say(r, SP_OPERATION_RECEIVE_POSTED, r->bytes);
}

void sp_note_send(int64_t count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find(comm);
    int32_t peer = sp_comms_global_rank(c, dest);
    sp_call_message(SP_OPERATION_SEND, bytes_to(peer, sp_bytes(count, type)), peer, tag, id_of(c), 0);
}

void sp_note_post_send(int64_t count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request)
{
    struct sp_request send;
    set_request(&send, SP_REQUEST_SEND, sp_bytes(count, type), dest, tag, comm);
    send.key = sp_key_of_request(*request);
    if (send.peer != -1)
        send.number = follow(&send);
    say(&send, SP_OPERATION_SEND, send.bytes);
}

void sp_note_receive(int64_t count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Status *status)
{
    struct sp_request receive;
    set_request(&receive, SP_REQUEST_RECEIVE, sp_bytes(count, type), source, tag, comm);
    say_received_at_once(&receive, status);
}

static void post_receive(struct sp_request *receive, const MPI_Request *request)
{
    receive->key = sp_key_of_request(*request);
    if (receive->peer == -1)
        return;
    receive->number = follow(receive);
    say(receive, SP_OPERATION_RECEIVE_POSTED, receive->bytes);
}

void sp_note_post_receive(int64_t count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request)
{
    struct sp_request receive;
    set_request(&receive, SP_REQUEST_RECEIVE, sp_bytes(count, type), source, tag, comm);
    post_receive(&receive, request);
}

/* Message handles are numbers of their own: told apart from requests by a bit that neither has. */
static uint64_t key_of_probed(MPI_Message message)
{
    return ~sp_key_of_message(message);
}

void sp_note_probed(MPI_Comm comm, const MPI_Message *message)
{
    struct sp_request probed;
    set_request(&probed, SP_REQUEST_MESSAGE, 0, MPI_ANY_SOURCE, MPI_ANY_TAG, comm);
    probed.key = key_of_probed(*message);
    follow(&probed);
}

/* The receive of a probed message; where the probe was not seen the communicator is unknown, and with it who sent. */
static struct sp_request make_matched(int64_t count, MPI_Datatype type, MPI_Message message)
{
    struct sp_request receive;
    if (!sp_requests_complete(key_of_probed(message), &receive))
        receive = (struct sp_request){.peer = -2, .tag = -1, .communicator = -1, .is_active = 1};
    receive.kind = SP_REQUEST_RECEIVE;
    receive.number = 0;
    receive.bytes = sp_bytes(count, type);
    return receive;
}

void sp_note_matched_receive(int64_t count, MPI_Datatype type, MPI_Message message, const MPI_Status *status)
{
    struct sp_request receive = make_matched(count, type, message);
    say_received_at_once(&receive, status);
}

void sp_note_post_matched_receive(int64_t count, MPI_Datatype type, MPI_Message message, const MPI_Request *request)
{
    struct sp_request receive = make_matched(count, type, message);
    post_receive(&receive, request);
}

static void keep_persistent(struct sp_request *r, const MPI_Request *request)
{
    r->key = sp_key_of_request(*request);
    r->is_active = 0;
    r->is_persistent = 1;
    if (!sp_call_follows) /* then the freeing of an earlier one was not seen; else a live one may be about to complete */
        sp_requests_forget(r->key);
    sp_requests_add(r);
}

void sp_note_persistent_send(int64_t count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request)
{
    struct sp_request send;
    set_request(&send, SP_REQUEST_SEND, sp_bytes(count, type), dest, tag, comm);
    keep_persistent(&send, request);
}

void sp_note_persistent_receive(int64_t count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request)
{
    struct sp_request receive;
    set_request(&receive, SP_REQUEST_RECEIVE, sp_bytes(count, type), source, tag, comm);
    keep_persistent(&receive, request);
}

static void note_started(MPI_Request handle)
{
    struct sp_request r;
    if (!sp_requests_any() || !sp_requests_start(sp_key_of_request(handle), &r))
        return;
    if (r.kind == SP_REQUEST_RECEIVE)
        say(&r, SP_OPERATION_RECEIVE_POSTED, r.bytes);
    if (r.kind == SP_REQUEST_SEND)
        say(&r, SP_OPERATION_SEND, r.bytes);
    if (r.kind == SP_REQUEST_COLLECTIVE)
        say(&r, SP_OPERATION_COLLECTIVE, r.bytes);
    if (r.kind == SP_REQUEST_COLLECTIVE && r.received > 0)
        say(&r, SP_OPERATION_COLLECTIVE_RECEIVE, r.received);
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
    if (index < 0 || index >= saved->count || !sp_requests_complete(sp_key_of_request(saved->handles[index]), &r))
        return;
    if (r.kind == SP_REQUEST_RECEIVE)
        say_received(&r, status);
    if (r.kind == SP_REQUEST_SEND)
        say(&r, SP_OPERATION_SEND_DONE, 0);
    if (r.kind == SP_REQUEST_READ)
        say(&r, SP_OPERATION_READ, sp_note_arrived(status, r.bytes));
    if (r.kind == SP_REQUEST_COMM)
        sp_comms_born(r.birth, r.comm_place ? *r.comm_place : r.comm);
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
        sp_requests_forget(sp_key_of_request(saved->handles[0]));
}

static void forget_if_gone(MPI_Request before, MPI_Request now)
{
    if (before != now)
        sp_requests_forget(sp_key_of_request(before));
}

void sp_note_failed(struct sp_saved *saved, const MPI_Request now[])
{
    for (int i = 0; i < saved->count; i++)
        forget_if_gone(saved->handles[i], now[i]);
}

void sp_note_failed_fortran(struct sp_saved *saved, const MPI_Fint now[])
{
    for (int i = 0; i < saved->count; i++)
        forget_if_gone(saved->handles[i], sp_mpi.Request_f2c(now[i]));
}

void sp_note_created(MPI_Comm parent, const MPI_Comm *created)
{
    sp_comms_created(parent, *created);
}

void sp_note_created_by_groups(MPI_Comm parent, int tag, const MPI_Comm *created)
{
    sp_comms_created_by_groups(parent, tag, *created);
}

void sp_note_created_from_groups(const MPI_Comm *created)
{
    sp_comms_created_by_groups(sp_mpi.comm_null, 0, *created);
}

static void created_later(MPI_Comm parent, const MPI_Comm *place, MPI_Comm created, const MPI_Request *request)
{
    struct sp_request r = {.key = sp_key_of_request(*request),
        .kind = SP_REQUEST_COMM,
        .is_active = 1,
        .comm = created,
        .comm_place = place,
        .birth = sp_comms_conceive(parent)};
    follow(&r);
}

void sp_note_created_later(MPI_Comm parent, const MPI_Comm *place, const MPI_Request *request)
{
    created_later(parent, place, sp_mpi.comm_null, request);
}

/* Fortran's handle is there at once: the library keeps the place MPI writes to. */
void sp_note_created_later_fortran(MPI_Comm parent, const MPI_Comm *created, const MPI_Request *request)
{
    created_later(parent, NULL, *created, request);
}

void sp_note_named(MPI_Comm comm)
{
    sp_comms_named(comm);
}

void sp_note_freed(MPI_Comm comm)
{
    sp_comms_freed(comm);
}

/* A run starts with MPI_Init: a session knows no processes but its own. */
void sp_note_session_over(void)
{
    static int is_told;
    if (sp_mpi.world_size == 0 && !__atomic_exchange_n(&is_told, 1, __ATOMIC_RELAXED))
        sp_call_runtime->say("MPI was used in sessions only, without MPI_Init: there is no file");
}
