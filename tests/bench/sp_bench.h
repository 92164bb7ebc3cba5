/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BENCH_H
#define SP_BENCH_H

/* What the benchmarks share: pinning, medians of many short blocks, and one form of output, a table or (--json)
 *     {"benchmark": ..., "floor_ns": ..., "cases": [{"name": ..., "value": ..., "unit": ..., "ratio": ...}]}
 * Values are told as ratios to a floor measured in the same run; nobody asserts times. */

#include <stddef.h>
#include <stdint.h>

struct sp_bench_case {
    char name[64];
    double value;
    char unit[16];
    double ratio; /* to the floor; 0: there is none to compare with */
};

struct sp_bench {
    const char *name;
    double floor_ns;
    struct sp_bench_case cases[64];
    size_t case_count;
};

/* ns of CLOCK_MONOTONIC_RAW. */
int64_t sp_bench_now_ns(void);

/* Keeps the calling thread on the core it runs on. */
void sp_bench_pin(void);

/* Median over the blocks of what block(data, count) takes, in ns per item; one block more warms up. */
double sp_bench_median_ns(void (*block)(void *data, int count), void *data, int count, int blocks);

/* Two readings of the clock in use and one 16-byte store to a sequential, warm buffer: what a pair must cost, in ns. */
double sp_bench_floor_ns(void);

void sp_bench_add(struct sp_bench *bench, const char *name, double value, const char *unit, double ratio);

/* Prints the table, or JSON. */
void sp_bench_print(const struct sp_bench *bench, int as_json);

#endif
