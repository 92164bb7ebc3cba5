/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_REPLAY_H
#define SP_REPLAY_H

/* How long a run would take on a network that takes no time: what each rank computes between its MPI calls is kept, MPI calls last no
 * longer than they must wait. A send waits for nothing; a receive, or the completion of one, for the start of its send; a barrier and
 * a collective of all for its last member, one from a root for the root, one to a root makes the root wait for all. Only times
 * between two calls of one rank are used, so clock errors do not enter. Pure but for sp_replay_run. */

#include "sp_efficiency.h"
#include "sp_run.h"

enum sp_replay_kind {
    SP_REPLAY_SEND,
    SP_REPLAY_RECEIVE,
    SP_REPLAY_ALL,       /* a collective in which all wait for all */
    SP_REPLAY_FROM_ROOT, /* all wait for the root */
    SP_REPLAY_TO_ROOT,   /* the root waits for all */
    SP_REPLAY_END
};

/* One step of a rank; its steps follow each other. */
struct sp_replay_step {
    int64_t gap_ns; /* computing before it, since the step before */
    uint64_t order; /* of a receive: among those of its rank, by posting */
    int32_t rank, kind;
    int32_t peer; /* of a message; root of a collective; a global rank */
    int32_t tag, communicator;
};

/* Which collective a function is by its name ("MPI_Bcast"); -1 none that can be replayed. */
int sp_replay_collective(const char *function);

/* The steps of all ranks, ranks ascending, each ending with SP_REPLAY_END. sizes: members of each communicator. Sends and receives
 * of a pair of ranks, tag and communicator belong together in their order, collectives of a communicator too. ideal->time_ns is
 * NaN with the reason in why_not where they do not. */
int sp_replay(const struct sp_replay_step *steps, size_t count, int32_t rank_count, const int32_t *sizes, int32_t communicator_count,
    struct sp_ideal *ideal, struct sp_error *err);

/* Reads the events and messages of a run and replays them; *ideal is filled on process 0. Collective. */
int sp_replay_run(const struct sp_crew *crew, const struct sp_run *run, struct sp_ideal *ideal, struct sp_error *err);

#endif
