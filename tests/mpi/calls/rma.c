/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided calls of a known number and size; rma_f08.f90 and rma_mpifh.f90 make the same. What they must leave stands in expected/rma. */
#include <mpi.h>

static double doubles[16], more_doubles[16], window_memory[64];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Win window;
    MPI_Comm turned;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size;
    MPI_Win_create(window_memory, sizeof window_memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < 3; i++)
        MPI_Put(doubles, 5, MPI_DOUBLE, right, 0, 5, MPI_DOUBLE, window);
    MPI_Put(doubles, 5, MPI_DOUBLE, MPI_PROC_NULL, 0, 5, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Get(more_doubles, 7, MPI_DOUBLE, right, 0, 7, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(doubles, 2, MPI_DOUBLE, right, 0, 2, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
    MPI_Get_accumulate(doubles, 4, MPI_DOUBLE, more_doubles, 4, MPI_DOUBLE, right, 0, 4, MPI_DOUBLE, MPI_SUM, window);
    MPI_Get_accumulate(doubles, 4, MPI_DOUBLE, more_doubles, 4, MPI_DOUBLE, right, 0, 4, MPI_DOUBLE, MPI_NO_OP, window);
    MPI_Fetch_and_op(doubles, more_doubles, MPI_DOUBLE, right, 0, MPI_SUM, window);
    MPI_Win_flush(right, window);
    MPI_Rput(doubles, 6, MPI_DOUBLE, right, 8, 6, MPI_DOUBLE, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(right, window);
    MPI_Win_free(&window);

    /* the communicator is gone, its handle comes again, the window stays */
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    MPI_Win_create(window_memory, sizeof window_memory, 8, MPI_INFO_NULL, turned, &window);
    MPI_Comm_free(&turned);
    MPI_Win_fence(0, window);
    MPI_Put(doubles, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
