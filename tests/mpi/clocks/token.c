/* SPDX-License-Identifier: BSD-3-Clause */
/* A token goes round all ranks 20 times, by MPI_Ssend and MPI_Recv, so that each call's partner is the other rank's call of the same
 * number; a sleep in between leaves the clocks some time to go apart. */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 20; round++) {
        if (rank == 0)
            MPI_Ssend(&token, 1, MPI_INT, 1 % size, 1, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token++;
        if (rank != 0)
            MPI_Ssend(&token, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
        if (round == 10)
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    if (token != 20 * size && rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
