/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CHECKED_H
#define SP_CHECKED_H

/* Begins and ends that say whether they could, for scopes, contexts and phases. Of the calling thread; all Local. Results are of
 * enum sp_status. */

#include <stdint.h>

/* Ends the region's innermost call; below 0 the innermost of all. SP_ERR_UNMATCHED_END where there is none. */
int sp_checked_end(int region);

/* Begins a call and returns a number that stands for it in this thread; -1 where nothing is recorded. */
int64_t sp_checked_begin(int region);

/* Ends that call and what is open inside. SP_ERR_UNMATCHED_END, and nothing done, while a later call of the region is open; the
 * same, and *call becomes -1, where it is not open (any more) in this thread. */
int sp_checked_end_of(int region, int64_t *call);

int sp_checked_is_open(int region);

/* Open calls, of one region, of all where region is below 0. */
int64_t sp_checked_count_open(int region);

/* The next iteration of a phase: ends its previous one and begins this one; index below 0 only ends. */
int sp_checked_next_phase(const char *name, int64_t index);

#endif
