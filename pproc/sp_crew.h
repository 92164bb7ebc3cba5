/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CREW_H
#define SP_CREW_H

/* The processes that work on one command. The only place of sp-pproc that knows MPI: everything else sees a size, a rank and the
 * few operations below, and runs unchanged in one process without MPI. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sp_error;

struct sp_crew {
    int rank;
    int size;
    bool mpi; /* started by us, to be stopped by us */
};

enum sp_crew_mode { SP_CREW_AUTO, SP_CREW_ON, SP_CREW_OFF };

/* Starts MPI if mode says so or, with SP_CREW_AUTO, if a launcher started this process. Collective. */
void sp_crew_start(struct sp_crew *crew, enum sp_crew_mode mode);

/* Collective. */
void sp_crew_stop(struct sp_crew *crew);

/* The status (0 or -1) of the process that fares worst becomes that of all, with its error; of equal ones the first process's.
 * Returns it. Collective. */
int sp_crew_agree(const struct sp_crew *crew, int status, struct sp_error *err);

/* Sums over the processes, in place, on all of them. Collective. */
void sp_crew_sum(const struct sp_crew *crew, int64_t *values, size_t count);

/* Process 0's bytes to all. Collective. */
void sp_crew_share(const struct sp_crew *crew, void *data, size_t bytes);

/* Concatenates everybody's items on process 0, in process order: *all (to be freed) holds *all_count items there, and is NULL
 * elsewhere. Returns 0 or, on all processes, -1. Collective. */
int sp_crew_gather(
    const struct sp_crew *crew, const void *items, size_t item_bytes, size_t count, void **all, size_t *all_count, struct sp_error *err);

/* The part-th of `parts` shares of consecutive items of the given weights, about equally heavy: [*first, *end). The shares of all
 * parts follow each other and cover all items. Local. */
void sp_crew_split(const uint64_t *weights, size_t count, int part, int parts, size_t *first, size_t *end);

#endif
