/* SPDX-License-Identifier: BSD-3-Clause */
/* What recording adds to MPI_Finalize, where the file is written, against the number of ranks. More ranks than cores say how much work
 * there is, not how long it takes where each has its own. */
#include "sp_bench_child.h"

#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum { STEPS = 500 };

/* A ring of ranks: halo exchange and reduction. */
static void solve(int rank, int size)
{
    double field[256] = {0}, sum = 0;
    for (int step = 0; step < STEPS; step++) {
        MPI_Sendrecv(&field[254], 1, MPI_DOUBLE, (rank + 1) % size, 1, &field[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 1,
            MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i < 255; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
        MPI_Allreduce(&field[128], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        field[1] = sum / size;
    }
}

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    int rank, size;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    solve(rank, size);
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t start = sp_bench_wall_ns();
    MPI_Finalize();
    if (rank == 0)
        sp_bench_add_value(bench, options->state, (double)(sp_bench_wall_ns() - start) / 1e6, "ms");
}

static void conclude(struct sp_bench *bench)
{
    static const int sizes[] = {1, 2, 4, 8, 16};
    sp_bench_unite(bench);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char with[80], without[80], name[80];
        const char *plural = sizes[i] > 1 ? "s" : "";
        snprintf(with, sizeof with, "%d rank%s, recorded", sizes[i], plural);
        snprintf(without, sizeof without, "%d rank%s, alone", sizes[i], plural);
        snprintf(name, sizeof name, "%d rank%s, recorded to alone", sizes[i], plural);
        sp_bench_add_quotient(bench, name, with, without);
    }
}

int main(int argc, char **argv)
{
    static const char trace[] = "SP_MODE=trace SP_OUTPUT=run.h5";
    static const struct sp_bench_state states[] = {{"1 rank, alone", NULL, SP_BENCH_DISK, 1}, {"1 rank, recorded", trace, SP_BENCH_DISK, 1},
        {"2 ranks, alone", NULL, SP_BENCH_DISK, 2}, {"2 ranks, recorded", trace, SP_BENCH_DISK, 2},
        {"4 ranks, alone", NULL, SP_BENCH_DISK, 4}, {"4 ranks, recorded", trace, SP_BENCH_DISK, 4},
        {"8 ranks, alone", NULL, SP_BENCH_DISK, 8}, {"8 ranks, recorded", trace, SP_BENCH_DISK, 8},
        {"16 ranks, alone", NULL, SP_BENCH_DISK, 16}, {"16 ranks, recorded", trace, SP_BENCH_DISK, 16}};
    const struct sp_bench_program program = {.name = "finalize",
        .events = 1,
        .states = states,
        .state_count = sizeof states / sizeof states[0],
        .turns = 3,
        .short_state_count = 4, /* up to 2 ranks */
        .measure = measure,
        .conclude = conclude};
    return sp_bench_main(&program, argc, argv);
}
