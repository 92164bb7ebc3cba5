/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_addresses.h"

#include <pthread.h>
#include <stdlib.h>

enum { FIRST_SIZE = 1024 };

struct slot {
    const void *address; /* NULL: free; written last */
    int region;
};

/* A larger table takes over when one is half full; readers may still be in the older one, so it stays. */
struct table {
    struct table *older;
    uint64_t size, used;
    struct slot *slots;
};

struct sp_addresses {
    struct table *table;
    pthread_mutex_t lock;
};

static struct slot first_slots[FIRST_SIZE];
static struct table first_table = {.size = FIRST_SIZE, .slots = first_slots};
struct sp_addresses sp_addresses = {.table = &first_table, .lock = PTHREAD_MUTEX_INITIALIZER};

/* Functions start at multiples of 16. */
static uint64_t hash(const void *address)
{
    return ((uint64_t)(uintptr_t)address >> 4) * 0x9e3779b97f4a7c15u >> 20;
}

static struct slot *place(const struct table *table, const void *address)
{
    for (uint64_t i = hash(address);; i++) {
        struct slot *slot = &table->slots[i & (table->size - 1)];
        const void *found = __atomic_load_n(&slot->address, __ATOMIC_ACQUIRE);
        if (!found || found == address)
            return slot;
    }
}

int sp_addresses_find(struct sp_addresses *addresses, const void *address)
{
    const struct slot *slot = place(__atomic_load_n(&addresses->table, __ATOMIC_ACQUIRE), address);
    return __atomic_load_n(&slot->address, __ATOMIC_ACQUIRE) ? __atomic_load_n(&slot->region, __ATOMIC_RELAXED) : SP_ADDRESS_UNKNOWN;
}

static void put(struct table *table, const void *address, int region)
{
    struct slot *slot = place(table, address);
    int is_known = slot->address && slot->region != SP_ADDRESS_UNKNOWN;
    if (is_known)
        return;
    __atomic_store_n(&slot->region, region, __ATOMIC_RELAXED);
    if (slot->address)
        return;
    __atomic_store_n(&slot->address, address, __ATOMIC_RELEASE);
    table->used++;
}

static struct table *make_larger(struct table *table)
{
    struct table *larger = calloc(1, sizeof *larger);
    struct slot *slots = calloc(table->size * 4, sizeof *slots);
    if (!larger || !slots) {
        free(larger);
        free(slots);
        return NULL;
    }
    *larger = (struct table){.older = table, .size = table->size * 4, .slots = slots};
    for (uint64_t i = 0; i < table->size; i++)
        if (table->slots[i].address)
            put(larger, table->slots[i].address, table->slots[i].region);
    return larger;
}

void sp_addresses_add(struct sp_addresses *addresses, const void *address, int region)
{
    pthread_mutex_lock(&addresses->lock);
    struct table *table = addresses->table;
    if (table->used >= table->size / 2 && (table = make_larger(table)))
        __atomic_store_n(&addresses->table, table, __ATOMIC_RELEASE);
    if (table)
        put(table, address, region);
    pthread_mutex_unlock(&addresses->lock);
}

void sp_addresses_forget(struct sp_addresses *addresses, const void *start, const void *end)
{
    pthread_mutex_lock(&addresses->lock);
    const struct table *table = addresses->table;
    for (uint64_t i = 0; i < table->size; i++) {
        uintptr_t address = (uintptr_t)table->slots[i].address;
        if (address >= (uintptr_t)start && address < (uintptr_t)end)
            __atomic_store_n(&table->slots[i].region, SP_ADDRESS_UNKNOWN, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&addresses->lock);
}
