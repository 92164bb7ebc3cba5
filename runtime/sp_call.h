/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CALL_H
#define SP_CALL_H

/* Begins and ends that say whether they could, for scopes, contexts and phases. Of the calling thread; all Local. Results are of
 * enum sp_status. */

#include <stdint.h>

/* Ends the region's innermost call; below 0 the innermost of all. SP_ERR_UNMATCHED_END where there is none. */
int sp_call_end_checked(int region);

/* Begins a call and returns a number that stands for it in this thread; -1 where nothing is recorded. */
int64_t sp_call_begin(int region);

/* Ends that call and what is open inside. SP_ERR_UNMATCHED_END, and nothing done, while a later call of the region is open; the
 * same, and *call becomes -1, where it is not open (any more) in this thread. */
int sp_call_end(int region, int64_t *call);

int sp_call_is_open(int region);

/* Open calls, of one region, of all where region is below 0. */
int64_t sp_call_count_open(int region);

/* The next iteration of a phase: ends its previous one and begins this one; index below 0 only ends. */
int sp_call_next_phase(const char *name, int64_t index);

#endif
