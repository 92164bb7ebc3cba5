/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI 4 has more: counts larger than an int, messages in parts, collectives that are started again and again, sessions. */
#include <mpi.h>

#if MPI_VERSION < 4

int main(void)
{
    return 77;
}

#else

#include <stdio.h>
#include <stdlib.h>

static int rank, size, next, previous;
static double values[64], received[64];

static void expect(const char *what, double found, double wanted)
{
    if (found == wanted)
        return;
    fprintf(stderr, "%s on %d: %g instead of %g\n", what, rank, found, wanted);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void large_counts(void)
{
    MPI_Request requests[2];
    MPI_Count counts[64], sizes = 0;
    MPI_Aint places[64];
    MPI_Sendrecv_c(values, 5, MPI_DOUBLE, next, 1, received, 9, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect("Sendrecv_c", received[4], 100 * previous + 4);
    MPI_Irecv_c(received, 9, MPI_DOUBLE, previous, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(values, 3, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect("Irecv_c", received[2], 100 * previous + 2);
    MPI_Allreduce_c(values, received, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    expect("Allreduce_c", received[1], 100 * (size - 1) + 1);
    for (int i = 0; i < size; sizes += counts[i++]) {
        counts[i] = i + 1;
        places[i] = sizes;
    }
    MPI_Allgatherv_c(values, rank + 1, MPI_DOUBLE, received, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    expect("Allgatherv_c", received[sizes - 1], 100 * (size - 1) + size - 1);
    MPI_Send_c(values, (MPI_Count)5 << 31, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* nothing goes to nobody */
}

static void in_parts(void)
{
    MPI_Request send, receive;
    MPI_Psend_init(values, 4, 2, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Precv_init(received, 4, 2, MPI_DOUBLE, previous, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&receive);
        MPI_Start(&send);
        for (int part = 0; part < 4; part++)
            MPI_Pready(part, send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        expect("Precv", received[7], 100 * previous + 7);
    }
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
}

static void again_and_again(void)
{
    MPI_Request request;
    MPI_Allreduce_init(values, received, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; round++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect("Allreduce_init", received[2], 100 * (size - 1) + 2);
    }
    MPI_Request_free(&request);
}

static void session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "large", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Allreduce(values, received, 1, MPI_DOUBLE, MPI_MAX, comm);
    expect("Allreduce of a session", received[0], 100 * (size - 1));
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int i = 0; i < 64; i++)
        values[i] = 100 * rank + i;
    large_counts();
    in_parts();
    again_and_again();
    session();
    MPI_Finalize();
    return 0;
}

#endif
