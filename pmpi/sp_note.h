/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_NOTE_H
#define SP_NOTE_H

/* What a call that succeeded says about traffic: bytes, peer in global ranks, tag, communicator. Called by the wrappers after the
 * program's call has returned MPI_SUCCESS; makes no call that can fail then. All Local, any thread.
 *
 * Sent bytes count where they are posted, received bytes where the receive completes, with the actual size where there is a status
 * (the posted size otherwise). Collectives: sent is what this rank contributes, received what lands in its buffer. */

#include "sp_mpi.h"
#include "sp_requests.h"

#include <stdint.h>

/* Bytes of count elements; 0 for a negative count. _v: of one count a member; _own: of this rank's count; _w: a type each. */
int64_t sp_bytes(int count, MPI_Datatype type);
int64_t sp_bytes_v(const int counts[], MPI_Datatype type, MPI_Comm comm);
int64_t sp_bytes_own(const int counts[], MPI_Datatype type, MPI_Comm comm);
int64_t sp_bytes_w(const int counts[], const MPI_Datatype types[], MPI_Comm comm);
int64_t sp_bytes_w_fortran(const MPI_Fint counts[], const MPI_Fint types[], MPI_Comm comm);
/* Processes a collective exchanges with: members, of an intercommunicator the remote ones. */
int64_t sp_peers(MPI_Comm comm);

void sp_note_send(int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
void sp_note_receive(int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Status *status);
void sp_note_matched_receive(int count, MPI_Datatype type, const MPI_Status *status);
void sp_note_post_receive(int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request);
void sp_note_post_matched_receive(int count, MPI_Datatype type, const MPI_Request *request);
void sp_note_persistent_send(int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request);
void sp_note_persistent_receive(int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request);
void sp_note_started(int count, const MPI_Request requests[]);
void sp_note_started_fortran(int count, const MPI_Fint requests[]);

/* Requests that completed, among those saved before the call. index < 0 (MPI_UNDEFINED): none. statuses NULL: unknown. */
void sp_note_done(struct sp_saved *saved, int index, const MPI_Status *status);
void sp_note_done_all(struct sp_saved *saved, const MPI_Status statuses[]);
void sp_note_done_some(struct sp_saved *saved, int count, const int indices[], const MPI_Status statuses[]);
void sp_note_done_some_fortran(struct sp_saved *saved, int count, const MPI_Fint indices[], const MPI_Status statuses[]);
void sp_note_request_freed(struct sp_saved *saved);

/* root: -1 none. */
void sp_note_collective(MPI_Comm comm, int root, int64_t sent, int64_t received);
void sp_note_rooted(MPI_Comm comm, int root, int64_t root_sent, int64_t other_sent, int64_t root_received, int64_t other_received);
void sp_note_gather(MPI_Comm comm, int root, int in_place, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype);
void sp_note_gatherv(MPI_Comm comm, int root, int in_place, int sendcount, MPI_Datatype sendtype, const int recvcounts[], MPI_Datatype recvtype);
void sp_note_scatter(MPI_Comm comm, int root, int in_place, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype);
void sp_note_scatterv(MPI_Comm comm, int root, int in_place, const int sendcounts[], MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype);

void sp_note_created(MPI_Comm parent, const MPI_Comm *created);
void sp_note_created_by_group(MPI_Comm parent, int tag, const MPI_Comm *created);
void sp_note_created_later(MPI_Comm parent);
void sp_note_freed(MPI_Comm comm);

/* What Fortran passes: is it MPI_IN_PLACE; a status, NULL for the sentinels; an index from 1 on as one from 0 on. */
int sp_fortran_in_place(const void *buffer);
const MPI_Status *sp_fortran_status(const MPI_Fint *status);
const MPI_Status *sp_fortran_statuses(const MPI_Fint *statuses);
static inline int sp_fortran_index(MPI_Fint index)
{
    return index > 0 ? (int)index - 1 : -1;
}

#endif
