/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_STATS_H
#define SP_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Statistics of a set of calls, as exact integer sums, so that the order of adding and merging never shows.
 * The unit of the times is the user's (ns in files, clock ticks while recording). All zero: no calls. */
struct sp_stats {
    uint64_t calls;
    int64_t total;
    int64_t self;          /* total minus the totals of direct children */
    int64_t min, max;      /* of one call; meaningless without calls */
    int64_t first, last;   /* duration of the first and last call in entry order */
    int64_t first_start;   /* start of the first call */
    int64_t last_end;      /* end of the last call */
    uint64_t squares_low, squares_high; /* 128-bit sum of squared durations */
    int64_t bytes_sent, bytes_received;
};

/* One call that starts at start and lasts duration, of which self outside its children. Local. */
void sp_stats_add(struct sp_stats *stats, int64_t start, int64_t duration, int64_t self);

/* Adds other to into; first is taken from the earliest first_start, last from the latest last_end. Local. */
void sp_stats_merge(struct sp_stats *into, const struct sp_stats *other);

/* Adds duration squared to the 128-bit sum {low, high}. Local. */
void sp_squares_add(uint64_t *low, uint64_t *high, uint64_t duration);

/* Mean call duration; NaN without calls. Local. */
double sp_stats_mean(const struct sp_stats *stats);

/* calls*sum(d^2) - sum(d)^2 from exact integers, 0 where rounding made it negative: calls^2 times the variance. Local. */
long double sp_stats_spread(const struct sp_stats *stats);

/* Population standard deviation (ddof 0) of the durations, from n*sum(d^2) - sum(d)^2 in exact integers; NaN without calls. Local. */
double sp_stats_std(const struct sp_stats *stats);

#endif
