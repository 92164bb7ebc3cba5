/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI program that also does what only a program without MPI needs: sp_init, sp_finalize, contexts. The run stays MPI's. */
#include <mpi.h>
#include <scope_profiler.h>

#include <stdio.h>

static int __attribute__((noinline)) step(int rank, int i)
{
    int sum = 0, value = rank + i;
    SP_SCOPE("step");
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    int rank = 0, sum = 0;
    sp_set("output", "set.h5");
    sp_init("ignored", 0);
    SP_BEGIN("before the run");
    SP_END("before the run");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sp_set("output", "too late.h5");
    sp_profiler *library = sp_create("library", rank);
    int region = sp_profiler_region(library, "of a library");
    for (int i = 0; i < 5; i++) {
        sp_profiler_begin(library, region);
        sum += step(rank, i);
        sp_profiler_end(library, region);
    }
    sp_profiler_finalize(library);
    sp_destroy(library);
    sp_finalize();
    SP_BEGIN("after sp_finalize");
    SP_END("after sp_finalize");
    MPI_Finalize();
    SP_BEGIN("after MPI_Finalize");
    SP_END("after MPI_Finalize");
    if (rank == 0)
        printf("%d\n", sum);
    return 0;
}
