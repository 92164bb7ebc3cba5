/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends to itself through functions that call each other; one of them has a frame whose size differs from call to call. The lines are
 * marked for callsites.sh. */
#include <alloca.h>
#include <mpi.h>
#include <string.h>

static int buffer;

static __attribute__((noinline)) void send(void)
{
    MPI_Bsend(&buffer, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* site-send */
    buffer++;
}

static __attribute__((noinline)) void steady(void)
{
    char room[100];
    memset(room, buffer, sizeof room);
    send(); /* site-steady */
    buffer += room[5];
}

static __attribute__((noinline)) void varying(int bytes)
{
    char *room = alloca((size_t)bytes);
    memset(room, buffer, (size_t)bytes);
    send(); /* site-varying */
    buffer += room[bytes / 2];
}

/* Leaves what lies in its frame as it is: old return addresses. */
static __attribute__((noinline)) void untouched(int bytes)
{
    volatile char *room = alloca((size_t)bytes);
    room[0] = 1;
    send(); /* site-untouched */
    room[0] = 2;
}

static __attribute__((noinline)) void other(int bytes)
{
    untouched(bytes); /* site-other */
    buffer++;
}

static __attribute__((noinline)) void deeper(int levels)
{
    if (levels > 0)
        deeper(levels - 1); /* site-deeper */
    else
        send(); /* site-deepest */
    buffer++;
}

int main(int argc, char **argv)
{
    static char room[1 << 16];
    int size = sizeof room;
    void *old;
    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(room, size);
    for (int i = 0; i < 3; i++)
        steady(); /* site-main-a */
    for (int i = 0; i < 4; i++)
        steady(); /* site-main-b */
    for (int i = 0; i < 5; i++)
        varying(100 + 4000 * i); /* site-main-c */
    for (int i = 0; i < 6; i++)
        deeper(i % 3); /* site-main-d */
    for (int i = 0; i < 1000; i++) {
        untouched(16 * (i % 37)); /* site-main-e */
        if (i % 4 == 0)
            other(16 * (i % 23)); /* site-main-f */
        MPI_Recv(&buffer, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        if (i % 4 == 0)
            MPI_Recv(&buffer, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 18; i++)
        MPI_Recv(&buffer, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}
