/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SPILL_KEYED_H
#define SP_SPILL_KEYED_H

/* The rows of a lane's tables by key, one after another, as far as they are used. Local. */

#include "sp_spill_read.h"

struct sp_spill_keyed {
    const struct sp_spill *spill;
    uint32_t segment_type; /* SP_SEGMENT_TRAFFIC or SP_SEGMENT_SIZES */
    uint64_t used;         /* rows, as the header says */
    uint64_t cursor, at;
    struct sp_segment segment;
};

void sp_spill_keyed_start(struct sp_spill_keyed *rows, const struct sp_spill *spill, uint32_t segment_type);

/* The next row, struct sp_spill_traffic or struct sp_spill_size; NULL after the last. Every row of a damaged file may come more than
 * once. */
const void *sp_spill_keyed_next(struct sp_spill_keyed *rows);

#endif
