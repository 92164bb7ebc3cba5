/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_index.h"

#include <stdlib.h>
#include <string.h>

struct sp_index_slot {
    uint64_t hash;
    int32_t row_plus_one; /* 0: free */
};

int32_t sp_index_find(const struct sp_index *index, uint64_t hash, sp_index_equal equal, const void *table, const void *key)
{
    if (index->capacity == 0)
        return -1;
    for (size_t at = hash & (index->capacity - 1);; at = (at + 1) & (index->capacity - 1)) {
        const struct sp_index_slot *slot = &index->slots[at];
        if (slot->row_plus_one == 0)
            return -1;
        if (slot->hash == hash && equal(table, slot->row_plus_one - 1, key))
            return slot->row_plus_one - 1;
    }
}

static void put(struct sp_index_slot *slots, size_t capacity, struct sp_index_slot slot)
{
    size_t at = slot.hash & (capacity - 1);
    while (slots[at].row_plus_one != 0)
        at = (at + 1) & (capacity - 1);
    slots[at] = slot;
}

static int grow(struct sp_index *index)
{
    size_t capacity = index->capacity ? 2 * index->capacity : 64;
    struct sp_index_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return -1;
    for (size_t i = 0; i < index->capacity; i++)
        if (index->slots[i].row_plus_one != 0)
            put(slots, capacity, index->slots[i]);
    free(index->slots);
    index->slots = slots;
    index->capacity = capacity;
    return 0;
}

int sp_index_add(struct sp_index *index, uint64_t hash, int32_t row)
{
    if (2 * index->used >= index->capacity && grow(index) < 0)
        return -1;
    put(index->slots, index->capacity, (struct sp_index_slot){hash, row + 1});
    index->used++;
    return 0;
}

void sp_index_free(struct sp_index *index)
{
    free(index->slots);
    memset(index, 0, sizeof *index);
}

/* The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t sp_hash_number(uint64_t seed, uint64_t value)
{
    return mixed(seed + 0x9e3779b97f4a7c15u + mixed(value));
}

uint64_t sp_hash_bytes(uint64_t seed, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t hash = sp_hash_number(seed, bytes), word;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        memcpy(&word, p, 8);
        hash = sp_hash_number(hash, word);
    }
    if (bytes > 0) {
        word = 0;
        memcpy(&word, p, bytes);
        hash = sp_hash_number(hash, word);
    }
    return hash;
}
