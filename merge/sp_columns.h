/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COLUMNS_H
#define SP_COLUMNS_H

/* The datasets of one group of columns while they are written, and what was written, for reading it back. All calls are Local but
 * take part in collective transfers if the transfer properties say so. */

#include "sp_error.h"
#include "sp_schema.h"

/* Rows that were written with one call a column. */
struct sp_columns_piece {
    uint64_t row;
    size_t count;
    uint32_t crcs[SP_COLUMNS_MAX];
};

struct sp_columns {
    const struct sp_table *kind;
    const char *path; /* of the file, for messages */
    hid_t transfer;   /* properties of writes */
    int read_back;    /* pieces are noted */
    hid_t datasets[SP_COLUMNS_MAX];
    void *values[SP_COLUMNS_MAX]; /* buffers of room rows */
    size_t room;
    struct sp_columns_piece *pieces;
    size_t piece_count, piece_room;
};

/* Buffers for so many rows. */
int sp_columns_allocate(struct sp_columns *columns, size_t room, struct sp_error *err);

/* Opens the datasets in a file. */
int sp_columns_open(struct sp_columns *columns, hid_t file, struct sp_error *err);

/* Addresses of the buffers' rows from index on. */
void sp_columns_at(const struct sp_columns *columns, size_t index, void *at[SP_COLUMNS_MAX]);

/* Writes the buffers' first count rows to rows [row, row + count); all columns, whatever happens to one. crcs: CRC-32C of the columns
 * where they are known, else NULL. */
int sp_columns_write(struct sp_columns *columns, uint64_t row, size_t count, const uint32_t *crcs, struct sp_error *err);

/* Compares what lies in the file with what was written. Uses the buffers. */
int sp_columns_read_back(struct sp_columns *columns, struct sp_error *err);

/* Closes the datasets and frees the buffers; a half opened one is fine. */
int sp_columns_close(struct sp_columns *columns, struct sp_error *err);

#endif
