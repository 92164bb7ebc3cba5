/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TALLY_H
#define SP_TALLY_H

/* What a program can ask about its regions while it runs: of the calling thread and of threads that have ended; once the run has
 * ended, of all. All Local, any thread. Results are of enum sp_status. */

#include "scope_profiler.h"

int sp_tally_stats(int region, sp_region_stats *stats);

/* Calls begun, those that are open in this thread included. */
int64_t sp_tally_calls(int region);

/* From here on the two count anew, but for min and max. Refused while a region of this thread is open. */
int sp_tally_reset(void);

/* Brings the statistics up to date and what has been recorded to disk. */
int sp_tally_flush(void);

#endif
