/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_exchange.h"

void sp_exchange_make(struct sp_exchange *exchange, struct sp_store *store)
{
    struct sp_spill_header *head = sp_store_head(store);
    *exchange = (struct sp_exchange){.head = head};
    sp_keyed_make(&exchange->traffic, store, SP_SEGMENT_TRAFFIC, sizeof(struct sp_spill_traffic), &head->traffic_count);
    sp_keyed_make(&exchange->sizes, store, SP_SEGMENT_SIZES, sizeof(struct sp_spill_size), &head->size_count);
}

void sp_exchange_free(struct sp_exchange *exchange)
{
    sp_keyed_free(&exchange->traffic);
    sp_keyed_free(&exchange->sizes);
}

/* A row's first two words are its key, and rows never move. */
static void *row_of(struct sp_keyed *table, uint32_t **recent, uint32_t a, uint32_t b)
{
    uint32_t **place = &recent[(a * 0x85ebca6bu + b * 0x9e3779b1u) >> 26], *row = *place;
    if (row && row[0] == a && row[1] == b)
        return row;
    return *place = sp_keyed_row(table, a, b);
}

static void add(uint32_t batch[2], struct sp_spill_exchanged sums[2], uint32_t batches, int64_t bytes, uint64_t ticks)
{
    int valid = sp_spill_valid_copy(batch, batches), other = 1 - valid;
    if (batch[other] != batches + 1) {
        sums[other] = sums[valid];
        batch[other] = batches + 1;
    }
    sums[other].messages++;
    sums[other].bytes += bytes;
    sums[other].ticks += ticks;
}

static void add_traffic(struct sp_exchange *exchange, const struct sp_spill_message *message, uint64_t *event)
{
    struct sp_spill_traffic *row = row_of(&exchange->traffic, exchange->recent_traffic, (uint32_t)message->peer, message->operation);
    if (row)
        add(row->batch, row->sums, exchange->head->batches, message->bytes, sp_spill_ticks_of(message, event));
}

static void add_size(struct sp_exchange *exchange, uint32_t region, const struct sp_spill_message *message, uint64_t *event)
{
    struct sp_spill_size *row = row_of(&exchange->sizes, exchange->recent_sizes, region, sp_spill_size_key(message));
    if (row)
        add(row->batch, row->sums, exchange->head->batches, message->bytes, sp_spill_ticks_of(message, event));
}

void sp_exchange_add(struct sp_exchange *exchange, uint32_t region, const struct sp_spill_message *message, struct sp_spill_summed *summed)
{
    if (sp_spill_direction((int)message->operation) != 0)
        add_size(exchange, region, message, &summed->sized_event);
    if (sp_spill_has_peer(message))
        add_traffic(exchange, message, &summed->traffic_event);
}
