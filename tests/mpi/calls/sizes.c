/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes: beyond 2^31 and 2^32 bytes without that much memory (to oneself a broadcast moves nothing), counts of 0, types freed before
 * their message has arrived, handles of types that come again, a type each, less than was posted. */
#include <mpi.h>
#include <stdlib.h>

static double doubles[64], more_doubles[64];

static void big(void)
{
    MPI_Datatype huge, larger;
    MPI_Type_contiguous(1 << 29, MPI_DOUBLE, &huge); /* 4 GiB */
    MPI_Type_contiguous(3, huge, &larger);           /* 12 GiB */
    MPI_Type_commit(&huge);
    MPI_Type_commit(&larger);
    MPI_Bcast(doubles, 1, huge, 0, MPI_COMM_SELF);
    MPI_Bcast(doubles, 1 << 20, larger, 0, MPI_COMM_SELF); /* 12 PiB */
    MPI_Ssend(doubles, 7, larger, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_free(&huge);
    MPI_Type_free(&larger);
    MPI_Bcast(doubles, 0, MPI_DOUBLE, 0, MPI_COMM_SELF);
}

static void freed_early(void)
{
    MPI_Request request;
    MPI_Datatype three;
    MPI_Type_contiguous(3, MPI_DOUBLE, &three);
    MPI_Type_commit(&three);
    MPI_Irecv(more_doubles, 4, three, 0, 1, MPI_COMM_SELF, &request);
    MPI_Type_free(&three);
    MPI_Send(doubles, 6, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void handles_again(void)
{
    MPI_Datatype type;
    for (int i = 1; i <= 10; i++) {
        MPI_Type_contiguous(i, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Bcast(doubles, 1, type, 0, MPI_COMM_SELF);
        MPI_Type_free(&type);
    }
}

static void a_type_each(void)
{
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *send = calloc((size_t)size, sizeof *send), *receive = calloc((size_t)size, sizeof *receive);
    int *displacements = calloc((size_t)size, sizeof *displacements);
    MPI_Datatype *send_types = malloc(sizeof *send_types * (size_t)size), *receive_types = malloc(sizeof *receive_types * (size_t)size);
    for (int i = 0; i < size; i++) { /* to i go 2 of its type: even ranks take doubles, odd ones ints */
        send[i] = receive[i] = 2;
        send_types[i] = i % 2 ? MPI_INT : MPI_DOUBLE;
        receive_types[i] = rank % 2 ? MPI_INT : MPI_DOUBLE;
        displacements[i] = 16 * i;
    }
    MPI_Alltoallw(doubles, send, displacements, send_types, more_doubles, receive, displacements, receive_types, MPI_COMM_WORLD);
    free(send);
    free(receive);
    free(displacements);
    free(send_types);
    free(receive_types);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    big();
    freed_early();
    handles_again();
    a_type_each();
    MPI_Finalize();
    return 0;
}
