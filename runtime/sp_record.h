/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_RECORD_H
#define SP_RECORD_H

/* What a thread calls to record: finds the thread's lane and turns to sp_lane.h. All Local, any thread. */

#include "sp_spill.h"

typedef void sp_record_function(int region);

/* What begin and end are for a state of the gate (enum sp_gate) and a clock, whose source is one of enum sp_clock_source. */
sp_record_function *sp_record_begin_for(int gate, uint32_t source);
sp_record_function *sp_record_end_for(int gate, uint32_t source);

/* What begins two at one reading, the inner in the outer. */
typedef void sp_record_function_of_two(int outer, int inner);
sp_record_function_of_two *sp_record_begin_in_for(int gate, uint32_t source);

/* What they are at any time: for callers that come before everything. */
void sp_record_begin(int region);
void sp_record_begin_in(int outer, int inner);
void sp_record_end(int region);

/* In a forked child: the thread is in no lane. */
void sp_record_forget_lane(void);

/* Ends a call at a reading; sp_record_message then speaks of it. unrecorded: it counts and leaves no event (sp_lane.h). */
void sp_record_end_call(int region, uint64_t now);
void sp_record_end_unrecorded(int region, uint64_t now);
void sp_record_message(int64_t bytes, uint64_t request, int32_t peer, int32_t tag, int32_t communicator, int operation);

/* Ends the innermost open region of the calling thread. */
void sp_record_end_last(void);

/* Ended calls of a region by the calling thread. */
int64_t sp_record_calls(int region);

/* Median cost of an empty begin/end pair on a lane of its own, in 1/1000 ns. */
int64_t sp_record_calibrate(void);

#endif
