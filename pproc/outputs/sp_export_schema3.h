/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_EXPORT_SCHEMA3_H
#define SP_EXPORT_SCHEMA3_H

/* A run as a file of the Python scope-profiler. Local: process 0's, whose run has entries. */

#include "sp_run.h"

/* What a reader of the file will miss. */
struct sp_export_losses {
    uint64_t open_calls; /* without an end */
    bool sums_only;      /* there was no trace */
};

/* Writes the selected ranks and regions of a run, and for each rank the region scope_profiler.session from its start to its end.
 * Events are read and written piece by piece: memory does not grow with them. */
int sp_export_schema3(const struct sp_run *run, const char *path, struct sp_export_losses *losses, struct sp_error *err);

#endif
