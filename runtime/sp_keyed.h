/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_KEYED_H
#define SP_KEYED_H

/* A table by key in a store: rows of one size whose first eight bytes are the key, zeroed but for that when they are new.
 * Rows never move. One writing thread at a time. Local. */

#include "sp_store.h"

#define SP_KEYED_BLOCKS 24u

struct sp_keyed {
    struct sp_store *store;
    uint32_t segment_type;
    uint32_t row_bytes;
    uint32_t *count;               /* of the rows, in the store's header */
    char *blocks[SP_KEYED_BLOCKS]; /* each twice the one before: few segments however many rows */
    uint32_t block_count;
    uint32_t *places; /* open addressing: row + 1, 0 empty */
    uint32_t place_count;
};

/* An empty table of rows of row_bytes, a multiple of 8; costs nothing until there is a row. */
void sp_keyed_make(struct sp_keyed *table, struct sp_store *store, uint32_t segment_type, uint32_t row_bytes, uint32_t *count);
void sp_keyed_free(struct sp_keyed *table);

/* The row of a key, made where there is none; NULL without memory. */
void *sp_keyed_row(struct sp_keyed *table, uint32_t a, uint32_t b);

#endif
