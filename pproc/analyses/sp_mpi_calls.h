/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_MPI_CALLS_H
#define SP_MPI_CALLS_H

/* MPI functions by where they were called: by call path, and by the place in the program (SP_CALLSITE=1). Pure. */

#include "sp_run.h"

struct sp_mpi_call {
    char *name;         /* "step > solve" or "main (solver.c:42)": where, without the function; "" at the root; valid UTF-8 */
    int32_t region;     /* the function */
    int32_t site;       /* region of the place; -1: by call path */
    int32_t rank_count; /* ranks that called it there; by place of all paths the largest number */
    struct sp_stats stats;
};

struct sp_mpi_calls {
    struct sp_mpi_call *items; /* most time first, then by name */
    size_t count;
};

/* Whether the run tells the places of its MPI calls. */
bool sp_mpi_calls_have_sites(const struct sp_run *run);

/* The selected functions that were called, from the run's paths; *calls is to be freed with sp_mpi_calls_free. */
int sp_mpi_calls_by_path(const struct sp_run *run, struct sp_mpi_calls *calls, struct sp_error *err);
int sp_mpi_calls_by_site(const struct sp_run *run, struct sp_mpi_calls *calls, struct sp_error *err);
void sp_mpi_calls_free(struct sp_mpi_calls *calls);

#endif
