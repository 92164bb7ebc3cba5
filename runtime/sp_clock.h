/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CLOCK_H
#define SP_CLOCK_H

/* The process's clock: invariant TSC, cntvct, or CLOCK_MONOTONIC_RAW; and what its ticks mean in ns. All Local. */

#include "sp_spill.h"

#include <stdlib.h>
#include <time.h>

/* The source whose reading is one instruction here. */
#if defined __aarch64__
#define SP_CLOCK_FAST SP_CLOCK_CNTVCT
#else
#define SP_CLOCK_FAST SP_CLOCK_TSC
#endif

/* For tests: how far this process's clock is ahead of the machine's. A copy in each library. */
__attribute__((weak, visibility("hidden"))) int64_t sp_clock_skew_ns;

static inline void sp_clock_read_skew(void)
{
    const char *skew = getenv("SP_TEST_CLOCK_SKEW_NS");
    sp_clock_skew_ns = skew ? strtoll(skew, NULL, 10) : 0;
}

/* CLOCK_MONOTONIC_RAW: never slewed by NTP, so that ticks relate to it by one factor. */
static inline int64_t sp_clock_monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec + sp_clock_skew_ns;
}

/* One reading. Budget: that of the instruction (about 9 ns for rdtsc in a VM). */
static inline uint64_t sp_clock_now(uint32_t source)
{
#if defined __x86_64__ || defined __i386__
    if (__builtin_expect(source == SP_CLOCK_TSC, 1))
        return __builtin_ia32_rdtsc();
#elif defined __aarch64__
    if (__builtin_expect(source == SP_CLOCK_CNTVCT, 1)) {
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
    }
#else
    (void)source;
#endif
    return (uint64_t)sp_clock_monotonic_ns();
}

/* The best source this machine has, or the one that wanted names ("auto", "tsc", "monotonic"); what is not there
 * becomes CLOCK_MONOTONIC_RAW. */
enum sp_clock_source sp_clock_choose(const char *wanted);

/* Reads the source and CLOCK_MONOTONIC_RAW as close together as a few tries allow. error_ns (may be NULL): half the width. */
struct sp_spill_clock_point sp_clock_read_point(enum sp_clock_source source, int64_t *error_ns);

/* Renews the clock's last point, such that a reader finds a whole one at any instant. Returns its error, ns. */
int64_t sp_clock_renew(struct sp_spill_clock *clock);

/* ns of CLOCK_MONOTONIC_RAW at a reading, by the two points; pure. */
int64_t sp_clock_to_ns(const struct sp_spill_clock *clock, uint64_t ticks);

/* ns by which a point, read in between, lies off the line through the clock's two: how evenly the ticks went. Pure. */
int64_t sp_clock_residual_ns(const struct sp_spill_clock *clock, const struct sp_spill_clock_point *point);

/* "tsc", "cntvct", "monotonic" */
const char *sp_clock_name(enum sp_clock_source source);

#endif
