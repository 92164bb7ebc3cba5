/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_owners.h"
#include "sp_key.h"

#include <pthread.h>
#include <stdlib.h>

struct owner {
    uint64_t key;
    const struct sp_comm *comm;
    struct owner *next;
};

#define BUCKETS 64u
static struct owner *buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t generation = 1;
static __thread struct sp_recent recent[1 << SP_RECENT_BITS] __attribute__((tls_model("initial-exec")));

static struct owner **place_of(uint64_t key)
{
    struct owner **place = &buckets[sp_key_mix(key) % BUCKETS];
    while (*place && (*place)->key != key)
        place = &(*place)->next;
    return place;
}

void sp_owners_add(uint64_t key, MPI_Comm comm)
{
    struct owner *owner = calloc(1, sizeof *owner);
    sp_owners_remove(key);
    if (!owner)
        return;
    owner->key = key;
    owner->comm = sp_comms_hold(comm);
    pthread_mutex_lock(&lock);
    *place_of(key) = owner;
    pthread_mutex_unlock(&lock);
}

void sp_owners_remove(uint64_t key)
{
    pthread_mutex_lock(&lock);
    struct owner **place = place_of(key), *owner = *place;
    if (owner)
        *place = owner->next;
    __atomic_fetch_add(&generation, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    if (owner)
        sp_comms_release(owner->comm);
    free(owner);
}

static __attribute__((noinline)) const struct sp_comm *find_slowly(uint64_t key, struct sp_recent *entry, uint64_t now)
{
    pthread_mutex_lock(&lock);
    const struct owner *owner = *place_of(key);
    const struct sp_comm *comm = owner ? owner->comm : NULL;
    pthread_mutex_unlock(&lock);
    *entry = (struct sp_recent){.key = key, .generation = now, .value = (uintptr_t)comm};
    return comm;
}

const struct sp_comm *sp_owners_find(uint64_t key)
{
    uint64_t now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    struct sp_recent *entry = sp_recent_at(recent, key);
    return sp_recent_holds(entry, key, now) ? (const struct sp_comm *)entry->value : find_slowly(key, entry, now);
}
