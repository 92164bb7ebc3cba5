/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_EXCHANGE_H
#define SP_EXCHANGE_H

/* What a lane exchanged: messages, bytes and time by peer and operation (struct sp_spill_traffic), and by region, direction and size
 * (struct sp_spill_size), in the spill file and up to date at any instant. One thread at a time. Local. */

#include "sp_keyed.h"

#define SP_EXCHANGE_RECENT 64u /* 2^6 */

struct sp_exchange {
    struct sp_keyed traffic, sizes;
    uint32_t *recent_traffic[SP_EXCHANGE_RECENT], *recent_sizes[SP_EXCHANGE_RECENT]; /* rows by key, so that most are at hand */
    uint64_t traffic_ticks, size_ticks; /* time of the ended call that no row has yet */
};

void sp_exchange_make(struct sp_exchange *exchange, struct sp_store *store);
void sp_exchange_free(struct sp_exchange *exchange);

/* A call ended that took so long: the first message that counts gets the time, in either table. */
static inline void sp_exchange_call(struct sp_exchange *exchange, uint64_t ticks)
{
    exchange->traffic_ticks = exchange->size_ticks = ticks;
}

/* A message of that call, a call of region. Two rows, most often at hand, without allocation. */
void sp_exchange_add(struct sp_exchange *exchange, uint32_t region, const struct sp_spill_message *message);

#endif
