/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BENCH_CHILD_H
#define SP_BENCH_CHILD_H

/* The main program of a benchmark. A state of the runtime is chosen by the environment, so the program starts itself once a state,
 * with libsp.so before it; the child measures and sends rows, the parent prints them.
 *
 *     bench_X LIBSP [--json] [--short] [--events N] [--memory DIR] [--disk DIR] [--mpirun "LAUNCHER OPTIONS"]
 *
 * --json: JSON to stdout, and the table to stderr all the same; --short: as little as still gives every row. A state of several
 * processes is started by the launcher (mpirun), with libsp_pmpi.so, beside LIBSP, before it; rows are added by rank 0 only. */

#include "sp_bench.h"

enum sp_bench_place { SP_BENCH_DISK, SP_BENCH_MEMORY };

struct sp_bench_options {
    const char *state;     /* name of the state to measure */
    const char *directory; /* fresh, also the working and the spill directory */
    int64_t events;
    int is_short;
};

struct sp_bench_state {
    const char *name;
    const char *environment; /* A=b C=d; NULL: without the runtime */
    enum sp_bench_place place;
    int processes; /* 0: one, without a launcher */
};

struct sp_bench_program {
    const char *name;
    int64_t events; /* default of --events */
    const struct sp_bench_state *states;
    size_t state_count;
    size_t turns; /* so often all of them, with --short once; 0: once */
    size_t short_state_count; /* of these, so many with --short; 0: all */
    void (*measure)(struct sp_bench *bench, const struct sp_bench_options *options); /* in the child */
    void (*conclude)(struct sp_bench *bench);                                        /* in the parent, may be NULL */
};

int sp_bench_main(const struct sp_bench_program *program, int argc, char **argv);

/* Measures the subject between blocks of the floor and adds its row and, once a child, the floor's. The added row. */
struct sp_bench_row *sp_bench_measure(
    struct sp_bench *bench, const char *name, void (*block)(void *data, int count), void *data, int count, int blocks);

/* Bytes of all files below a directory whose path contains a text. */
int64_t sp_bench_bytes_below(const char *directory, const char *text);

/* MiB that are resident: anonymous memory, mapped files, shared memory. */
struct sp_bench_memory {
    double anonymous, file, shared;
};
struct sp_bench_memory sp_bench_memory_now(void);

#endif
