/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SPILL_PROCESS_H
#define SP_SPILL_PROCESS_H

/* What a process's spill file says about all its lanes: regions, communicators, the rank record, metadata. All Local. */

#include "sp_spill_read.h"

/* record NULL: this id is not in the file. The texts lie in the file and are not terminated. */
struct sp_region_view {
    const struct sp_spill_region *record;
    const char *name, *file, *tags;
};

struct sp_communicator_view {
    const struct sp_spill_communicator *record;
    const char *name;
    const int32_t *members;
};

struct sp_spill_process {
    struct sp_region_view *regions; /* by id */
    uint32_t region_count;
    struct sp_communicator_view *communicators; /* by id */
    uint32_t communicator_count;
    const struct sp_spill_rank *rank; /* NULL: none */
    const char *metadata;             /* JSON text, not terminated; NULL: none */
    size_t metadata_bytes;
};

/* Fills *process, which points into the spill. On failure (memory) there is nothing to free. */
int sp_spill_process_read(const struct sp_spill *spill, struct sp_spill_process *process, struct sp_error *err);

/* Frees what read made; an all-zero one is fine. */
void sp_spill_process_free(struct sp_spill_process *process);

#endif
