/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives over an open chain, a ring, and two graphs in which rank r sends to r + 1. */
#include <mpi.h>

enum { MOST = 64 };

static int rank, size;
static double doubles[MOST], more_doubles[MOST];

static void over_a_chain(int is_ring)
{
    int counts[2] = {2, 3}, displacements[2] = {0, 3};
    MPI_Aint bytes[2] = {0, 64};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Request request;
    MPI_Comm chain;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_ring, 0, &chain);
    MPI_Neighbor_allgather(doubles, 1, MPI_DOUBLE, more_doubles, 1, MPI_DOUBLE, chain);
    MPI_Neighbor_alltoall(doubles, 2, MPI_DOUBLE, more_doubles, 2, MPI_DOUBLE, chain);
    if (is_ring && size > 2) { /* counts of the two sides match only where they are different ranks' */
        int mirrored[2] = {3, 2};
        MPI_Neighbor_alltoallv(doubles, counts, displacements, MPI_DOUBLE, more_doubles, mirrored, displacements, MPI_DOUBLE, chain);
        MPI_Datatype mirrored_types[2] = {MPI_INT, MPI_DOUBLE};
        MPI_Neighbor_alltoallw(doubles, counts, bytes, types, more_doubles, mirrored, bytes, mirrored_types, chain);
    }
    MPI_Ineighbor_alltoall(doubles, 4, MPI_DOUBLE, more_doubles, 4, MPI_DOUBLE, chain, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&chain);
}

static void over_a_graph(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, counts[1] = {3}, at[1] = {0};
    MPI_Comm graph;
    int *volatile unweighted = MPI_UNWEIGHTED; /* an address that compilers take for an array */
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, unweighted, 1, &right, unweighted, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_allgatherv(doubles, 3, MPI_DOUBLE, more_doubles, counts, at, MPI_DOUBLE, graph);
    MPI_Comm_free(&graph);
    int index[MOST], edges[2 * MOST];
    for (int i = 0; i < size; i++) { /* everybody with the one before and the one behind */
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + size - 1) % size;
        edges[2 * i + 1] = (i + 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
    MPI_Neighbor_allgather(doubles, 5, MPI_DOUBLE, more_doubles, 5, MPI_DOUBLE, graph);
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    over_a_chain(0);
    over_a_chain(1);
    over_a_graph();
    MPI_Finalize();
    return 0;
}
