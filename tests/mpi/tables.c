/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages whose tables are known in closed form: rank r sends r + 1 messages of 100 bytes and one of 5000 to the next rank of a ring, and
 * on each half of the ranks the first one broadcasts 1024 bytes three times. */
#include <mpi.h>

#include <string.h>

int main(int argc, char **argv)
{
    static char buffer[8192], other[8192];
    int rank, size;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i <= rank || i <= last; i++) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (i <= last)
            MPI_Irecv(other, 100, MPI_BYTE, last, 1, MPI_COMM_WORLD, &request);
        if (i <= rank)
            MPI_Send(buffer, 100, MPI_BYTE, next, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(buffer, 5000, MPI_BYTE, next, 2, other, 5000, MPI_BYTE, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, rank * 2 / size, rank, &half);
    MPI_Comm_set_name(half, "half");
    for (int i = 0; i < 3; i++)
        MPI_Bcast(buffer, 1024, MPI_BYTE, 0, half);
    MPI_Comm_free(&half);
    return MPI_Finalize();
}
