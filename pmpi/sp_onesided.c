/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_onesided.h"
#include "sp_call.h"
#include "sp_key.h"
#include "sp_owners.h"
#include "sp_requests.h"

#include <stddef.h>

static uint64_t window_key(MPI_Win window)
{
    return sp_key_of_win(window);
}

/* Files are numbers of their own: told apart from windows by a bit that neither has. */
static uint64_t file_key(MPI_File file)
{
    return ~sp_key_of_file(file);
}

void sp_note_window(MPI_Comm comm, const MPI_Win *window)
{
    sp_owners_add(window_key(*window), comm);
}

void sp_note_window_freed(MPI_Win window)
{
    sp_owners_remove(window_key(window));
}

void sp_note_opened(MPI_Comm comm, const MPI_File *file)
{
    sp_owners_add(file_key(*file), comm);
}

void sp_note_closed(MPI_File file)
{
    sp_owners_remove(file_key(file));
}

static void say_access(MPI_Win window, int target, int64_t bytes, int operation)
{
    const struct sp_comm *c = sp_owners_find(window_key(window));
    int32_t peer = sp_comms_global_rank(c, target);
    sp_call_message(operation, peer == -1 ? 0 : bytes, peer, -1, c ? c->id : -1, 0);
}

void sp_note_put(MPI_Win window, int target, int64_t count, MPI_Datatype type)
{
    say_access(window, target, sp_bytes(count, type), SP_OPERATION_PUT);
}

void sp_note_get(MPI_Win window, int target, int64_t count, MPI_Datatype type)
{
    say_access(window, target, sp_bytes(count, type), SP_OPERATION_GET);
}

void sp_note_accumulate(MPI_Win window, int target, int64_t count, MPI_Datatype type, MPI_Op op)
{
    say_access(window, target, op == sp_mpi.no_op ? 0 : sp_bytes(count, type), SP_OPERATION_ACCUMULATE);
}

void sp_note_get_accumulate(
    MPI_Win window, int target, int64_t count, MPI_Datatype type, int64_t result_count, MPI_Datatype result_type, MPI_Op op)
{
    sp_note_accumulate(window, target, count, type, op);
    say_access(window, target, sp_bytes(result_count, result_type), SP_OPERATION_FETCH);
}

void sp_note_compare_and_swap(MPI_Win window, int target, MPI_Datatype type)
{
    say_access(window, target, sp_bytes(2, type), SP_OPERATION_ACCUMULATE);
    say_access(window, target, sp_bytes(1, type), SP_OPERATION_FETCH);
}

static int32_t communicator_of(MPI_File file)
{
    const struct sp_comm *c = sp_owners_find(file_key(file));
    return c ? c->id : -1;
}

static void say_transfer(MPI_File file, int64_t bytes, int operation)
{
    sp_call_message(operation, bytes, -1, -1, communicator_of(file), 0);
}

void sp_note_read(MPI_File file, int64_t posted, const MPI_Status *status)
{
    say_transfer(file, sp_note_arrived(status, posted), SP_OPERATION_READ);
}

void sp_note_post_read(MPI_File file, int64_t count, MPI_Datatype type, const MPI_Request *request)
{
    struct sp_request read = {.key = sp_key_of_request(*request),
        .kind = SP_REQUEST_READ,
        .is_active = 1,
        .bytes = sp_bytes(count, type),
        .peer = -1,
        .tag = -1,
        .communicator = communicator_of(file)};
    if (sp_call_follows)
        sp_requests_add(&read);
}

void sp_note_written(MPI_File file, int64_t count, MPI_Datatype type)
{
    say_transfer(file, sp_bytes(count, type), SP_OPERATION_WRITE);
}
