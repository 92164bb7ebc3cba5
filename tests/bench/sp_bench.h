/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BENCH_H
#define SP_BENCH_H

/* What the benchmarks share: blocks of several subjects in turn, their medians, and one form of output. Nobody asserts times: a cost
 * is told as the ratio to a floor that was measured between the very same blocks. All Local. */

#include <stddef.h>
#include <stdint.h>

/* Of the blocks: median, quartiles and mean, per item. The mean tells what is rare and dear: a full ring, a slow disk. */
struct sp_bench_figures {
    double median, low, high, mean;
};

struct sp_bench_row {
    char name[80];
    char unit[16];
    struct sp_bench_figures value; /* low and high 0: one value, of no blocks */
    double ratio;                  /* of the medians, to the floor; 0: there is none to compare with */
    double goal;                   /* for the ratio where there is one, else for the value; 0 none */
};

struct sp_bench {
    const char *name;
    double floor_ns; /* median over what every child measured; 0: none did */
    struct sp_bench_row rows[96];
    size_t row_count;
    char skipped[8][120]; /* what could not be measured, and why */
    size_t skipped_count;
};

/* Something to be measured: count items of it. */
typedef void sp_bench_block(void *data, int count);
struct sp_bench_subject {
    sp_bench_block *block;
    void *data;
};

/* Two readings of the clock in use and one 16-byte store to a sequential, warm buffer: what a pair must cost. */
struct sp_bench_subject sp_bench_floor(void);

typedef int64_t sp_bench_clock(void);
int64_t sp_bench_wall_ns(void);
int64_t sp_bench_thread_cpu_ns(void);

/* Keeps the calling thread on a core, or (core < 0) on the one it runs on. */
void sp_bench_pin(int core);

/* Runs blocks of count items of each subject in turn, after one to warm up, and fills in the figures, in ns per item. -1 without
 * memory. */
int sp_bench_run(const struct sp_bench_subject *subjects, int subject_count, int count, int blocks, sp_bench_clock *clock,
    struct sp_bench_figures *figures);

/* Adds a row; NULL where the table is full. */
struct sp_bench_row *sp_bench_add(struct sp_bench *bench, const char *name, const char *unit, struct sp_bench_figures value, double ratio);
struct sp_bench_row *sp_bench_add_value(struct sp_bench *bench, const char *name, double value, const char *unit);

/* Adds a row with how many times the row over is the row under, by their medians; nothing where one is missing. */
void sp_bench_add_quotient(struct sp_bench *bench, const char *name, const char *over, const char *under);

/* Rows of one value each and the same name and unit become one, with their median, quartiles and mean. */
void sp_bench_unite(struct sp_bench *bench);

void sp_bench_skip(struct sp_bench *bench, const char *why);

/* The rows as lines, from a child to its parent, who adds one with sp_bench_receive. */
void sp_bench_send(const struct sp_bench *bench);
void sp_bench_receive(struct sp_bench *bench, char *line);

void sp_bench_print_table(const struct sp_bench *bench);
void sp_bench_print_json(const struct sp_bench *bench);

#endif
