/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BATCH_H
#define SP_BATCH_H

/* Statistics of a lane's call paths, summed up from the event ring in batches: 4 ns an event with its place in a histogram, where
 * adding each call to its node at its end costs more than that without one. What a batch gathers goes to the copy of a node's sums
 * that is not valid yet, and one store makes all of them valid: a kill in between counts nothing twice. Only by the thread that is in
 * the lane, or for a lane at rest. Local. */

#include "sp_lane.h"

/* Brings the nodes up to date with the calls that have ended. Without memory nothing is done, and the next batch does it. */
void sp_batch_sum_up(struct sp_lane *lane);

/* Adds a call that no batch will see. */
void sp_batch_add_apart(struct sp_lane *lane, const struct sp_frame *frame, uint64_t duration);

#endif
