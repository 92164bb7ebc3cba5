/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_clock.h"

#include <string.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

__extension__ typedef __int128 int128;

#if defined __x86_64__ || defined __i386__
static int tsc_is_invariant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}
#endif

enum sp_clock_source sp_clock_choose(const char *wanted)
{
    if (wanted && strcmp(wanted, "monotonic") == 0)
        return SP_CLOCK_MONOTONIC;
#if defined __x86_64__ || defined __i386__
    if (tsc_is_invariant())
        return SP_CLOCK_TSC;
#elif defined __aarch64__
    return SP_CLOCK_CNTVCT;
#endif
    return SP_CLOCK_MONOTONIC;
}

struct sp_spill_clock_point sp_clock_read_point(enum sp_clock_source source, int64_t *error_ns)
{
    struct sp_spill_clock_point best = {0};
    int64_t best_width = INT64_MAX;
    for (int i = 0; i < 5; i++) {
        int64_t before = sp_clock_monotonic_ns();
        uint64_t ticks = sp_clock_now(source);
        int64_t after = sp_clock_monotonic_ns();
        if (after - before >= best_width)
            continue;
        best_width = after - before;
        best.ticks = ticks;
        best.monotonic_ns = before + best_width / 2;
    }
    if (error_ns)
        *error_ns = best_width / 2;
    if (source == SP_CLOCK_MONOTONIC)
        best.monotonic_ns = (int64_t)best.ticks;
    return best;
}

int64_t sp_clock_renew(struct sp_spill_clock *clock)
{
    int64_t error_ns;
    uint32_t next = 1 - (clock->last_index & 1);
    clock->last[next] = sp_clock_read_point((enum sp_clock_source)clock->source, &error_ns);
    __atomic_store_n(&clock->last_index, next, __ATOMIC_RELEASE);
    return error_ns;
}

int64_t sp_clock_to_ns(const struct sp_spill_clock *clock, uint64_t ticks)
{
    const struct sp_spill_clock_point *last = &clock->last[clock->last_index & 1];
    int64_t since = (int64_t)(ticks - clock->first.ticks);
    int64_t span_ticks = (int64_t)(last->ticks - clock->first.ticks);
    int64_t span_ns = last->monotonic_ns - clock->first.monotonic_ns;
    if (span_ticks <= 0 || span_ns <= 0)
        return clock->first.monotonic_ns + since;
    return clock->first.monotonic_ns + (int64_t)((int128)since * span_ns / span_ticks);
}

int64_t sp_clock_residual_ns(const struct sp_spill_clock *clock, const struct sp_spill_clock_point *point)
{
    int64_t off = sp_clock_to_ns(clock, point->ticks) - point->monotonic_ns;
    return off < 0 ? -off : off;
}

const char *sp_clock_name(enum sp_clock_source source)
{
    switch (source) {
    case SP_CLOCK_TSC: return "tsc";
    case SP_CLOCK_CNTVCT: return "cntvct";
    case SP_CLOCK_MONOTONIC: break;
    }
    return "monotonic";
}
