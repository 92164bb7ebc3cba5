/* SPDX-License-Identifier: BSD-3-Clause */
/* A known sequence of calls; traffic_f08.f90 and traffic_mpifh.f90 make the same. check_traffic.c knows what must be recorded. */
#include <mpi.h>
#include <stdlib.h>

static int rank, size, right, left;
static int ints[4096], more_ints[4096];
static double doubles[1024], more_doubles[1024];

static void point_to_point(void)
{
    MPI_Request requests[2];
    MPI_Status status;
    for (int i = 0; i < 5; i++) { /* 10 doubles arrive where 20 were posted */
        MPI_Irecv(more_doubles, 20, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Send(doubles, 10, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(more_ints, 4, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(ints, 4, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < 2; i++)
        MPI_Sendrecv(ints, 2, MPI_INT, right, 3, more_ints, 2, MPI_INT, left, 3, MPI_COMM_WORLD, &status);
    MPI_Ssend(ints, 100, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
    MPI_Recv(ints, 100, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &status);
}

static void persistent(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Recv_init(more_ints, 5, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(ints, 5, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void collectives(void)
{
    int counts[64], displacements[64], last = size - 1;
    for (int i = 0, at = 0; i < size; i++) {
        counts[i] = i + 1;
        displacements[i] = at;
        at += i + 1;
    }
    MPI_Bcast(ints, 7, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
        MPI_Allreduce(doubles, more_doubles, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, doubles, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(doubles, more_doubles, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Gather(ints, 1, MPI_INT, more_ints, 1, MPI_INT, last, MPI_COMM_WORLD);
    MPI_Scatter(ints, 1, MPI_INT, more_ints, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(doubles, 1, MPI_DOUBLE, more_doubles, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, more_doubles, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoall(ints, 1, MPI_INT, more_ints, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(ints, rank + 1, MPI_INT, more_ints, counts, displacements, MPI_INT, MPI_COMM_WORLD);
}

static void communicators(void)
{
    MPI_Comm half;
    MPI_Request request;
    for (int i = 0; i < 2; i++) { /* the handle comes again */
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Iallreduce(ints, more_ints, 1, MPI_INT, MPI_SUM, half, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&half);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    point_to_point();
    persistent();
    collectives();
    communicators();
    MPI_Finalize();
    return 0;
}
