/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators made in every way; what must be known of them stands in comms.sh. Two ranks at least. */
#include <mpi.h>

static int rank, size;

static void named(void)
{
    MPI_Comm copy, later;
    MPI_Request request;
    int one = 1, sum;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "ocean, \"deep\"");
    MPI_Comm_idup(copy, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, later);
    MPI_Comm_set_name(later, "later");
    MPI_Comm_free(&later);
    MPI_Comm_free(&copy);
}

static void often(void)
{
    MPI_Comm copy;
    for (int i = 0; i < 20; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
    }
}

/* Evens and odds, a bridge between them whose parents are freed, and both merged. */
static void between(void)
{
    MPI_Comm half, bridge, all;
    int value = rank, others = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (int i = 0; i < 2; i++) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &bridge);
        MPI_Intercomm_merge(bridge, rank % 2, &all);
        MPI_Barrier(all);
        MPI_Comm_free(&all);
        if (i == 0)
            MPI_Comm_free(&bridge);
    }
    MPI_Comm_free(&half);
    MPI_Allreduce(&value, &others, 1, MPI_INT, MPI_SUM, bridge);
    MPI_Comm_free(&bridge);
}

/* Made by its members alone, twice with the same tag. */
static void by_some(void)
{
    MPI_Group world, first;
    MPI_Comm some;
    int zero = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &zero, &first);
    for (int i = 0; i < 2 && rank == 0; i++) {
        MPI_Comm_create_group(MPI_COMM_WORLD, first, 3, &some);
        MPI_Barrier(some);
        MPI_Comm_free(&some);
    }
    MPI_Comm_create(MPI_COMM_WORLD, first, &some);
    if (some != MPI_COMM_NULL)
        MPI_Comm_free(&some);
    MPI_Group_free(&first);
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    named();
    often();
    between();
    by_some();
    MPI_Finalize();
    return 0;
}
