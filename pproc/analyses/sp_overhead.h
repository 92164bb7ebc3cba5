/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OVERHEAD_H
#define SP_OVERHEAD_H

/* What recording cost, from the cost of a call that was measured when the run began. Pure. */

#include "sp_profile.h"

#define SP_OVERHEAD_PERCENT 2 /* from here on it is worth a warning */
#define SP_OVERHEAD_SHORT 20  /* calls shorter on average than so many times the cost are better left out */

struct sp_overhead {
    uint64_t calls;  /* recorded on the main threads of the selected ranks */
    double cost_ns;  /* of one, mean over them; NaN: not known */
    double total_ns; /* calls x cost, summed over the ranks */
    double percent;  /* of ranks x time */
};

/* costs_ps, calls: of each rank. rank_ns: ranks x time. */
struct sp_overhead sp_overhead_sum(const int64_t *costs_ps, const uint64_t *calls, size_t count, double rank_ns);

struct sp_overhead sp_overhead_of(const struct sp_profile *profile);

/* Whether the mean call of a region is short against the cost. */
bool sp_overhead_is_short(const struct sp_overhead *overhead, const struct sp_stats *stats);

/* Names of the regions that are, those with most calls first, for SP_EXCLUDE ("a,b"; commas in names escaped), at most `most` of them and as
 * many as fit whole; *saved_percent: what leaving these out would save, in percent of ranks x time. Returns how many. names is empty where
 * there are none, or on want of memory. */
size_t sp_overhead_name_short(
    const struct sp_profile *profile, const struct sp_overhead *overhead, size_t most, char *names, size_t size, double *saved_percent);

#endif
