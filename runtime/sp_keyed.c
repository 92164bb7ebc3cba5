/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_keyed.h"

#include <stdlib.h>

#define FIRST_BLOCK_ROWS 128u

void sp_keyed_make(struct sp_keyed *table, struct sp_store *store, uint32_t segment_type, uint32_t row_bytes, uint32_t *count)
{
    *table = (struct sp_keyed){.store = store, .segment_type = segment_type, .row_bytes = row_bytes, .count = count};
}

void sp_keyed_free(struct sp_keyed *table)
{
    free(table->places);
    table->places = NULL;
}

/* Block k holds the rows from FIRST_BLOCK_ROWS * (2^k - 1) on. */
static uint32_t first_row_of(uint32_t block)
{
    return (FIRST_BLOCK_ROWS << block) - FIRST_BLOCK_ROWS;
}

static uint32_t block_of(uint32_t row)
{
    return 31 - (uint32_t)__builtin_clz(row / FIRST_BLOCK_ROWS + 1);
}

static uint32_t *row_at(const struct sp_keyed *table, uint32_t row)
{
    uint32_t block = block_of(row);
    return (uint32_t *)(void *)(table->blocks[block] + (size_t)(row - first_row_of(block)) * table->row_bytes);
}

/* Where a key stands, or the empty place where it would. */
static uint32_t *find(const struct sp_keyed *table, uint32_t a, uint32_t b)
{
    uint64_t key = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
    for (uint32_t i = (uint32_t)(key >> 32);; i++) {
        uint32_t *place = &table->places[i & (table->place_count - 1)];
        if (*place == 0)
            return place;
        const uint32_t *row = row_at(table, *place - 1);
        if (row[0] == a && row[1] == b)
            return place;
    }
}

static int grow_places(struct sp_keyed *table)
{
    uint32_t count = table->place_count ? table->place_count * 2 : 2 * FIRST_BLOCK_ROWS;
    uint32_t *places = calloc(count, sizeof *places);
    if (!places)
        return -1;
    free(table->places);
    table->places = places;
    table->place_count = count;
    for (uint32_t row = 0; row < *table->count; row++)
        *find(table, row_at(table, row)[0], row_at(table, row)[1]) = row + 1;
    return 0;
}

static int add_block(struct sp_keyed *table)
{
    uint32_t block = table->block_count, rows = FIRST_BLOCK_ROWS << block;
    struct sp_spill_segment segment = {.type = table->segment_type, .first = first_row_of(block), .count = rows};
    if (block == SP_KEYED_BLOCKS)
        return -1;
    table->blocks[block] = sp_store_append_mapped(table->store, segment, (size_t)rows * table->row_bytes);
    if (!table->blocks[block])
        return -1;
    table->block_count++;
    return 0;
}

static void *add_row(struct sp_keyed *table, uint32_t a, uint32_t b)
{
    uint32_t row = *table->count;
    if (row >= table->place_count / 2 && grow_places(table) < 0)
        return NULL;
    if (row >= first_row_of(table->block_count) && add_block(table) < 0)
        return NULL;
    uint32_t *key = row_at(table, row);
    key[0] = a;
    key[1] = b;
    *find(table, a, b) = row + 1;
    __atomic_store_n(table->count, row + 1, __ATOMIC_RELEASE);
    return key;
}

void *sp_keyed_row(struct sp_keyed *table, uint32_t a, uint32_t b)
{
    const uint32_t *place = table->place_count ? find(table, a, b) : NULL;
    return place && *place != 0 ? row_at(table, *place - 1) : add_row(table, a, b);
}
