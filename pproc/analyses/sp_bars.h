/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BARS_H
#define SP_BARS_H

/* Calls as bars on a time line: which rows a picture has, and what stands in them. A row is a region on a rank; the largest regions
 * have rows of their own, the others share one a rank; MPI_Init and MPI_Finalize, outside the run's time, have none. Rows with too many calls to be told apart are drawn at the resolution of
 * the picture: bars closer than a pixel become one. Which calls end up in which bar does not depend on how they are split among
 * processes. */

#include "sp_profile.h"

struct sp_crew;

struct sp_bar {
    int32_t slot; /* of sp_bars.slots */
    int32_t rank;
    int64_t start_ns, end_ns;
    int64_t calls;
};

#define SP_BARS_OTHERS (-1)

struct sp_bars {
    int32_t *slots; /* region of each slot, in order of first start; SP_BARS_OTHERS: all the rest */
    int32_t slot_count;
    int32_t other_count; /* regions in "others" */
    int32_t *ranks;      /* ranks that have rows, ascending */
    int32_t rank_count;
    int64_t origin_ns; /* first region entry, of those that are drawn */
    int64_t end_ns;
    int64_t merge_ns;    /* bars closer than this are one; -1: every call has its own bar */
    uint64_t call_count; /* calls in the rows, as the trace holds them */
    bool cut;            /* some of the drawn ranks' trace was cut; then where it ends, on the first and on the last of these lanes */
    int64_t cut_first_ns, cut_last_ns;
    struct sp_bar *bars; /* process 0: by slot, rank, start */
    size_t bar_count;
};

#define SP_BARS_PIXELS 1600 /* resolution of a row */
#define SP_BARS_EXACT 20000 /* calls in a picture up to which every call has its own bar */
#define SP_BARS_ROWS 160    /* rows of a picture */

/* Reads the events of a run. profile: process 0's (NULL elsewhere). Collective. */
int sp_bars_read(const struct sp_crew *crew, const struct sp_run *run, const struct sp_profile *profile, size_t top_n, struct sp_bars *bars,
    struct sp_error *err);
void sp_bars_free(struct sp_bars *bars);

/* Which regions and ranks get rows, and whether calls are merged; call_count is an upper bound. Pure. */
int sp_bars_plan(const struct sp_profile *profile, size_t top_n, size_t row_limit, struct sp_bars *bars, struct sp_error *err);

/* Where the cut lanes of the drawn ranks end: last_start_ns is that of each lane's last event, -1 none. Pure. */
void sp_bars_find_cut(const struct sp_lane *lanes, const int64_t *last_start_ns, int32_t lane_count, struct sp_bars *bars);

/* Orders bars by slot, rank and start, and makes one of bars of a row that are closer than merge_ns (-1: only orders). Bars of
 * "others" that touch or overlap become one in any case. Returns how many are left. Pure. */
size_t sp_bars_merge(struct sp_bar *bars, size_t count, int64_t merge_ns, int32_t others_slot);

#endif
