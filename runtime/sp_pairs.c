/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr */
#include "sp_pairs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

struct known {
    struct sp_pair_ *pair;
    void *object; /* where its object is loaded; NULL once it is gone */
    struct known *next;
};

static struct known *first;
static struct sp_pair_ current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *object_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

static void set(struct sp_pair_ *pair)
{
    __atomic_store_n(&pair->begin, current.begin, __ATOMIC_RELAXED);
    __atomic_store_n(&pair->end, current.end, __ATOMIC_RELAXED);
}

static int is_known(const struct sp_pair_ *pair)
{
    for (const struct known *k = first; k; k = k->next)
        if (k->pair == pair && k->object)
            return 1;
    return 0;
}

void sp_pairs_attach(struct sp_pair_ *pair)
{
    void *object = object_of(pair);
    pthread_mutex_lock(&lock);
    struct known *k = current.begin && !is_known(pair) ? calloc(1, sizeof *k) : NULL;
    if (k) {
        *k = (struct known){.pair = pair, .object = object, .next = first};
        first = k;
    }
    if (current.begin && is_known(pair))
        set(pair);
    pthread_mutex_unlock(&lock);
}

/* Forgets the pairs of objects that are gone. The dynamic linker is asked without our lock: a library that is being loaded holds its
 * lock and may wait for ours. A pair that is attached meanwhile stands before those that are looked at. */
static void forget_unloaded(void)
{
    pthread_mutex_lock(&lock);
    struct known *k = first;
    pthread_mutex_unlock(&lock);
    for (; k; k = k->next)
        if (object_of(k->pair) != k->object)
            __atomic_store_n(&k->object, NULL, __ATOMIC_RELAXED);
}

void sp_pairs_set(void (*begin)(int region), void (*end)(int region))
{
    forget_unloaded();
    pthread_mutex_lock(&lock);
    current = (struct sp_pair_){begin, end};
    for (const struct known *k = first; k; k = k->next)
        if (__atomic_load_n(&k->object, __ATOMIC_RELAXED))
            set(k->pair);
    pthread_mutex_unlock(&lock);
}
