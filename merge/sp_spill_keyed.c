/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_spill_keyed.h"

static_assert(sizeof(struct sp_spill_traffic) == sizeof(struct sp_spill_size), "rows by key are of one size");

void sp_spill_keyed_start(struct sp_spill_keyed *rows, const struct sp_spill *spill, uint32_t segment_type)
{
    const struct sp_spill_header *header = sp_spill_header(spill);
    *rows = (struct sp_spill_keyed){.spill = spill, .segment_type = segment_type};
    rows->used = segment_type == SP_SEGMENT_TRAFFIC ? header->traffic_count : header->size_count;
}

const void *sp_spill_keyed_next(struct sp_spill_keyed *rows)
{
    while (rows->at >= rows->segment.count || rows->segment.first + rows->at >= rows->used) {
        if (!sp_spill_next(rows->spill, &rows->cursor, &rows->segment))
            return NULL;
        rows->at = rows->segment.type == rows->segment_type ? 0 : rows->segment.count;
    }
    return (const struct sp_spill_size *)(const void *)rows->segment.payload + rows->at++;
}
