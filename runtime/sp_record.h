/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_RECORD_H
#define SP_RECORD_H

/* What a thread calls to record: finds the thread's lane, asks the gate, and turns to sp_lane.h. All Local, any thread. */

#include "sp_spill.h"

void sp_record_begin(int region);
void sp_record_end(int region);
void sp_record_end_at(int region, uint64_t now);
void sp_record_end_last(void);
void sp_record_message(struct sp_spill_message message);

/* Ended calls of a region by the calling thread. */
int64_t sp_record_calls(int region);

/* Median cost of an empty begin/end pair on a lane of its own, in 1/1000 ns. */
int64_t sp_record_calibrate(void);

#endif
