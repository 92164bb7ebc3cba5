/* SPDX-License-Identifier: BSD-3-Clause */
/* What stays resident, and what is spilled, after a hundredth, a tenth and all of --events pairs. */
#include "sp_bench_child.h"

#include <scope_profiler.h>

#include <stdio.h>

static void pairs(int one, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        sp_begin(one);
        __asm__ volatile("" : : : "memory");
        sp_end(one);
    }
}

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    static const char *const shares[] = {"1/100 of the pairs", "1/10 of the pairs", "all pairs"};
    int64_t wanted = options->is_short ? 1000000 : options->events, done = 0;
    char name[80], last[80], first[80];
    sp_init(NULL, 0);
    int one = sp_region("one");
    snprintf(name, sizeof name, "%s: pairs", options->state);
    sp_bench_add_value(bench, name, (double)wanted / 1e6, "10^6");
    for (int i = 0, divisor = 100; i < 3; i++, divisor /= 10) {
        pairs(one, wanted / divisor - done);
        done = wanted / divisor;
        struct sp_bench_memory now = sp_bench_memory_now();
        snprintf(name, sizeof name, "%s: spilled a pair after %s", options->state, shares[i]);
        sp_bench_add_value(bench, name, (double)sp_bench_bytes_below(options->directory, ".spill") / (double)done, "bytes");
        snprintf(last, sizeof last, "%s: resident after %s", options->state, shares[i]);
        sp_bench_add_value(bench, last, now.anonymous + now.file + now.shared, "MiB");
        if (i == 0)
            snprintf(first, sizeof first, "%s", last);
    }
    snprintf(name, sizeof name, "%s: resident after all to after 1/100", options->state);
    sp_bench_add_quotient(bench, name, last, first);
}

int main(int argc, char **argv)
{
    static const struct sp_bench_state states[] = {
        {"profile", "SP_MODE=profile SP_OUTPUT=none", SP_BENCH_DISK, 0}, {"trace", "SP_MODE=trace SP_OUTPUT=none", SP_BENCH_DISK, 0}};
    const struct sp_bench_program program = {
        .name = "memory", .events = 10000000, .states = states, .state_count = sizeof states / sizeof states[0], .measure = measure};
    return sp_bench_main(&program, argc, argv);
}
