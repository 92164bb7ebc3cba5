/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_ALONE_H
#define SP_ALONE_H

/* A run without MPI: from sp_init, or from the first region with SP_ENABLE=1, to sp_finalize or exit; one file of one rank. */

/* Starts the run unless libsp_pmpi.so watches this process (then MPI_Init does) or one has started. prefix NULL: SP_OUTPUT.
 * An enum sp_status. Local. */
int sp_alone_start(const char *prefix, int rank);

/* Ends it and writes the file; harmless when there is none. An enum sp_status. Local. */
int sp_alone_finish(void);

#endif
