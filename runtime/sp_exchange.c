/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_exchange.h"

void sp_exchange_make(struct sp_exchange *exchange, struct sp_store *store)
{
    struct sp_spill_header *head = sp_store_head(store);
    *exchange = (struct sp_exchange){0};
    sp_keyed_make(&exchange->traffic, store, SP_SEGMENT_TRAFFIC, &head->traffic_count);
    sp_keyed_make(&exchange->sizes, store, SP_SEGMENT_SIZES, &head->size_count);
}

void sp_exchange_free(struct sp_exchange *exchange)
{
    sp_keyed_free(&exchange->traffic);
    sp_keyed_free(&exchange->sizes);
}

static uint64_t take(uint64_t *ticks)
{
    uint64_t taken = *ticks;
    *ticks = 0;
    return taken;
}

/* A row's first two words are its key, and rows never move. */
static void *row_of(struct sp_keyed *table, uint32_t **recent, uint32_t a, uint32_t b)
{
    uint32_t **place = &recent[(a * 0x85ebca6bu + b * 0x9e3779b1u) >> 26], *row = *place;
    if (row && row[0] == a && row[1] == b)
        return row;
    return *place = sp_keyed_row(table, a, b);
}

static void add_traffic(struct sp_exchange *exchange, const struct sp_spill_message *message)
{
    struct sp_spill_traffic *row =
        row_of(&exchange->traffic, exchange->recent_traffic, (uint32_t)message->peer, (uint32_t)message->operation);
    if (!row)
        return;
    row->messages++;
    row->bytes += message->bytes;
    row->ticks += take(&exchange->traffic_ticks);
}

static void add_size(struct sp_exchange *exchange, uint32_t region, int direction, int64_t bytes)
{
    uint32_t bin = sp_spill_size_bin(bytes) | (direction < 0 ? SP_SIZE_RECEIVED : 0);
    struct sp_spill_size *row = row_of(&exchange->sizes, exchange->recent_sizes, region, bin);
    if (!row)
        return;
    row->messages++;
    row->bytes += bytes;
    row->ticks += take(&exchange->size_ticks);
}

void sp_exchange_add(struct sp_exchange *exchange, uint32_t region, const struct sp_spill_message *message)
{
    int direction = sp_spill_direction(message->operation);
    if (direction != 0)
        add_size(exchange, region, direction, message->bytes);
    if (message->peer >= 0 && sp_spill_is_traffic(message->operation))
        add_traffic(exchange, message);
}
