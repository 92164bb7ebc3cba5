/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends to itself from two lines, 3 and 5 times, and asks in vain from a third; the lines are marked for sites.sh. */
#include <mpi.h>

static int buffer, flag;

static void send(int first, int second)
{
    for (int i = 0; i < first; i++)
        MPI_Bsend(&buffer, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* site-a */
    for (int i = 0; i < second; i++)
        MPI_Bsend(&buffer, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* site-b */
}

int main(int argc, char **argv)
{
    static char room[1 << 16];
    int size = sizeof room;
    void *old;
    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(room, size);
    for (int i = 0; i < 7; i++)
        MPI_Iprobe(0, 99, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* site-c */
    send(3, 5);
    for (int i = 0; i < 8; i++)
        MPI_Recv(&buffer, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* site-d */
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}
