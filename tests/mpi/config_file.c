/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets what its configuration file sets too, and exports functions and variables of the names the file's parser has. */
#include <scope_profiler.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int ini_max_line = 7;
int ini_parse_stream(void);

int ini_parse_stream(void)
{
    abort();
}

int main(int argc, char **argv)
{
    int rank;
    if (sp_set("label", "of the program") != SP_OK || sp_set("work", "12") != SP_OK)
        return 3;
    if (sp_set("config", "other.ini") == SP_OK && argc > 1)
        return 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    SP_BEGIN("kept");
    SP_END("kept");
    SP_BEGIN("dropped");
    SP_END("dropped");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", ini_max_line);
    MPI_Finalize();
    return 0;
}
