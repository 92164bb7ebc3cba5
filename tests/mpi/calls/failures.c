/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that fail, whose error codes are returned: prints them, so that runs can be compared; returns 3. */
#include <mpi.h>
#include <stdio.h>

static int ints[16], more_ints[16];

static void say(const char *what, int code)
{
    int class_of = -1;
    MPI_Error_class(code, &class_of);
    printf("%s: %s\n", what, code == MPI_SUCCESS ? "none" : class_of == MPI_ERR_IN_STATUS ? "in status" : "failed");
}

int main(int argc, char **argv)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm nowhere = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    say("negative count", MPI_Send(ints, -1, MPI_INT, 0, 0, MPI_COMM_SELF));
    say("no type", MPI_Send(ints, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF));
    say("no such rank", MPI_Send(ints, 1, MPI_INT, 1000, 0, MPI_COMM_SELF));
    say("negative tag", MPI_Send(ints, 1, MPI_INT, 0, -5, MPI_COMM_SELF));
    say("no communicator", MPI_Barrier(nowhere));
    say("no such root", MPI_Bcast(ints, 1, MPI_INT, 1000, MPI_COMM_SELF));
    say("no receive", MPI_Irecv(ints, 1, MPI_INT, 1000, 0, MPI_COMM_SELF, &requests[0]));

    /* too long a message */
    for (int i = 0; i < 3; i++) {
        MPI_Isend(ints, 8, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
        say("truncated", MPI_Recv(more_ints, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        say("its sending", MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
        MPI_Isend(ints, 8, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
        MPI_Irecv(more_ints, 2, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
        say("truncated among several", MPI_Waitall(2, requests, statuses));
    }
    MPI_Irecv(more_ints, 5, MPI_INT, 0, 2, MPI_COMM_SELF, &requests[0]);
    MPI_Send(ints, 5, MPI_INT, 0, 2, MPI_COMM_SELF);
    say("and a good one", MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    MPI_Finalize();
    return 3;
}
