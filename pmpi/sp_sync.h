/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SYNC_H
#define SP_SYNC_H

/* Compares the clocks of the run's hosts by messages among the participants. One process a host, its leader, asks another host's up a
 * binary tree, so that n hosts take log2(n) comparisons after one another; the others of a host share their leader's clock. */

#include "sp_mpi.h"
#include "sp_offset.h"

/* What tells processes that read one CLOCK_MONOTONIC_RAW: host name, boot and time namespace. */
struct sp_sync_host {
    char text[192];
};

struct sp_sync {
    MPI_Comm host, leaders; /* of this host's processes, of the hosts' first ones; comm_null where there is none */
    int is_needed;          /* there are several clocks; equal on all */
    int is_leader, is_known; /* is_known: the leader is of this process's host indeed */
};

/* This process's host. Local. */
void sp_sync_host_read(struct sp_sync_host *host);

/* Do they read one clock? Local. */
int sp_sync_host_is_same(const struct sp_sync_host *a, const struct sp_sync_host *b);

/* Who compares with whom, for the participants of comm whose first one is on the reference host. One reduction where all are there, three
 * splits and a reduction more where not. Returns -1 where MPI refuses: then nothing is measured. Collective. */
int sp_sync_open(struct sp_sync *sync, MPI_Comm comm, const struct sp_sync_host *own, const struct sp_sync_host *reference);

/* CLOCK_MONOTONIC_RAW of this process minus that of comm's first, error_ns < 0 where messages failed. Needs is_needed.
 * At most 40 round trips, and after the first few no more than 2 ms, a level of the tree. As any collective call it waits for all. Collective. */
struct sp_offset sp_sync_measure(const struct sp_sync *sync);

/* Collective. */
void sp_sync_close(struct sp_sync *sync);

#endif
