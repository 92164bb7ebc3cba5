/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_traffic.h"

#include "sp_error.h"

#include <stdlib.h>
#include <string.h>

/* Operations of messages, as in the file format. */
enum { SEND = 1, RECEIVE = 2, PUT = 5, GET = 6, ACCUMULATE = 7, ATOMIC_RESULT = 8, LAST_WITH_BYTES = 10 };

static uint64_t hash_of(const int32_t key[3])
{
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++)
        hash = (hash ^ (uint32_t)key[i]) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* The slot of the key, or the empty one where it belongs. */
static uint32_t *slot_of(const struct sp_sums *sums, const int32_t key[3])
{
    size_t at = (size_t)hash_of(key) & (sums->slot_count - 1);
    while (sums->slots[at] && memcmp(sums->items[sums->slots[at] - 1].key, key, sizeof sums->items[0].key))
        at = (at + 1) & (sums->slot_count - 1);
    return &sums->slots[at];
}

/* Twice as many slots as items at least. */
static int grow(struct sp_sums *sums, struct sp_error *err)
{
    size_t slot_count = sums->slot_count ? 2 * sums->slot_count : 256;
    struct sp_sum *items = realloc(sums->items, slot_count / 2 * sizeof *items);
    sums->items = items ? items : sums->items;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!items || !slots) {
        free(slots);
        return sp_fail(err, "out of memory");
    }
    free(sums->slots);
    sums->slots = slots;
    sums->slot_count = slot_count;
    for (size_t i = 0; i < sums->count; i++)
        *slot_of(sums, sums->items[i].key) = (uint32_t)i + 1;
    return 0;
}

int sp_sums_add(struct sp_sums *sums, const struct sp_sum *sum, struct sp_error *err)
{
    if (2 * (sums->count + 1) > sums->slot_count && grow(sums, err))
        return -1;
    uint32_t *slot = slot_of(sums, sum->key);
    if (!*slot) {
        sums->items[sums->count] = (struct sp_sum){.key = {sum->key[0], sum->key[1], sum->key[2]}};
        *slot = (uint32_t)++sums->count;
    }
    struct sp_sum *into = &sums->items[*slot - 1];
    into->count += sum->count;
    into->bytes += sum->bytes;
    into->time_ns += sum->time_ns;
    return 0;
}

static int compare_sums(const void *a, const void *b)
{
    const struct sp_sum *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    return 0;
}

void sp_sums_sort(struct sp_sums *sums)
{
    free(sums->slots);
    sums->slots = NULL;
    sums->slot_count = 0;
    if (sums->count)
        qsort(sums->items, sums->count, sizeof *sums->items, compare_sums);
}

void sp_sums_free(struct sp_sums *sums)
{
    free(sums->items);
    free(sums->slots);
    *sums = (struct sp_sums){0};
}

int32_t sp_size_bin(int64_t bytes)
{
    int32_t bin = 0;
    for (uint64_t left = bytes > 0 ? (uint64_t)bytes : 0; left; left >>= 1)
        bin++;
    return bin;
}

int64_t sp_size_first(int32_t bin)
{
    return bin > 0 ? (int64_t)(UINT64_C(1) << (bin - 1)) : 0;
}

int64_t sp_size_last(int32_t bin)
{
    return bin > 0 ? (int64_t)((UINT64_C(1) << (bin - 1)) - 1 + (UINT64_C(1) << (bin - 1))) : 0;
}

static int direction_of(int32_t operation)
{
    return operation < 1 || operation > LAST_WITH_BYTES ? 0 : operation % 2 ? 1 : -1;
}

/* Odd operations are the source's, even ones the destination's. */
static bool has_peer(const struct sp_message *message)
{
    int32_t operation = message->operation;
    return message->peer >= 0 && (operation == SEND || operation == RECEIVE || (operation >= PUT && operation <= ATOMIC_RESULT));
}

/* The time of the call, unless an earlier message has it; *event: 1 + the call of that one. */
static int64_t time_of(const struct sp_message *message, int64_t duration_ns, uint64_t *event)
{
    int64_t time_ns = message->event + 1 == *event ? 0 : duration_ns;
    *event = message->event + 1;
    return time_ns;
}

static int add_usage(
    struct sp_traffic_sums *sums, const struct sp_message *message, int32_t region, int64_t duration_ns, struct sp_error *err)
{
    struct sp_sum bytes = {{message->communicator, region, direction_of(message->operation)}, 0, message->bytes, 0};
    struct sp_sum call = {{message->communicator, region, 0}, 1, 0, duration_ns};
    bool counted = message->event + 1 == sums->usage_event;
    sums->usage_event = message->event + 1;
    if (!counted && sp_sums_add(&sums->usages, &call, err))
        return -1;
    return bytes.key[2] && bytes.bytes ? sp_sums_add(&sums->usages, &bytes, err) : 0;
}

int sp_traffic_add(
    struct sp_traffic_sums *sums, const struct sp_message *message, int32_t rank, int32_t region, int64_t duration_ns, struct sp_error *err)
{
    int direction = direction_of(message->operation);
    if (direction) {
        struct sp_sum size = {{region, direction, sp_size_bin(message->bytes)}, 1, message->bytes, 0};
        size.time_ns = time_of(message, duration_ns, &sums->size_event);
        if (sp_sums_add(&sums->sizes, &size, err))
            return -1;
    }
    if (has_peer(message)) {
        bool from = direction > 0;
        struct sp_sum peer = {{from ? rank : message->peer, from ? message->peer : rank, message->operation}, 1, message->bytes, 0};
        peer.time_ns = time_of(message, duration_ns, &sums->peer_event);
        if (sp_sums_add(&sums->peers, &peer, err))
            return -1;
    }
    return message->communicator >= 0 ? add_usage(sums, message, region, duration_ns, err) : 0;
}

void sp_traffic_sums_free(struct sp_traffic_sums *sums)
{
    sp_sums_free(&sums->peers);
    sp_sums_free(&sums->sizes);
    sp_sums_free(&sums->usages);
}

/* Whether the sum begins another row: one of the first `keys` numbers is another one. */
static bool is_new(const struct sp_sums *sums, size_t i, int keys)
{
    return i == 0 || memcmp(sums->items[i].key, sums->items[i - 1].key, (size_t)keys * sizeof(int32_t)) != 0;
}

int sp_peers_make(const struct sp_sums *sums, struct sp_peer **rows, size_t *count, struct sp_error *err)
{
    *count = 0;
    *rows = calloc(sums->count + 1, sizeof **rows);
    if (!*rows)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < sums->count; i++) {
        const struct sp_sum *sum = &sums->items[i];
        *count += is_new(sums, i, 2);
        struct sp_peer *row = &(*rows)[*count - 1];
        row->source = sum->key[0];
        row->destination = sum->key[1];
        if (sum->key[2] == RECEIVE) {
            row->received += sum->count;
            row->bytes_received += sum->bytes;
            row->receive_ns += sum->time_ns;
        } else {
            row->messages += sum->count;
            row->bytes += sum->bytes;
            row->time_ns += sum->time_ns;
        }
    }
    return 0;
}

int sp_sizes_make(const struct sp_sums *sums, struct sp_size **rows, size_t *count, struct sp_error *err)
{
    *count = sums->count;
    *rows = calloc(sums->count + 1, sizeof **rows);
    if (!*rows)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < sums->count; i++) {
        const struct sp_sum *sum = &sums->items[i];
        (*rows)[i] = (struct sp_size){sum->key[0], sum->key[1], sum->key[2], sum->count, sum->bytes, sum->time_ns};
    }
    return 0;
}

int sp_usages_make(const struct sp_sums *sums, struct sp_usage **rows, size_t *count, struct sp_error *err)
{
    *count = 0;
    *rows = calloc(sums->count + 1, sizeof **rows);
    if (!*rows)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < sums->count; i++) {
        const struct sp_sum *sum = &sums->items[i];
        *count += is_new(sums, i, 2);
        struct sp_usage *row = &(*rows)[*count - 1];
        row->communicator = sum->key[0];
        row->region = sum->key[1];
        row->calls += sum->count;
        row->time_ns += sum->time_ns;
        row->bytes_sent += sum->key[2] > 0 ? sum->bytes : 0;
        row->bytes_received += sum->key[2] < 0 ? sum->bytes : 0;
    }
    return 0;
}

void sp_traffic_free(struct sp_traffic *traffic)
{
    free(traffic->peers);
    free(traffic->sizes);
    free(traffic->usages);
    *traffic = (struct sp_traffic){0};
}
