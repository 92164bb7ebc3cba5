/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives for which the last process is late by 0.2 s each time, and others before which there must be no barrier of ours:
 * nonblocking ones, those over communicators not all members know of alike, and an intercommunicator. */
#include <mpi.h>
#include <time.h>

enum { LATE = 4 };

static int rank, size;

static void be_late(void)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    if (rank == size - 1)
        nanosleep(&pause, NULL);
}

static void blocking(MPI_Comm comm)
{
    int one = 1, sum = 0;
    for (int i = 0; i < LATE; i++) {
        be_late();
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    }
    MPI_Bcast(&sum, 1, MPI_INT, 0, comm);
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_SELF);
}

static void without_barrier(void)
{
    int one = 1, sum = 0;
    MPI_Comm later, half, other = MPI_COMM_NULL;
    MPI_Request request;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, later);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
    if (size > 1) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0, 5, &other);
        MPI_Barrier(other);
        MPI_Comm_free(&other);
    }
    MPI_Comm_free(&half);
    MPI_Comm_free(&later);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    blocking(copy);
    without_barrier();
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
