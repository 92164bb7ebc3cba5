/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives with room for more than comes: ten ints, of a process to itself. "unmatched": without that of a probed message. */
#include <mpi.h>
#include <string.h>

static int values[10], received[1000];

static void send(int tag)
{
    MPI_Request request;
    MPI_Isend(values, 10, MPI_INT, 0, tag, MPI_COMM_SELF, &request);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    MPI_Init(NULL, NULL);
    send(1);
    MPI_Recv(received, 1000, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    send(2);
    MPI_Recv(received, 10, MPI_INT, 0, 2, MPI_COMM_SELF, &status);
    MPI_Irecv(received, 900, MPI_INT, 0, 3, MPI_COMM_SELF, &request);
    send(3);
    MPI_Wait(&request, &status);
    MPI_Sendrecv(values, 10, MPI_INT, 0, 4, received, 500, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Recv_init(received, 300, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        send(5);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    if (argc == 1 || strcmp(argv[1], "unmatched") != 0) {
        send(6);
        MPI_Mprobe(0, 6, MPI_COMM_SELF, &message, &status);
        MPI_Mrecv(received, 200, MPI_INT, &message, &status);
    }
    MPI_Recv(received, 100, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_SELF, &status); /* room does not count where nothing comes */
    MPI_Finalize();
    return 0;
}
