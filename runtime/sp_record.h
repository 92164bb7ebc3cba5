/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_RECORD_H
#define SP_RECORD_H

/* What a thread calls to record: finds the thread's lane and turns to sp_lane.h. All Local, any thread. */

#include "sp_spill.h"

typedef void sp_record_function(int region);

/* The pair for a clock, whose source is one of enum sp_clock_source, and the pair that asks which it is. */
sp_record_function *sp_record_begin_for(uint32_t source);
sp_record_function *sp_record_end_for(uint32_t source);
void sp_record_begin(int region);
void sp_record_end(int region);

/* Ends a call at a reading; sp_record_message then speaks of it. */
void sp_record_end_call(int region, uint64_t now);
void sp_record_message(struct sp_spill_message message);

/* Ends the innermost open region of the calling thread. */
void sp_record_end_last(void);

/* Ended calls of a region by the calling thread. */
int64_t sp_record_calls(int region);

/* Median cost of an empty begin/end pair on a lane of its own, in 1/1000 ns. */
int64_t sp_record_calibrate(void);

#endif
