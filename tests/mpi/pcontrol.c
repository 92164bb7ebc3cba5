/* SPDX-License-Identifier: BSD-3-Clause */
/* pcontrol [kill]: barriers under MPI_Pcontrol: 3 recorded, 5 passed over, 2 + 1 recorded, a snapshot, and 4 more. kill: dies after them
 * as by the loss of its node. */
#include <mpi.h>
#include <signal.h>
#include <string.h>

static void barriers(int count)
{
    for (int i = 0; i < count; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    barriers(3);
    MPI_Pcontrol(0);
    barriers(5);
    MPI_Pcontrol(1);
    barriers(2);
    MPI_Pcontrol(3);
    MPI_Pcontrol(-1);
    barriers(1);
    MPI_Pcontrol(2);
    barriers(4);
    if (argc == 2 && strcmp(argv[1], "kill") == 0)
        raise(SIGKILL);
    MPI_Finalize();
    return 0;
}
