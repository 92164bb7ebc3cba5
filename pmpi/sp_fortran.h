/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_FORTRAN_H
#define SP_FORTRAN_H

/* What Fortran passes. Its sentinels are recognised by their addresses and never looked into. A Fortran status has the bits of a C
 * status in both MPIs. All Local, any thread. */

#include "sp_mpi.h"

#include <stddef.h>

static inline int sp_fortran_in_place(const void *buffer)
{
    return buffer && buffer == sp_mpi.in_place;
}

static inline int sp_fortran_ignores_all(const MPI_Fint *statuses)
{
    return statuses == sp_mpi.statuses_ignore;
}

/* The program's status, or where it ignores it our own. */
static inline MPI_Status *sp_fortran_status(MPI_Fint *status, MPI_Status *own)
{
    return status == sp_mpi.status_ignore ? own : (MPI_Status *)(void *)status;
}

/* Back to what Fortran takes: where the statuses are still ignored, as it came. */
static inline MPI_Fint *sp_fortran_passed(MPI_Status *status)
{
    return (MPI_Fint *)(void *)status;
}

static inline MPI_Fint *sp_fortran_passed_all(MPI_Status *statuses, MPI_Fint *as_it_came)
{
    return statuses == MPI_STATUSES_IGNORE ? as_it_came : (MPI_Fint *)(void *)statuses;
}

/* An index from 1 on as one from 0 on; -1 for MPI_UNDEFINED. */
static inline int sp_fortran_index(MPI_Fint index)
{
    return index > 0 ? (int)index - 1 : -1;
}

#endif
