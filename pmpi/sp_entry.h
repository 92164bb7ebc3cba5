/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_ENTRY_H
#define SP_ENTRY_H

/* The exported entry points (sp_entry.S): a jump through a slot each. At its first call a slot is set to our wrapper, or to the
 * MPI's own function where we do not record: another MPI, a group that is off, a function filtered out, SP_ENABLE=0. */

#include "sp_entries.h"

#include <stdint.h>

typedef void sp_entry_function(void);

/* The functions behind the wrappers (PMPI_X, pmpi_x_, pmpi_x_f08_), set before the wrapper can run. */
extern sp_entry_function *sp_entry_real[SP_ENTRY_COUNT];

/* Wrappers by entry; the C and the Fortran ones leave each other's places empty. */
extern sp_entry_function *const sp_entry_wrappers_c[SP_ENTRY_COUNT];
extern sp_entry_function *const sp_entry_wrappers_fortran[SP_ENTRY_COUNT];

/* "MPI_Send" */
const char *sp_entry_call_name(enum sp_call call);

/* Sets the slot and returns what it now leads to. Called by sp_entry.S. Local. */
sp_entry_function *sp_entry_resolve(uint32_t index);

/* Name of the function whose region that is, NULL none. Local. */
const char *sp_entry_region_name(int region);

#endif
