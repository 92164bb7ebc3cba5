/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SAVED_H
#define SP_SAVED_H

/* The requests of a call that may complete them, from before the call, and room for their statuses. All Local; lives in the wrapper
 * that made it. */

#include "sp_mpi.h"
#include "sp_requests.h"

#include <stdint.h>
#include <string.h>

#define SP_SAVED_FEW 32

struct sp_saved {
    int count;
    MPI_Request *handles; /* few, or allocated */
    MPI_Status *statuses; /* allocated, or NULL */
    MPI_Request few[SP_SAVED_FEW];
    MPI_Status few_statuses[SP_SAVED_FEW];
};

/* Room for so many handles, or none where no request is known: for how many there is. */
int sp_saved_reserve(struct sp_saved *saved, int count);
void sp_saved_free(struct sp_saved *saved);

/* Saves handles (none where no request is known); drop after the call. Nearly nothing for one of them, which is asked about most. */
static inline void sp_saved_take(struct sp_saved *saved, int count, const MPI_Request handles[])
{
    if (count == 1) {
        saved->count = sp_requests_any();
        saved->handles = saved->few;
        saved->statuses = NULL;
        saved->few[0] = handles[0];
        return;
    }
    count = sp_saved_reserve(saved, count);
    if (count > 0)
        memcpy(saved->handles, handles, (size_t)count * sizeof *handles);
}
void sp_saved_take_fortran(struct sp_saved *saved, int count, const MPI_Fint handles[]);
static inline void sp_saved_drop(struct sp_saved *saved)
{
    if (__builtin_expect(saved->handles != saved->few || saved->statuses, 0))
        sp_saved_free(saved);
}

/* The statuses to pass on: the program's, or where it ignores them room of ours if one of the requests is known. Without memory what
 * the program passed; Fortran's sentinels become MPI_STATUSES_IGNORE (see sp_fortran_passed_all). */
MPI_Status *sp_saved_statuses(struct sp_saved *saved, MPI_Status *statuses);
MPI_Status *sp_saved_statuses_fortran(struct sp_saved *saved, MPI_Fint *statuses);

#endif
