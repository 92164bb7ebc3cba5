/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_RANK_CALLS_H
#define SP_RANK_CALLS_H

/* The calls of a rank one by one, in the order in which they were entered, over all its lanes. Memory: a block of events a lane.
 * All Local. */

#include "scope_profiler_file.h"

struct sp_error;
struct sp_rank_calls;

struct sp_rank_call {
    int32_t lane, callpath;
    uint64_t event; /* its row */
    int64_t start_ns, duration_ns; /* -1: still open when the record ended */
};

/* The rank's lanes: [*first, *end) of sp_file_lanes. Pure. */
void sp_rank_lanes(struct sp_file *file, int32_t rank, int32_t *first, int32_t *end);

/* *calls is NULL on failure. */
int sp_rank_calls_open(struct sp_file *file, int32_t rank, struct sp_rank_calls **calls, struct sp_error *err);
void sp_rank_calls_close(struct sp_rank_calls *calls);

/* The next call: 1, 0 after the last, or -1. */
int sp_rank_calls_next(struct sp_rank_calls *calls, struct sp_rank_call *call, struct sp_error *err);

#endif
