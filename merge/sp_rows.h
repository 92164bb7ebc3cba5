/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_ROWS_H
#define SP_ROWS_H

/* Makes the rows that one process adds to a group of columns, in order and in as many pieces as the caller likes, so that memory
 * does not grow with the trace. All Local. */

#include "sp_part.h"
#include "sp_schema.h"

#define SP_BLOCK_ROWS 65536u

/* Where the process's rows start in the file's tables. */
struct sp_rows_place {
    uint64_t first_lane, first_event, first_message, first_statistic;
};

struct sp_rows;

/* kind: &sp_columns_events, &sp_columns_messages or &sp_columns_statistics. NULL without memory. part stays the caller's. */
struct sp_rows *sp_rows_create(const struct sp_table *kind, const struct sp_part *part, const struct sp_rows_place *place);
void sp_rows_destroy(struct sp_rows *rows);

const struct sp_table *sp_rows_kind(const struct sp_rows *rows);
uint64_t sp_rows_first(const struct sp_rows *rows);
uint64_t sp_rows_count(const struct sp_rows *rows);

/* The next rows, at most max: fewer only at the end. columns[i] is an array of the type of field i. */
int sp_rows_next(struct sp_rows *rows, size_t max, void *const *columns, size_t *count, struct sp_error *err);

/* CRC-32C of the columns of the rows that the last sp_rows_next made, by field; NULL: nobody summed them up. */
const uint32_t *sp_rows_crcs(const struct sp_rows *rows);

/* After the last row: its blocks (struct sp_event_block or struct sp_message_block; none for statistics). */
const void *sp_rows_blocks(const struct sp_rows *rows, size_t *count);

/* Number of blocks there will be. */
uint64_t sp_rows_event_blocks(const struct sp_part *part);
uint64_t sp_rows_message_blocks(const struct sp_part *part);

#endif
