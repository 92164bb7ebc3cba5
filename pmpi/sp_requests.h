/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_REQUESTS_H
#define SP_REQUESTS_H

/* What is under way, by request handle (and the messages that a matched probe has taken, by message handle). Handles are used
 * again at once and several live requests may share one; what is live under one handle completes first in, first out. Any thread.
 * All Local.
 *
 * The table is cut into shards, each held for a few instructions by one thread at a time; places of completed requests are used
 * again, so memory is that of the most requests ever alive together. */

#include "sp_comms.h"

#include <stdint.h>

enum sp_request_kind {
    SP_REQUEST_SEND = 1,
    SP_REQUEST_RECEIVE,
    SP_REQUEST_READ,       /* from a file */
    SP_REQUEST_COLLECTIVE, /* persistent */
    SP_REQUEST_COMM,       /* MPI_Comm_idup */
    SP_REQUEST_MESSAGE,    /* not a request: a probed message */
};

struct sp_request {
    uint64_t key;    /* of the handle */
    uint64_t number; /* in the process, never 0 */
    enum sp_request_kind kind;
    uint8_t is_persistent, is_active;
    int32_t peer; /* global rank, -1 none, -2 a wildcard: the status knows */
    int32_t tag;
    int32_t communicator;
    int64_t bytes;              /* posted; of a collective sent */
    int64_t received;           /* of a collective */
    MPI_Comm comm;              /* to translate the status's source; of SP_REQUEST_COMM the new one */
    const MPI_Comm *comm_place; /* where MPI puts the new one; NULL: comm holds it */
    struct sp_comm_birth birth;
    struct sp_request *next;
};

/* Are any known at all? */
extern uint64_t sp_requests_live __attribute__((visibility("hidden")));
static inline int sp_requests_any(void)
{
    return __atomic_load_n(&sp_requests_live, __ATOMIC_RELAXED) > 0;
}

/* Copies a request that is now live and gives it a number, which is returned (0 without memory). */
uint64_t sp_requests_add(const struct sp_request *request);

/* Takes the oldest active request of a handle (a persistent one becomes inactive and stays). 0 where there is none. */
int sp_requests_complete(uint64_t key, struct sp_request *request);

/* Makes a persistent request active and copies it, also where its last completion was not seen. 0 where it is not known. */
int sp_requests_start(uint64_t key, struct sp_request *request);

/* Forgets what is known under a handle. */
void sp_requests_forget(uint64_t key);

#endif
