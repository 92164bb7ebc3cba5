/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_WRITER_LOAD_H
#define SP_WRITER_LOAD_H

/* The writer module, loaded at the end of a run and never unloaded. */

#include "sp_writer.h"

/* Loads libsp_writer.so from beside libsp.so. Local. */
int sp_writer_load(struct sp_error *err);

/* Writes the process's record by the loaded module; communicator NULL: alone. Collective as struct sp_writer. */
int sp_writer_write(const void *communicator, struct sp_writer_result *result, struct sp_error *err);

#endif
