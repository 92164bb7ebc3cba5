/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TIMELINE_H
#define SP_TIMELINE_H

/* From a process's clock ticks to ns of the run's global clock, in exact integer arithmetic, rounded to the nearest ns.
 * All Local and pure. */

#include "sp_spill.h"
#include "sp_stats.h"

__extension__ typedef unsigned __int128 sp_u128;
__extension__ typedef __int128 sp_i128;

/* ns = first_ns + (ticks - first_ticks) * (whole + fraction / divisor) */
struct sp_rate {
    uint64_t first_ticks;
    int64_t first_ns;
    uint64_t whole, fraction, divisor;
    uint64_t reciprocal;  /* floor(2^64 * fraction / divisor) */
    uint64_t quick_limit; /* up to so many ticks sp_rate_quick may be asked */
};

struct sp_timeline {
    struct sp_rate rate;
    int64_t offset_first_ns, offset_last_ns; /* host minus global clock */
    int64_t first_ns, last_ns;               /* host times these offsets belong to; in between it is linear, beyond constant */
    int64_t origin_ns;                       /* global time that becomes 0 */
};

/* From the two points of a spill file's clock. Returns -1 where they are of no use: then a tick is 1 ns. */
int sp_rate_init(struct sp_rate *rate, const struct sp_spill_clock *clock);

/* Length of so many ticks in ns. */
int64_t sp_rate_duration(const struct sp_rate *rate, uint64_t ticks);

/* The same for up to quick_limit ticks, most often: 0, with nothing done, where the product cannot tell which way to round. The
 * reciprocal is less than 1 short, so the product less than ticks: only where adding that would carry the result may be wrong. */
static inline int sp_rate_quick(const struct sp_rate *rate, uint64_t ticks, int64_t *ns)
{
    sp_u128 product = (sp_u128)ticks * rate->reciprocal + ((uint64_t)1 << 63);
    if (__builtin_expect((uint64_t)product > UINT64_MAX - ticks, 0))
        return 0;
    *ns = (int64_t)(ticks * rate->whole + (uint64_t)(product >> 64));
    return 1;
}

/* Reading in ns of the host's CLOCK_MONOTONIC_RAW. */
int64_t sp_rate_time(const struct sp_rate *rate, uint64_t ticks);

/* The timeline of a process with this rank record (NULL: no offset), its origin 0. */
void sp_timeline_init(struct sp_timeline *timeline, const struct sp_rate *rate, const struct sp_spill_rank *rank);

/* Host minus global clock at a host time. */
int64_t sp_timeline_offset(const struct sp_timeline *timeline, int64_t host_ns);

/* Global time of a reading. */
int64_t sp_timeline_time(const struct sp_timeline *timeline, uint64_t ticks);

/* Duration of what starts at a reading and lasts so many ticks: its length in ns, corrected by the drift of the host's clock
 * against the global one, so that inner and outer calls stay nested (to 1 ns) however long they are. */
int64_t sp_timeline_duration(const struct sp_timeline *timeline, uint64_t start, uint64_t ticks);

/* sp_timeline_time and sp_timeline_duration of many events: starts, and durations where the event's ticks are its duration (below
 * SP_DURATION_LONG); others are left as they are. Budget 4 ns an event. */
void sp_timeline_events(
    const struct sp_timeline *timeline, const struct sp_spill_event *events, size_t count, int64_t *starts, int64_t *durations);

/* Statistics in ticks to ns. The sum of squares is made such that the variance is that of the ticks (a sum of squares rounded by
 * itself would not fit the rounded total: one call alone would get a deviation). */
void sp_timeline_stats(const struct sp_timeline *timeline, const struct sp_stats *ticks, struct sp_stats *ns);

#endif
