/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BARRIER_H
#define SP_BARRIER_H

/* SP_SYNC: a barrier before each blocking collective, timed apart, so that waiting for the last process is told from transfer. What
 * decides about it is the same on all members of the communicator (sp_comm's is_joint). */

#include "sp_entries.h"
#include "sp_mpi.h"

#include <stdint.h>

extern int sp_barrier_is_on; /* set at the end of MPI_Init, where all participants agreed */

/* 0: not wanted; else a number that is equal where the settings which say what happens around a collective are. Local. */
uint64_t sp_barrier_wanted(void);

/* The barrier before a call, where there is to be one. Collective over the communicator. */
void sp_barrier_wait(enum sp_call call, MPI_Comm comm);

static inline void sp_barrier(enum sp_call call, MPI_Comm comm)
{
    if (__builtin_expect(sp_barrier_is_on, 0))
        sp_barrier_wait(call, comm);
}

static inline void sp_barrier_fortran(enum sp_call call, const MPI_Fint *comm)
{
    if (__builtin_expect(sp_barrier_is_on, 0))
        sp_barrier_wait(call, sp_mpi.Comm_f2c(*comm));
}

#endif
