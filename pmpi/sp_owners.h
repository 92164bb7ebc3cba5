/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OWNERS_H
#define SP_OWNERS_H

/* Windows and files (by key), each with the communicator it was made on, which it keeps alive here. Any thread. All Local. */

#include "sp_comms.h"

#include <stdint.h>

void sp_owners_add(uint64_t key, MPI_Comm comm);
void sp_owners_remove(uint64_t key);

/* NULL where its making was not seen. Valid until removed. Takes no lock for those the thread used last. */
const struct sp_comm *sp_owners_find(uint64_t key);

#endif
