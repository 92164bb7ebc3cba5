/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_saved.h"
#include "sp_fortran.h"
#include "sp_requests.h"

#include <stdlib.h>
#include <string.h>

int sp_saved_reserve(struct sp_saved *saved, int count)
{
    saved->count = count > 0 && sp_requests_any() ? count : 0;
    saved->handles = saved->few;
    saved->statuses = NULL;
    if (saved->count <= SP_SAVED_FEW)
        return saved->count;
    saved->handles = malloc((size_t)count * sizeof *saved->handles);
    if (!saved->handles) {
        saved->handles = saved->few;
        saved->count = 0;
    }
    return saved->count;
}

void sp_saved_take_fortran(struct sp_saved *saved, int count, const MPI_Fint handles[])
{
    sp_saved_reserve(saved, count);
    for (int i = 0; i < saved->count; i++)
        saved->handles[i] = sp_mpi.Request_f2c(handles[i]);
}

void sp_saved_free(struct sp_saved *saved)
{
    if (saved->handles != saved->few)
        free(saved->handles);
    free(saved->statuses);
}

MPI_Status *sp_saved_statuses(struct sp_saved *saved, MPI_Status *statuses)
{
    if (statuses != MPI_STATUSES_IGNORE || saved->count == 0)
        return statuses;
    if (saved->count <= SP_SAVED_FEW)
        return saved->few_statuses;
    saved->statuses = malloc((size_t)saved->count * sizeof *saved->statuses);
    return saved->statuses ? saved->statuses : statuses;
}

MPI_Status *sp_saved_statuses_fortran(struct sp_saved *saved, MPI_Fint *statuses)
{
    return sp_saved_statuses(saved, sp_fortran_ignores_all(statuses) ? MPI_STATUSES_IGNORE : (MPI_Status *)(void *)statuses);
}
