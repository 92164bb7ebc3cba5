/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TYPES_H
#define SP_TYPES_H

/* Sizes of datatypes, remembered by each thread until some type is freed (its handle may come again). All Local, any thread. */

#include "sp_mpi.h"

#include <stdint.h>

/* Bytes of one element; 0 where MPI knows none, and of MPI_DATATYPE_NULL, for which MPI is not asked. Takes no lock. */
int64_t sp_types_size(MPI_Datatype type);

/* A type was freed. */
void sp_types_forget(void);

#endif
