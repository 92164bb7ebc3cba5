/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_spill_keyed.h"

#include <stddef.h>

/* The two tables are read alike. */
static_assert(sizeof(struct sp_spill_traffic) == sizeof(struct sp_spill_size) &&
        offsetof(struct sp_spill_traffic, batch) == offsetof(struct sp_spill_size, batch) &&
        offsetof(struct sp_spill_traffic, sums) == offsetof(struct sp_spill_size, sums),
    "rows of messages by key are laid out alike");

void sp_spill_keyed_start(
    struct sp_spill_keyed *rows, const struct sp_spill *spill, const struct sp_spill_lane *lane, uint32_t segment_type)
{
    const struct sp_spill_header *header = sp_spill_header(spill);
    const struct sp_spill_summed *summed = &header->summed[header->batches % 2];
    int is_traffic = segment_type == SP_SEGMENT_TRAFFIC;
    *rows = (struct sp_spill_keyed){.spill = spill, .lane = lane, .segment_type = segment_type};
    rows->used = is_traffic ? header->traffic_count : header->size_count;
    rows->event = is_traffic ? summed->traffic_event : summed->sized_event;
}

/* The next row of the table; NULL after the last. */
static const struct sp_spill_size *next_in_table(struct sp_spill_keyed *rows)
{
    while (rows->at >= rows->segment.count || rows->segment.first + rows->at >= rows->used) {
        if (!sp_spill_next(rows->spill, &rows->cursor, &rows->segment))
            return NULL;
        rows->at = rows->segment.type == rows->segment_type ? 0 : rows->segment.count;
    }
    return (const struct sp_spill_size *)(const void *)rows->segment.payload + rows->at++;
}

/* 0: the message is in no row of the table. */
static int row_of_message(struct sp_spill_keyed *rows, const struct sp_spill_message *message, struct sp_spill_keyed_row *row)
{
    uint32_t region = sp_spill_lane_node(rows->lane, message->node)->region;
    int is_traffic = rows->segment_type == SP_SEGMENT_TRAFFIC;
    if (!(is_traffic ? sp_spill_has_peer(message) : sp_spill_direction((int)message->operation) != 0))
        return 0;
    *row = (struct sp_spill_keyed_row){
        .key = {is_traffic ? (uint32_t)message->peer : region, is_traffic ? message->operation : sp_spill_size_key(message)},
        .sum = {1, message->bytes, sp_spill_ticks_of(message, &rows->event)}};
    return 1;
}

int sp_spill_keyed_next(struct sp_spill_keyed *rows, struct sp_spill_keyed_row *row)
{
    const struct sp_spill_size *stored = next_in_table(rows);
    if (stored) {
        int valid = sp_spill_valid_copy(stored->batch, sp_spill_header(rows->spill)->batches);
        *row = (struct sp_spill_keyed_row){.key = {stored->region, stored->bin}, .sum = stored->sums[valid]};
        return 1;
    }
    for (const struct sp_spill_message *message; (message = sp_spill_lane_late_message(rows->lane, &rows->late));)
        if (row_of_message(rows, message, row))
            return 1;
    return 0;
}
