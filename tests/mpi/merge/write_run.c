/* SPDX-License-Identifier: BSD-3-Clause */
/* write_run MODULE DIRECTORY RANKS OUTPUT [COMPRESSION [IO]]: writes the spill files of a synthetic run (make_spills) through the
 * writer module, as the processes of a run do at its end; each takes some of the ranks, some may take none. An argument "-" is
 * left out. TEST_FAIL=N: process N brings a file that is not there. */
#include "sp_writer.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char paths[2000][300];
static struct sp_writer_source sources[2000];

/* Two files a rank, the lane's not always there. */
static uint32_t list_sources(const char *directory, int first, int end)
{
    uint32_t count = 0;
    for (int rank = first; rank < end; rank++)
        for (int i = 0; i < 2; i++) {
            snprintf(paths[count], sizeof paths[count], "%s/r%06d-%s", directory, rank, i ? "lane0" : "process");
            if (access(paths[count], R_OK) < 0)
                continue;
            sources[count].path = paths[count];
            count++;
        }
    return count;
}

static const char *argument(int argc, char **argv, int i)
{
    return i < argc && strcmp(argv[i], "-") != 0 ? argv[i] : NULL;
}

int main(int argc, char **argv)
{
    int rank, size;
    if (argc < 5)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void *module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    const struct sp_writer *writer = module ? dlsym(module, SP_WRITER_SYMBOL) : NULL;
    if (!writer) {
        fprintf(stderr, "%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 70);
        return 70;
    }
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    int ranks = atoi(argv[3]);
    char work[500];
    snprintf(work, sizeof work, "%s.part.h5", argv[4]);
    struct sp_writer_result result;
    struct sp_error err = {0};
    struct sp_writer_job job = {.communicator = &own,
        .output_path = rank == 0 ? argv[4] : "elsewhere",
        .sources = sources,
        .work_path = rank == 0 ? work : "elsewhere",
        .state = "complete",
        .histograms = getenv("SP_HISTOGRAMS"),
        .compression = argument(argc, argv, 5),
        .io = argument(argc, argv, 6),
        .checksum_readback = 1};
    job.source_count = list_sources(argv[2], ranks * rank / size, ranks * (rank + 1) / size);
    const char *failing = getenv("TEST_FAIL");
    if (failing && atoi(failing) == rank)
        sources[job.source_count++].path = "/nonexistent/spill";
    int status = writer->write(&job, &result, &err);
    if (status < 0)
        fprintf(stderr, "%d: %s\n", rank, err.text);
    else if (rank == 0)
        printf("%s %d %llu\n", result.path, result.rank_count, (unsigned long long)result.event_count);
    int value = status < 0, sum;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* MPI still works, and all have come back */
    MPI_Comm_free(&own);
    MPI_Finalize();
    return sum == 0 ? 0 : sum == size ? 1 : 3;
}
