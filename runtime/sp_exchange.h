/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_EXCHANGE_H
#define SP_EXCHANGE_H

/* What a lane exchanged: messages, bytes and time by peer and operation (struct sp_spill_traffic), and by region, direction and size
 * (struct sp_spill_size), in the spill file, in two copies that batches bring up to date. One thread at a time. Local. */

#include "sp_keyed.h"

#define SP_EXCHANGE_RECENT 64u /* 2^6 */

struct sp_exchange {
    const struct sp_spill_header *head;
    struct sp_keyed traffic, sizes;
    uint32_t *recent_traffic[SP_EXCHANGE_RECENT], *recent_sizes[SP_EXCHANGE_RECENT]; /* rows by key, so that most are at hand */
};

void sp_exchange_make(struct sp_exchange *exchange, struct sp_store *store);
void sp_exchange_free(struct sp_exchange *exchange);

/* Adds a message of a call of region to the copies that the next batch makes valid. summed: whose time has been counted, brought up to
 * date. Two rows, most often at hand, without allocation. */
void sp_exchange_add(struct sp_exchange *exchange, uint32_t region, const struct sp_spill_message *message, struct sp_spill_summed *summed);

#endif
