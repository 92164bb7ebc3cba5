/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PARTICIPANTS_H
#define SP_PARTICIPANTS_H

/* Which processes of MPI_COMM_WORLD have this library: found without a collective call, so that a job of which only some
 * programs are preloaded never waits for the others. Every participant publishes a key through PMIx (or the PMI of MPICH's
 * launcher) before MPI_Init, whose own exchange carries it; after MPI_Init it is looked up. */

/* Before PMPI_Init. Local. */
void sp_participants_announce(void);

/* After PMPI_Init: fills is_participant[size]; -1 where participation cannot be known. Local. */
int sp_participants_find(int rank, int size, char is_participant[]);

#endif
