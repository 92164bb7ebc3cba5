/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_LEGACY_NEST_H
#define SP_LEGACY_NEST_H

/* Who called whom, out of starts and ends alone, by containment: of calls that start together the longer is the outer one; a call
 * is closed by what starts at its end or later; one of no length counts as open for one tick. A call that begins inside another and
 * ends after it is nobody's child of that one: it stands beside it, and is counted. All Local. */

#include "sp_legacy.h"

#include "scope_profiler_format.h"

struct sp_legacy_nest {
    const char *path; /* for messages */
    struct sp_callpath *callpaths;
    struct sp_statistic *statistics; /* by lane, then call path */
    size_t callpath_count, callpath_room, statistic_count, statistic_room;
    uint64_t overlap_count;  /* calls that overlap another one partially */
    uint64_t backward_count; /* calls that end before they start */
    /* working state */
    struct sp_index index;
    struct sp_stats *stats;   /* of the current lane, by call path */
    int32_t *touched;         /* call paths it called */
    size_t touched_count, stats_room;
    struct sp_legacy_frame *stack;
    size_t depth, stack_room;
};

/* Nests the calls of one lane, which are put in order: afterwards end is the duration (-1 where the call ends before it starts) and
 * region the call path. Times are relative already, and small enough that differences fit. */
int sp_legacy_nest_lane(struct sp_legacy_nest *nest, struct sp_legacy_call *calls, size_t count, struct sp_error *err);

/* Statistics of a region whose calls are not known: at the root. */
int sp_legacy_nest_sum(struct sp_legacy_nest *nest, const struct sp_legacy_sum *sum, struct sp_error *err);

/* Ends the statistics of a lane: its rows follow those of the lanes before. */
int sp_legacy_nest_end_lane(struct sp_legacy_nest *nest, int32_t lane, struct sp_error *err);

void sp_legacy_nest_free(struct sp_legacy_nest *nest);

#endif
