/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BENCH_RUN_H
#define SP_BENCH_RUN_H

/* Runs of any number of ranks as the images of their spill files, from a few processes. All Local but for sp_bench_write. Running out
 * of memory ends the benchmark. */

#include "sp_writer.h"

#include <mpi.h>
#include <stddef.h>

struct sp_bench_run_images {
    struct sp_writer_source *sources; /* two a rank */
    uint32_t count;
    unsigned char *lanes, *processes;
    size_t lane_bytes, process_bytes; /* room of each */
    size_t rank_count;
};

enum { SP_BENCH_REGIONS = 50, SP_BENCH_OWN_REGIONS = 2 };

/* Ranks [first, end) of a run of rank_count: each enters the same SP_BENCH_REGIONS regions once, on as many call paths; with own names
 * the last SP_BENCH_OWN_REGIONS of them are named after the rank. */
void sp_bench_run_make(struct sp_bench_run_images *run, int first, int end, int rank_count, int has_own_names);
void sp_bench_run_free(struct sp_bench_run_images *run);

/* One rank of a solver that takes so many steps of 20 events (MPI and its own regions, nested), as two images.
 * Regular: what a step does takes as long each time, but for 20 ns either way (a clock, an empty machine). Jittered: 10 % either way. */
void sp_bench_solver_make(struct sp_bench_run_images *run, int rank, int rank_count, int64_t steps, int is_jittered);
enum { SP_BENCH_STEP_EVENTS = 20 };

/* Writes a run as path, as at the end of a job: what is there of that name goes. Ends the benchmark where it fails. Collective. */
struct sp_writer_result sp_bench_write(
    MPI_Comm communicator, const struct sp_bench_run_images *run, const char *path, const char *compression);

#endif
