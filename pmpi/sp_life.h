/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_LIFE_H
#define SP_LIFE_H

/* The wrappers written by hand: a run starts with MPI_Init and ends, with the file, in MPI_Finalize before PMPI_Finalize. */

#include <mpi.h>

int wrap_MPI_Init(int *argc, char ***argv);
int wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int wrap_MPI_Finalize(void);
int wrap_MPI_Pcontrol(const int level, ...);

void wrap_mpi_init_(MPI_Fint *ierror);
void wrap_mpi_init_f08_(MPI_Fint *ierror);
void wrap_mpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror);
void wrap_mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror);
void wrap_mpi_finalize_(MPI_Fint *ierror);
void wrap_mpi_finalize_f08_(MPI_Fint *ierror);
void wrap_mpi_pcontrol_(MPI_Fint *level);
void wrap_mpi_pcontrol_f08_(MPI_Fint *level);

#endif
