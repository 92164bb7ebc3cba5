/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI that refuses to split communicators: preloaded behind libsp_pmpi.so. */
#include <mpi.h>

__attribute__((visibility("default"))) int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part)
{
    (void)comm, (void)type, (void)key, (void)info, (void)part;
    return MPI_ERR_OTHER;
}
