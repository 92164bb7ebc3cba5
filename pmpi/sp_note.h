/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_NOTE_H
#define SP_NOTE_H

/* What a call that succeeded says about messages between two processes, about requests and about communicators: bytes, peer in
 * global ranks, tag. Called by the wrappers after the program's call has returned MPI_SUCCESS; makes no call that can fail then.
 * All Local, any thread.
 *
 * Sent bytes count where they are posted, received bytes where the receive completes, with the actual size where there is a status
 * (the posted size otherwise). A posting and its completion carry the same request number. */

#include "sp_mpi.h"
#include "sp_saved.h"
#include "sp_types.h"

#include <stdint.h>

/* Bytes of count elements; 0 for a negative count and for a count of 0, whatever the type. */
static inline int64_t sp_bytes(int64_t count, MPI_Datatype type)
{
    return count > 0 ? count * sp_types_size(type) : 0;
}

/* Bytes that arrived, as a status knows; posted where there is none. */
int64_t sp_note_arrived(const MPI_Status *status, int64_t posted);

void sp_note_send(int64_t count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
void sp_note_post_send(int64_t count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request);
void sp_note_receive(int64_t count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Status *status);
void sp_note_post_receive(int64_t count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request);
void sp_note_persistent_send(int64_t count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request);
void sp_note_persistent_receive(int64_t count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request);
void sp_note_started(int count, const MPI_Request requests[]);
void sp_note_started_fortran(int count, const MPI_Fint requests[]);

/* A message that a probe has taken out of the queue, and its receive; message: the handle before the receive. */
void sp_note_probed(MPI_Comm comm, const MPI_Message *message);
void sp_note_matched_receive(int64_t count, MPI_Datatype type, MPI_Message message, const MPI_Status *status);
void sp_note_post_matched_receive(int64_t count, MPI_Datatype type, MPI_Message message, const MPI_Request *request);

/* Requests that completed, among those saved before the call. index < 0 (MPI_UNDEFINED): none. statuses NULL: unknown. */
void sp_note_done(struct sp_saved *saved, int index, const MPI_Status *status);
void sp_note_done_all(struct sp_saved *saved, const MPI_Status statuses[]);
void sp_note_done_some(struct sp_saved *saved, int count, const int indices[], const MPI_Status statuses[]);
void sp_note_done_some_fortran(struct sp_saved *saved, int count, const MPI_Fint indices[], const MPI_Status statuses[]);
void sp_note_request_freed(struct sp_saved *saved);
/* The call failed: what it completed all the same is forgotten and adds no bytes. now: the requests after the call. */
void sp_note_failed(struct sp_saved *saved, const MPI_Request now[]);
void sp_note_failed_fortran(struct sp_saved *saved, const MPI_Fint now[]);

void sp_note_created(MPI_Comm parent, const MPI_Comm *created);
void sp_note_created_by_groups(MPI_Comm parent, int tag, const MPI_Comm *created);
void sp_note_created_from_groups(const MPI_Comm *created);
void sp_note_created_later(MPI_Comm parent, const MPI_Comm *place, const MPI_Request *request);
void sp_note_created_later_fortran(MPI_Comm parent, const MPI_Comm *created, const MPI_Request *request);
/* A session was finalized. */
void sp_note_session_over(void);

void sp_note_named(MPI_Comm comm);
void sp_note_freed(MPI_Comm comm);

#endif
