/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of each rank with 1000 exchanges each, on communicators and types of their own that they free while the other
 * works, and requests one posts and the other completes. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 2, CALLS = 1000, ROUNDS = 20 };

static MPI_Comm comms[THREADS];
static MPI_Request handed_over[CALLS];

static void *exchange(void *number)
{
    int thread = *(const int *)number, rank, size;
    double values[8] = {0}, others[8];
    MPI_Comm_rank(comms[thread], &rank);
    MPI_Comm_size(comms[thread], &size);
    for (int i = 0; i < CALLS; i++) {
        MPI_Datatype type;
        if (i % (CALLS / ROUNDS) == 0) {
            MPI_Type_contiguous(1 + i % 3, MPI_DOUBLE, &type);
            MPI_Type_commit(&type);
            MPI_Bcast(values, 1, type, 0, comms[thread]);
            MPI_Type_free(&type);
        }
        MPI_Sendrecv(values, 2, MPI_DOUBLE, (rank + 1) % size, 0, others, 2, MPI_DOUBLE, (rank + size - 1) % size, 0, comms[thread],
            MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void *complete(void *unused)
{
    (void)unused;
    for (int i = 0; i < CALLS; i++)
        MPI_Wait(&handed_over[i], MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int level, numbers[THREADS], values[CALLS], one = 1;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 77);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, exchange, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < CALLS; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &handed_over[i]);
    for (int i = 0; i < CALLS; i++)
        MPI_Send(&one, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    pthread_create(&threads[0], NULL, complete, NULL);
    pthread_join(threads[0], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
