/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_KEEP_H
#define SP_KEEP_H

/* What leaves a lane's rings for its store, as far as the budget of the process allows; from the first entry that it does not allow
 * on there is only the profile. Only by the thread that is in the lane, or for a lane at rest. Local. */

#include "sp_lane.h"

/* Are events and messages still kept? */
int sp_keep_is_on(const struct sp_lane *lane);

/* Appends the ring's first used events; the ring stays as it is, since its entries count until the caller empties it. Messages of
 * events that are not kept are given up with them. */
void sp_keep_events(struct sp_lane *lane, uint32_t used);

/* Append the ring and empty it. */
void sp_keep_messages(struct sp_lane *lane);
void sp_keep_closes(struct sp_lane *lane);

/* At the end: what is left in the rings stays there, and counts against the budget too. */
void sp_keep_rest(struct sp_lane *lane);

#endif
