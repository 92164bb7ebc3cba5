/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns NAME: programs whose efficiencies are known in closed form; ranks sleep where others compute. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size;

static void work(int units) /* of 0.1 s */
{
    struct timespec time = {units / 10, units % 10 * 100000000L};
    nanosleep(&time, NULL);
}

static void balanced(void)
{
    work(8);
}

/* rank r works r + 1 times as long */
static void uneven(void)
{
    work(2 * (rank + 1));
}

/* one after the other */
static void serial(void)
{
    int token = 0;
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work(6);
    if (rank < size - 1)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 5, MPI_COMM_WORLD);
}

/* all wait for what rank 0 sends late */
static void late_sender(void)
{
    int value = 0;
    MPI_Request request;
    if (rank == 0) {
        work(4);
        for (int peer = 1; peer < size; peer++)
            MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
        work(2);
        return;
    }
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    work(4);
}

/* even ranks stand in a synchronous send, which a network that takes no time would not ask of them */
static void transfer(void)
{
    int value = 0;
    if (rank % 2 == 0) {
        MPI_Ssend(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        work(4);
    } else {
        work(4);
        MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } patterns[] = {{"balanced", balanced}, {"uneven", uneven}, {"serial", serial}, {"late_sender", late_sender}, {"transfer", transfer}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        if (argc > 1 && strcmp(argv[1], patterns[i].name) == 0)
            patterns[i].run();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
