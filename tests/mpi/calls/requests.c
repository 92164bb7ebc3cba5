/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: 10^5 in one call, several of one handle, inactive ones, none at all, cancelled and freed ones, probed messages, and calls
 * that ask a million times in vain. */
#include <mpi.h>
#include <stdlib.h>

enum { MANY = 100000, ASKED = 1000000 };

static int ints[MANY], more_ints[MANY];
static MPI_Request requests[2 * MANY];

static void many(void)
{
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(&more_ints[i], 1, MPI_INT, 0, i % 100, MPI_COMM_SELF, &requests[i]);
    for (int i = 0; i < MANY; i++)
        MPI_Isend(&ints[i], 1, MPI_INT, 0, i % 100, MPI_COMM_SELF, &requests[MANY + i]);
    MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
}

static void none(void)
{
    int index, flag, done, indices[4];
    MPI_Request inactive[4];
    for (int i = 0; i < 4; i++)
        inactive[i] = MPI_REQUEST_NULL;
    MPI_Waitany(4, inactive, &index, MPI_STATUS_IGNORE);
    MPI_Testany(4, inactive, &index, &flag, MPI_STATUS_IGNORE);
    MPI_Testsome(4, inactive, &done, indices, MPI_STATUSES_IGNORE);
    MPI_Waitall(0, inactive, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++) /* they may share one handle */
        MPI_Irecv(ints, 10, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &inactive[i]);
    MPI_Waitall(4, inactive, MPI_STATUSES_IGNORE);
}

static void persistent(void)
{
    MPI_Request pair[2];
    MPI_Status statuses[2];
    MPI_Recv_init(more_ints, 10, MPI_INT, 0, 3, MPI_COMM_SELF, &pair[0]);
    MPI_Send_init(ints, 6, MPI_INT, 0, 3, MPI_COMM_SELF, &pair[1]);
    MPI_Waitall(2, pair, statuses); /* inactive */
    for (int i = 0; i < 2; i++) {
        MPI_Start(&pair[0]);
        MPI_Start(&pair[1]);
        MPI_Waitall(2, pair, statuses);
    }
    MPI_Request_free(&pair[0]);
    MPI_Request_free(&pair[1]);
}

static void given_up(void)
{
    MPI_Request request;
    MPI_Irecv(more_ints, 10, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 1000; i++) { /* freed while under way; what arrives then is known to nobody */
        MPI_Irecv(more_ints, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &request);
        MPI_Request_free(&request);
        MPI_Send(ints, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
    }
}

static void probed(void)
{
    MPI_Message message;
    MPI_Request request;
    MPI_Request sent[2];
    int flag = 0;
    MPI_Isend(ints, 3, MPI_INT, 0, 7, MPI_COMM_SELF, &sent[0]);
    MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(more_ints, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Isend(ints, 4, MPI_INT, 0, 8, MPI_COMM_SELF, &sent[1]);
    MPI_Mprobe(0, 8, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(more_ints, 8, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
    for (int i = 0; i < ASKED; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    if (flag)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    many();
    none();
    persistent();
    given_up();
    probed();
    MPI_Finalize();
    return 0;
}
