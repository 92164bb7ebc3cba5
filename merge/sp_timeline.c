/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_timeline.h"

#include <math.h>
#include <string.h>

#define LIMIT ((uint64_t)1 << 61) /* of divisor and whole: sums of a few products stay in 128 bits */

static int64_t clamped(sp_i128 value)
{
    if (value > INT64_MAX)
        return INT64_MAX;
    if (value < INT64_MIN)
        return INT64_MIN;
    return (int64_t)value;
}

int sp_rate_init(struct sp_rate *rate, const struct sp_spill_clock *clock)
{
    const struct sp_spill_clock_point *first = &clock->first, *last = &clock->last[clock->last_index & 1];
    sp_i128 ns = (sp_i128)last->monotonic_ns - first->monotonic_ns;
    uint64_t ticks = last->ticks - first->ticks;
    int plausible = last->ticks > first->ticks && ns > 0 && ns < (sp_i128)LIMIT && ticks < LIMIT;

    memset(rate, 0, sizeof *rate);
    rate->first_ticks = first->ticks;
    rate->first_ns = first->monotonic_ns;
    rate->whole = rate->divisor = 1;
    rate->quick_limit = LIMIT;
    if (!plausible)
        return clock->source == SP_CLOCK_MONOTONIC ? 0 : -1;
    rate->divisor = ticks;
    rate->whole = (uint64_t)ns / ticks;
    rate->fraction = (uint64_t)ns % ticks;
    rate->reciprocal = (uint64_t)(((sp_u128)rate->fraction << 64) / ticks);
    rate->quick_limit = LIMIT / (rate->whole + 1);
    return 0;
}

/* round(ticks * fraction / divisor): the reciprocal's guess is at most 2 short, which the remainder tells. */
static uint64_t scaled(const struct sp_rate *rate, uint64_t ticks)
{
    uint64_t guess = (uint64_t)((sp_u128)ticks * rate->reciprocal >> 64);
    uint64_t rest = ticks * rate->fraction + rate->divisor / 2 - guess * rate->divisor;
    while (rest >= rate->divisor) {
        rest -= rate->divisor;
        guess++;
    }
    return guess;
}

int64_t sp_rate_duration(const struct sp_rate *rate, uint64_t ticks)
{
    sp_u128 ns = (sp_u128)ticks * rate->whole + scaled(rate, ticks);
    return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

int64_t sp_rate_time(const struct sp_rate *rate, uint64_t ticks)
{
    if (ticks >= rate->first_ticks)
        return clamped((sp_i128)rate->first_ns + sp_rate_duration(rate, ticks - rate->first_ticks));
    return clamped((sp_i128)rate->first_ns - sp_rate_duration(rate, rate->first_ticks - ticks));
}

void sp_timeline_init(struct sp_timeline *timeline, const struct sp_rate *rate, const struct sp_spill_rank *rank)
{
    memset(timeline, 0, sizeof *timeline);
    timeline->rate = *rate;
    if (!rank)
        return;
    timeline->offset_first_ns = timeline->offset_last_ns = rank->offset_ns;
    if (rank->mpi_init_end == 0 || rank->end <= rank->mpi_init_end)
        return;
    timeline->first_ns = sp_rate_time(rate, rank->mpi_init_end);
    timeline->last_ns = sp_rate_time(rate, rank->end);
    if (timeline->last_ns > timeline->first_ns)
        timeline->offset_last_ns = rank->offset_last_ns;
}

int64_t sp_timeline_offset(const struct sp_timeline *timeline, int64_t host_ns)
{
    if (timeline->offset_first_ns == timeline->offset_last_ns || host_ns <= timeline->first_ns)
        return timeline->offset_first_ns;
    if (host_ns >= timeline->last_ns)
        return timeline->offset_last_ns;
    /* long double has 64 bits of fraction: exact to the ns for any drift below 1 s */
    sp_i128 drift = (sp_i128)timeline->offset_last_ns - timeline->offset_first_ns;
    long double part =
        (long double)((sp_i128)host_ns - timeline->first_ns) / (long double)((sp_i128)timeline->last_ns - timeline->first_ns);
    return clamped((sp_i128)timeline->offset_first_ns + (sp_i128)llrintl((long double)clamped(drift) * part));
}

int64_t sp_timeline_time(const struct sp_timeline *timeline, uint64_t ticks)
{
    int64_t host_ns = sp_rate_time(&timeline->rate, ticks);
    return clamped((sp_i128)host_ns - sp_timeline_offset(timeline, host_ns) - timeline->origin_ns);
}

int64_t sp_timeline_duration(const struct sp_timeline *timeline, uint64_t start, uint64_t ticks)
{
    int64_t ns = sp_rate_duration(&timeline->rate, ticks);
    if (timeline->offset_first_ns == timeline->offset_last_ns)
        return ns;
    int64_t from = sp_rate_time(&timeline->rate, start);
    int64_t to = clamped((sp_i128)from + ns);
    int64_t corrected = clamped((sp_i128)ns - sp_timeline_offset(timeline, to) + sp_timeline_offset(timeline, from));
    return corrected < 0 ? 0 : corrected;
}

/* Global time of the clock's first point where all offsets are one and sums stay in 64 bits; 0: they are not. */
static int is_steady(const struct sp_timeline *timeline, int64_t *base)
{
    sp_i128 sum = (sp_i128)timeline->rate.first_ns - timeline->offset_first_ns - timeline->origin_ns;
    *base = (int64_t)sum;
    return timeline->offset_first_ns == timeline->offset_last_ns && sum > -(sp_i128)LIMIT && sum < (sp_i128)LIMIT;
}

static void convert(const struct sp_timeline *timeline, const struct sp_spill_event *event, int64_t *start, int64_t *duration)
{
    *start = sp_timeline_time(timeline, event->start);
    if (event->duration < SP_DURATION_LONG)
        *duration = sp_timeline_duration(timeline, event->start, event->duration);
}

void sp_timeline_events(
    const struct sp_timeline *timeline, const struct sp_spill_event *events, size_t count, int64_t *starts, int64_t *durations)
{
    const struct sp_rate rate = timeline->rate;
    int64_t base, since, length;
    int steady = is_steady(timeline, &base) && rate.quick_limit >= SP_DURATION_LONG;
    for (size_t i = 0; i < count; i++) {
        uint64_t ticks = events[i].start - rate.first_ticks; /* huge before the first point */
        if (__builtin_expect(steady && ticks <= rate.quick_limit && events[i].duration < SP_DURATION_LONG, 1) &&
            sp_rate_quick(&rate, ticks, &since) && sp_rate_quick(&rate, events[i].duration, &length)) {
            starts[i] = base + since;
            durations[i] = length;
        } else {
            convert(timeline, &events[i], &starts[i], &durations[i]);
        }
    }
}

/* (total_ns^2 + spread) / calls, where spread is calls * sum(d^2) - total^2 in ns^2. */
static sp_u128 squares_from(uint64_t calls, int64_t total_ns, long double spread)
{
    uint64_t total = (uint64_t)(total_ns < 0 ? -total_ns : total_ns);
    sp_u128 square = (sp_u128)total * total;
    long double rest = ((long double)(uint64_t)(square % calls) + spread) / (long double)calls;
    sp_u128 whole = square / calls;
    if (rest >= 0x1p127L)
        return ~(sp_u128)0;
    return whole + (sp_u128)(rest + 0.5L);
}

static int64_t signed_duration(const struct sp_rate *rate, int64_t ticks)
{
    if (ticks < 0)
        return -sp_rate_duration(rate, (uint64_t)0 - (uint64_t)ticks);
    return sp_rate_duration(rate, (uint64_t)ticks);
}

void sp_timeline_stats(const struct sp_timeline *timeline, const struct sp_stats *ticks, struct sp_stats *ns)
{
    const struct sp_rate *rate = &timeline->rate;
    *ns = *ticks;
    if (ticks->calls == 0)
        return;
    ns->total = signed_duration(rate, ticks->total);
    ns->self = signed_duration(rate, ticks->self);
    ns->min = signed_duration(rate, ticks->min);
    ns->max = signed_duration(rate, ticks->max);
    ns->first = signed_duration(rate, ticks->first);
    ns->last = signed_duration(rate, ticks->last);
    ns->first_start = sp_timeline_time(timeline, (uint64_t)ticks->first_start);
    ns->last_end = sp_timeline_time(timeline, (uint64_t)ticks->last_end);
    if (rate->divisor == 1)
        return;
    long double factor = (long double)rate->whole + (long double)rate->fraction / (long double)rate->divisor;
    sp_u128 squares = squares_from(ticks->calls, ns->total, sp_stats_spread(ticks) * factor * factor);
    ns->squares_low = (uint64_t)squares;
    ns->squares_high = (uint64_t)(squares >> 64);
}
