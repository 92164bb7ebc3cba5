/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_requests.h"
#include "sp_key.h"

#include <sched.h>
#include <stdlib.h>

#define SHARDS 64u
#define FIRST_SIZE 64u

struct queue {
    struct sp_request *first, *last;
};

struct shard {
    uint32_t is_held;
    uint32_t size; /* of queues, a power of two; 0 before the first request */
    uint64_t live, numbered;
    struct queue *queues;
    struct sp_request *spare;
} __attribute__((aligned(64)));

static struct shard shards[SHARDS];
uint64_t sp_requests_live;

static struct shard *hold(uint64_t hash)
{
    struct shard *shard = &shards[hash % SHARDS];
    while (__atomic_exchange_n(&shard->is_held, 1, __ATOMIC_ACQUIRE))
        sched_yield();
    return shard;
}

static void let_go(struct shard *shard)
{
    __atomic_store_n(&shard->is_held, 0, __ATOMIC_RELEASE);
}

static struct queue *queue_of(const struct shard *shard, uint64_t hash)
{
    return &shard->queues[(hash / SHARDS) & (shard->size - 1)];
}

static void append(struct queue *queue, struct sp_request *request)
{
    request->next = NULL;
    if (queue->last)
        queue->last->next = request;
    else
        queue->first = request;
    queue->last = request;
}

static int grow(struct shard *shard)
{
    struct shard bigger = {.size = shard->size ? shard->size * 2 : FIRST_SIZE};
    bigger.queues = calloc(bigger.size, sizeof *bigger.queues);
    if (!bigger.queues)
        return shard->size ? 0 : -1;
    for (uint32_t i = 0; i < shard->size; i++)
        for (struct sp_request *r = shard->queues[i].first, *next; r; r = next) {
            next = r->next;
            append(queue_of(&bigger, sp_key_mix(r->key)), r);
        }
    free(shard->queues);
    shard->queues = bigger.queues;
    shard->size = bigger.size;
    return 0;
}

static struct sp_request *take_place(struct shard *shard)
{
    struct sp_request *place = shard->spare;
    if (shard->live >= shard->size && grow(shard) < 0)
        return NULL;
    if (!place)
        return malloc(sizeof *place);
    shard->spare = place->next;
    return place;
}

uint64_t sp_requests_add(const struct sp_request *request)
{
    uint64_t hash = sp_key_mix(request->key), number = 0;
    struct shard *shard = hold(hash);
    struct sp_request *place = take_place(shard);
    if (place) {
        *place = *request;
        number = place->number = ++shard->numbered * SHARDS + hash % SHARDS;
        append(queue_of(shard, hash), place);
        shard->live++;
        __atomic_fetch_add(&sp_requests_live, 1, __ATOMIC_RELAXED);
    }
    let_go(shard);
    return number;
}

/* The first of a handle that is active or not, as asked, and the one before it in its queue. */
static struct sp_request *find(const struct queue *queue, uint64_t key, int is_active, struct sp_request **before)
{
    *before = NULL;
    for (struct sp_request *r = queue->first; r; *before = r, r = r->next)
        if (r->key == key && r->is_active == is_active)
            return r;
    return NULL;
}

static void remove_request(struct shard *shard, struct queue *queue, struct sp_request *before, struct sp_request *request)
{
    if (before)
        before->next = request->next;
    else
        queue->first = request->next;
    if (queue->last == request)
        queue->last = before;
    request->next = shard->spare;
    shard->spare = request;
    shard->live--;
    __atomic_fetch_sub(&sp_requests_live, 1, __ATOMIC_RELAXED);
}

int sp_requests_complete(uint64_t key, struct sp_request *request)
{
    uint64_t hash = sp_key_mix(key);
    struct shard *shard = hold(hash);
    struct sp_request *before, *found = NULL;
    if (shard->size > 0 && (found = find(queue_of(shard, hash), key, 1, &before))) {
        *request = *found;
        if (found->is_persistent)
            found->is_active = 0;
        else
            remove_request(shard, queue_of(shard, hash), before, found);
    }
    let_go(shard);
    return found != NULL;
}

static struct sp_request *find_persistent(const struct queue *queue, uint64_t key)
{
    struct sp_request *r = queue->first;
    while (r && !(r->key == key && r->is_persistent))
        r = r->next;
    return r;
}

int sp_requests_start(uint64_t key, struct sp_request *request)
{
    uint64_t hash = sp_key_mix(key);
    struct shard *shard = hold(hash);
    struct sp_request *found = NULL;
    if (shard->size > 0)
        found = find_persistent(queue_of(shard, hash), key);
    if (found) {
        found->is_active = 1;
        *request = *found;
    }
    let_go(shard);
    return found != NULL;
}

void sp_requests_forget(uint64_t key)
{
    uint64_t hash = sp_key_mix(key);
    struct shard *shard = hold(hash);
    struct sp_request *before, *found = NULL;
    if (shard->size > 0 &&
        ((found = find(queue_of(shard, hash), key, 0, &before)) || (found = find(queue_of(shard, hash), key, 1, &before))))
        remove_request(shard, queue_of(shard, hash), before, found);
    let_go(shard);
}
