/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SPILL_KEYED_H
#define SP_SPILL_KEYED_H

/* What a lane exchanged, by key: the rows of its table as its last batch left them, then the messages that no batch has, one by one.
 * Local. */

#include "sp_spill_lane.h"

/* A key occurs more than once: what its rows say adds up. */
struct sp_spill_keyed_row {
    uint32_t key[2]; /* of struct sp_spill_traffic or struct sp_spill_size */
    struct sp_spill_exchanged sum;
};

struct sp_spill_keyed {
    const struct sp_spill *spill;
    const struct sp_spill_lane *lane;
    uint32_t segment_type; /* SP_SEGMENT_TRAFFIC or SP_SEGMENT_SIZES */
    uint64_t used;         /* rows, as the header says */
    uint64_t cursor, at;
    struct sp_segment segment;
    struct sp_spill_late late;
    uint64_t event; /* whose time has been counted, as in struct sp_spill_summed */
};

/* lane: read from spill. Both must stay open. */
void sp_spill_keyed_start(
    struct sp_spill_keyed *rows, const struct sp_spill *spill, const struct sp_spill_lane *lane, uint32_t segment_type);

/* The next row; 0 after the last. */
int sp_spill_keyed_next(struct sp_spill_keyed *rows, struct sp_spill_keyed_row *row);

#endif
