/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_REQUESTS_H
#define SP_REQUESTS_H

/* Receives (and persistent sends) that are under way, by request handle. Handles are used again at once and several live requests
 * may share one; what is live under one handle completes first in, first out. Any thread. All Local. */

#include "sp_mpi.h"

#include <stdint.h>

struct sp_request {
    MPI_Request handle;
    uint64_t number;   /* in the process, from 1 on */
    int64_t bytes;     /* posted */
    int32_t peer;      /* global rank, -2 a wildcard: the status knows */
    int32_t tag;
    int32_t communicator;
    MPI_Comm comm;     /* to translate the status's source; not kept alive by us */
    int is_send, is_persistent, is_active;
    struct sp_request *next;
};

/* The handles of requests before a call that may complete them. */
struct sp_saved {
    int count;
    MPI_Request *handles; /* few, or allocated */
    MPI_Request few[32];
    MPI_Status *statuses; /* ours, where the program ignores them and we want to know; NULL otherwise */
};

/* Are any known at all? Cheap. */
int sp_requests_any(void);

/* Copies a request that is now live; its number is filled in. */
void sp_requests_add(const struct sp_request *request);

/* Takes the oldest active request of a handle (a persistent one becomes inactive and stays). 0 where there is none. */
int sp_requests_complete(MPI_Request handle, struct sp_request *request);

/* Makes a persistent request active and copies it. 0 where it is not known. */
int sp_requests_start(MPI_Request handle, struct sp_request *request);

/* Forgets what is known under a handle. */
void sp_requests_forget(MPI_Request handle);

/* Saves handles (none where no request is known); drop after the call. */
void sp_saved_take(struct sp_saved *saved, int count, const MPI_Request handles[]);
void sp_saved_take_fortran(struct sp_saved *saved, int count, const MPI_Fint handles[]);
void sp_saved_drop(struct sp_saved *saved);

/* The statuses to pass on: the program's, or where it ignores them room of ours if a receive may be among the requests. */
MPI_Status *sp_saved_statuses(struct sp_saved *saved, MPI_Status *statuses);

#endif
