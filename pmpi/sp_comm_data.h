/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COMM_DATA_H
#define SP_COMM_DATA_H

/* What MPI knows of one communicator: its members as global ranks and its neighbourhood. All Local. */

#include "sp_comms.h"

/* Fills comm, whose handle is set and the rest zero; -1 without memory (drop it all the same). */
int sp_comm_data_ask(struct sp_comm *comm);
void sp_comm_data_drop(struct sp_comm *comm);

/* Lowest global rank of both groups, which all members of both agree on. */
int32_t sp_comm_data_lowest(const struct sp_comm *comm);

/* Hash of the members, and of the two groups of an intercommunicator in either order. */
uint64_t sp_comm_data_hash(const struct sp_comm *comm);

/* Is this process the lowest member? */
int sp_comm_data_is_first(const struct sp_comm *comm);

#endif
