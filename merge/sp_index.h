/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_INDEX_H
#define SP_INDEX_H

/* Finds rows of a table of ours by key: an open-addressed table of row numbers. All zero: empty. All Local. */

#include <stddef.h>
#include <stdint.h>

struct sp_index {
    struct sp_index_slot *slots;
    size_t capacity, used;
};

/* Whether the row has the key that is looked for. */
typedef int (*sp_index_equal)(const void *table, int32_t row, const void *key);

/* Row with the key, or -1. */
int32_t sp_index_find(const struct sp_index *index, uint64_t hash, sp_index_equal equal, const void *table, const void *key);

/* Adds a row (>= 0) that is not in it. -1 without memory. */
int sp_index_add(struct sp_index *index, uint64_t hash, int32_t row);

void sp_index_free(struct sp_index *index);

/* Hash of bytes, seed joining several parts. The same on every process. */
uint64_t sp_hash_bytes(uint64_t seed, const void *data, size_t bytes);
uint64_t sp_hash_number(uint64_t seed, uint64_t value);

#endif
