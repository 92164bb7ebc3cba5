/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_IN_PLACE wherever it may stand; the results are checked. in_place_f08.f90 and in_place_mpifh.f90 make the same. */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 64 };

static int rank, size, values[MOST], counts[MOST], at[MOST];

/* Element i of mine is 100 rank + i. */
static void fill(void)
{
    for (int i = 0; i < MOST; i++)
        values[i] = 100 * rank + i;
}

static void expect(const char *what, int found, int wanted)
{
    if (found == wanted)
        return;
    fprintf(stderr, "%s on %d: %d instead of %d\n", what, rank, found, wanted);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void reductions(void)
{
    int ranks = size * (size - 1) / 2;
    fill();
    MPI_Allreduce(MPI_IN_PLACE, values, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("Allreduce", values[2], 100 * ranks + 2 * size);
    fill();
    if (rank == 0) {
        MPI_Reduce(MPI_IN_PLACE, values, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        expect("Reduce", values[2], 100 * ranks + 2 * size);
    } else {
        MPI_Reduce(values, NULL, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    fill();
    MPI_Scan(MPI_IN_PLACE, values, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("Scan", values[2], 100 * (rank * (rank + 1) / 2) + 2 * (rank + 1));
    fill();
    MPI_Exscan(MPI_IN_PLACE, values, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank > 0)
        expect("Exscan", values[2], 100 * (rank * (rank - 1) / 2) + 2 * rank);
    fill();
    MPI_Reduce_scatter_block(MPI_IN_PLACE, values, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("Reduce_scatter_block", values[0], 100 * ranks + rank * size);
    fill();
    MPI_Reduce_scatter(MPI_IN_PLACE, values, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("Reduce_scatter", values[0], 100 * ranks + at[rank] * size);
}

static void to_and_from_one(void)
{
    fill();
    if (rank == 0) {
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INT, 0, MPI_COMM_WORLD);
        expect("Gather", values[size - 1], 100 * (size - 1));
        fill();
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
        expect("Gatherv", values[at[size - 1]], 100 * (size - 1));
        fill();
        MPI_Scatter(values, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        MPI_Scatterv(values, counts, at, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        return;
    }
    MPI_Gather(values, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Gatherv(values, rank + 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, values, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect("Scatter", values[0], rank);
    MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, values, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect("Scatterv", values[0], at[rank]);
}

static void among_all(void)
{
    MPI_Request request;
    fill();
    values[rank] = rank;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INT, MPI_COMM_WORLD);
    expect("Allgather", values[size - 1], size - 1);
    fill();
    values[at[rank]] = rank;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, counts, at, MPI_INT, MPI_COMM_WORLD);
    expect("Allgatherv", values[at[size - 1]], size - 1);
    fill();
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INT, MPI_COMM_WORLD);
    expect("Alltoall", values[size - 1], 100 * (size - 1) + rank);
    fill();
    MPI_Iallreduce(MPI_IN_PLACE, values, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("Iallreduce", values[1], 100 * (size - 1) + 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0, next = 0; i < size; next += ++i) {
        counts[i] = i + 1;
        at[i] = next;
    }
    reductions();
    to_and_from_one();
    among_all();
    MPI_Finalize();
    return 0;
}
