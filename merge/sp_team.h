/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TEAM_H
#define SP_TEAM_H

/* The processes that write one file: a communicator, or one process alone, which then calls no MPI at all. Only PMPI_* are
 * called, on the communicator given. All functions are Collective unless marked; they return 0, or -1 with the reason (an MPI
 * error, which may differ between processes). */

#include "sp_error.h"

#include <stddef.h>
#include <stdint.h>

struct sp_team {
    const void *communicator; /* MPI_Comm *; NULL: alone */
    int rank, size;
};

/* communicator: MPI_Comm * (its errors are made to return), or NULL. */
int sp_team_init(struct sp_team *team, const void *communicator, struct sp_error *err);

/* Agrees on a status: 0 everywhere if it is 0 everywhere, else -1 everywhere with the text of the process whose error has the
 * highest code (the lowest such process), which is named if there are several processes. status is that of the calling process,
 * err its reason. */
int sp_agree(const struct sp_team *team, int status, struct sp_error *err);

int sp_team_sum(const struct sp_team *team, uint64_t *values, int count, struct sp_error *err);
int sp_team_max(const struct sp_team *team, int64_t *values, int count, struct sp_error *err);

/* Each value becomes the sum over the processes before this one. */
int sp_team_before(const struct sp_team *team, uint64_t *values, int count, struct sp_error *err);

/* Any number of bytes from process 0 to all. */
int sp_team_broadcast(const struct sp_team *team, void *data, size_t bytes, struct sp_error *err);

/* Everyone's bytes, in order of the processes, on process 0: *all is malloc'ed there and NULL elsewhere. */
int sp_team_gather(const struct sp_team *team, const void *data, size_t bytes, void **all, size_t *all_bytes, struct sp_error *err);

/* Point to point: only the two call. */
int sp_team_send(const struct sp_team *team, int to, const void *data, size_t bytes, struct sp_error *err);
int sp_team_receive(const struct sp_team *team, int from, void *data, size_t bytes, struct sp_error *err);

/* Takes what a process sends without keeping it, so that it is not left waiting. */
void sp_team_refuse(const struct sp_team *team, int from, size_t bytes);

#endif
