/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_WORLD_H
#define SP_WORLD_H

/* Our side of the run: who takes part, our one communicator, the start and the end. */

#include "sp_error.h"

#include <stdint.h>

/* After PMPI_Init has returned MPI_SUCCESS: finds the participants, names the run and starts the spill files. Where participation
 * is unknown every process is a run of its own. announce_ns: what our work before PMPI_Init took. Collective over the participants. */
void sp_world_start(uint64_t init_end_ticks, int64_t announce_ns);

/* In MPI_Finalize, before PMPI_Finalize: ends the record and writes the file. Collective over the participants. */
void sp_world_finish(uint64_t finalize_begin_ticks);

#endif
