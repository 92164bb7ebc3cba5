/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_KEY_H
#define SP_KEY_H

/* MPI handles as numbers (pointers in one MPI, ints in another), and what a thread remembers about the handles it used last. */

#include "sp_mpi.h"

#include <stdint.h>
#include <string.h>

#define SP_KEY_OF(name, type) \
    static inline uint64_t sp_key_of_##name(type handle) \
    { \
        uint64_t key = 0; \
        memcpy(&key, &handle, sizeof handle); \
        return key; \
    }

SP_KEY_OF(comm, MPI_Comm)
SP_KEY_OF(type, MPI_Datatype)
SP_KEY_OF(request, MPI_Request)
SP_KEY_OF(message, MPI_Message)
SP_KEY_OF(win, MPI_Win)
SP_KEY_OF(file, MPI_File)

/* Finalizer of splitmix64: every bit of the result depends on every bit of x. */
static inline uint64_t sp_key_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A table of 2^SP_RECENT_BITS entries in a thread's own storage, each the last handle that fell there. Entries hold while the
 * generation under which they were made lasts; a table all zero is empty. A program that uses a handle after another thread
 * has freed it is wrong, so whoever looks here has seen the new generation. */
#define SP_RECENT_BITS 4
struct sp_recent {
    uint64_t key, generation;
    uintptr_t value;
};

static inline struct sp_recent *sp_recent_at(struct sp_recent *table, uint64_t key)
{
    return &table[(key * 0x9e3779b97f4a7c15u) >> (64 - SP_RECENT_BITS)];
}

static inline int sp_recent_holds(const struct sp_recent *entry, uint64_t key, uint64_t generation)
{
    return entry->key == key && entry->generation == generation;
}

#endif
