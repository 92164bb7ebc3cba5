/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SAVED_H
#define SP_SAVED_H

/* The requests of a call that may complete them, from before the call, and room for their statuses. All Local; lives in the wrapper
 * that made it. */

#include "sp_mpi.h"

#include <stdint.h>

#define SP_SAVED_FEW 32

struct sp_saved {
    int count;
    MPI_Request *handles; /* few, or allocated */
    MPI_Status *statuses; /* allocated, or NULL */
    MPI_Request few[SP_SAVED_FEW];
    MPI_Status few_statuses[SP_SAVED_FEW];
};

/* Saves handles (none where no request is known); drop after the call. */
void sp_saved_take(struct sp_saved *saved, int count, const MPI_Request handles[]);
void sp_saved_take_fortran(struct sp_saved *saved, int count, const MPI_Fint handles[]);
void sp_saved_drop(struct sp_saved *saved);

/* The statuses to pass on: the program's, or where it ignores them room of ours if one of the requests is known. Without memory what
 * the program passed; Fortran's sentinels become MPI_STATUSES_IGNORE (see sp_fortran_passed_all). */
MPI_Status *sp_saved_statuses(struct sp_saved *saved, MPI_Status *statuses);
MPI_Status *sp_saved_statuses_fortran(struct sp_saved *saved, MPI_Fint *statuses);

#endif
