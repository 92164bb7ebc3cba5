/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_stats.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;

void sp_squares_add(uint64_t *low, uint64_t *high, uint64_t duration)
{
    wide sum = ((wide)*high << 64 | *low) + (wide)duration * duration;
    *low = (uint64_t)sum;
    *high = (uint64_t)(sum >> 64);
}

static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Of two calls of one start the longer was entered first. */
static int is_earlier(int64_t start, int64_t duration, int64_t other_start, int64_t other_duration)
{
    return start < other_start || (start == other_start && duration > other_duration);
}

void sp_stats_add(struct sp_stats *stats, int64_t start, int64_t duration, int64_t self)
{
    int none = stats->calls == 0;
    int64_t last_start = plus(stats->last_end, -stats->last);
    if (none || is_earlier(start, duration, stats->first_start, stats->first)) {
        stats->first = duration;
        stats->first_start = start;
    }
    if (none || !is_earlier(start, duration, last_start, stats->last)) {
        stats->last = duration;
        stats->last_end = plus(start, duration);
    }
    if (none || duration < stats->min)
        stats->min = duration;
    if (none || duration > stats->max)
        stats->max = duration;
    stats->calls++;
    stats->total = plus(stats->total, duration);
    stats->self = plus(stats->self, self);
    sp_squares_add(&stats->squares_low, &stats->squares_high, (uint64_t)(duration < 0 ? -duration : duration));
}

static void merge_ends(struct sp_stats *into, const struct sp_stats *other)
{
    if (is_earlier(other->first_start, other->first, into->first_start, into->first)) {
        into->first = other->first;
        into->first_start = other->first_start;
    }
    if (other->last_end > into->last_end || (other->last_end == into->last_end && other->last < into->last)) {
        into->last = other->last;
        into->last_end = other->last_end;
    }
    if (other->min < into->min)
        into->min = other->min;
    if (other->max > into->max)
        into->max = other->max;
}

void sp_stats_merge(struct sp_stats *into, const struct sp_stats *other)
{
    if (into->calls == 0) {
        into->first = other->first;
        into->first_start = other->first_start;
        into->last = other->last;
        into->last_end = other->last_end;
        into->min = other->min;
        into->max = other->max;
    } else if (other->calls > 0) {
        merge_ends(into, other);
    }
    into->calls += other->calls;
    into->total = plus(into->total, other->total);
    into->self = plus(into->self, other->self);
    into->bytes_sent = plus(into->bytes_sent, other->bytes_sent);
    into->bytes_received = plus(into->bytes_received, other->bytes_received);
    wide sum = ((wide)into->squares_high << 64 | into->squares_low) + ((wide)other->squares_high << 64 | other->squares_low);
    into->squares_low = (uint64_t)sum;
    into->squares_high = (uint64_t)(sum >> 64);
}

double sp_stats_mean(const struct sp_stats *stats)
{
    if (stats->calls == 0)
        return NAN;
    return (double)((long double)stats->total / (long double)stats->calls);
}

long double sp_stats_spread(const struct sp_stats *stats)
{
    /* calls * squares as high * 2^64 + low, high of 128 bits */
    wide low = (wide)stats->calls * stats->squares_low;
    wide high = (wide)stats->calls * stats->squares_high + (uint64_t)(low >> 64);
    uint64_t total = (uint64_t)(stats->total < 0 ? -stats->total : stats->total);
    wide square = (wide)total * total;

    if (high < (uint64_t)(square >> 64) || (high == (uint64_t)(square >> 64) && (uint64_t)low < (uint64_t)square))
        return 0;
    wide borrow = (uint64_t)low < (uint64_t)square;
    uint64_t rest = (uint64_t)low - (uint64_t)square;
    high -= (uint64_t)(square >> 64) + borrow;
    return (long double)high * 0x1p64L + (long double)rest;
}

double sp_stats_std(const struct sp_stats *stats)
{
    if (stats->calls == 0)
        return NAN;
    return (double)(sqrtl(sp_stats_spread(stats)) / (long double)stats->calls);
}
