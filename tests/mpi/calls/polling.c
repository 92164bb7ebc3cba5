/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions: each function is asked so many times in vain, for a message that has not been sent, and then once with success: about
 * MPI_PROC_NULL or nothing at all, which MPI answers with yes at once. */
#include <mpi.h>

enum { IN_VAIN = 1000 };

static int received;
static MPI_Request pending, nothing = MPI_REQUEST_NULL;

static void expect(int answer, int wanted)
{
    if (!answer != !wanted)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void ask_in_vain(void)
{
    int flag, index, done;
    MPI_Message message;
    MPI_Status status;
    for (int i = 0; i < IN_VAIN; i++) {
        MPI_Test(&pending, &flag, MPI_STATUS_IGNORE);
        expect(flag, 0);
        MPI_Testall(1, &pending, &flag, MPI_STATUSES_IGNORE);
        expect(flag, 0);
        MPI_Testany(1, &pending, &index, &flag, MPI_STATUS_IGNORE);
        expect(flag, 0);
        MPI_Testsome(1, &pending, &done, &index, MPI_STATUSES_IGNORE);
        expect(done, 0);
        MPI_Request_get_status(pending, &flag, &status);
        expect(flag, 0);
        MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        expect(flag, 0);
        MPI_Improbe(0, 2, MPI_COMM_SELF, &flag, &message, MPI_STATUS_IGNORE);
        expect(flag, 0);
    }
}

static void ask_with_success(void)
{
    int flag, index, done;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&received, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_SELF, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    expect(flag, 1);
    MPI_Testall(1, &nothing, &flag, MPI_STATUSES_IGNORE);
    expect(flag, 1);
    MPI_Testany(1, &nothing, &index, &flag, MPI_STATUS_IGNORE);
    expect(flag, 1);
    MPI_Testsome(1, &nothing, &done, &index, MPI_STATUSES_IGNORE);
    expect(done, MPI_UNDEFINED);
    MPI_Request_get_status(nothing, &flag, &status);
    expect(flag, 1);
    MPI_Iprobe(MPI_PROC_NULL, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    expect(flag, 1);
    MPI_Improbe(MPI_PROC_NULL, 2, MPI_COMM_SELF, &flag, &message, MPI_STATUS_IGNORE);
    expect(flag, 1);
}

int main(int argc, char **argv)
{
    int sent = 42;
    MPI_Init(&argc, &argv);
    MPI_Irecv(&received, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &pending);
    ask_in_vain();
    ask_with_success();
    MPI_Send(&sent, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
