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

/* Up a binary tree, so that no process hears more than log2(size) others: in round k a process whose number is an odd multiple of 2^k
 * hands over what it has (send_to) and is done; the other appends that to its own (receive_from), in the order of the processes. Both
 * are always called, so that nobody waits in vain: own says where there is nothing. */
typedef int sp_team_pass(const struct sp_team *team, int other, void *own, struct sp_error *err);
int sp_team_climb(const struct sp_team *team, sp_team_pass *send_to, sp_team_pass *receive_from, void *own, struct sp_error *err);

/* Everyone's bytes, in order of the processes, on process 0, up a binary tree: *all is malloc'ed there and NULL elsewhere. The status
 * is agreed on. */
int sp_team_gather(const struct sp_team *team, const void *data, size_t bytes, void **all, size_t *all_bytes, struct sp_error *err);

/* Point to point: only the two call. */
int sp_team_send(const struct sp_team *team, int to, const void *data, size_t bytes, struct sp_error *err);
int sp_team_receive(const struct sp_team *team, int from, void *data, size_t bytes, struct sp_error *err);

/* Takes what a process sends without keeping it, so that it is not left waiting. */
void sp_team_refuse(const struct sp_team *team, int from, size_t bytes);

#endif
