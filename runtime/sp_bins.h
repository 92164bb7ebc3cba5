/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BINS_H
#define SP_BINS_H

/* Histograms of a lane's call durations by region. A batch counts into dense arrays, a slot for each of its regions, which go to the
 * rows of the spill file (struct sp_spill_bin) at its end; so a call costs an increment, and a bin it never fell into nothing.
 * One thread at a time. Local. */

#include "sp_histogram.h"
#include "sp_keyed.h"

#define SP_BINS_SLOTS 4096u
#define SP_BINS_OCTAVES 48u /* of 64 bins: what 32 bits of ticks are in ns, and more */
#define SP_BINS_WAYS 2u     /* arrays that take turns: calls of one bin in a row need not wait for each other's increment */

/* What a batch counts of a region. The last lines keep the same bins of two slots out of the same set of a cache. */
struct sp_bins_slot {
    uint8_t octaves[64]; /* not 0: it holds any; of ns from 2^e on at (e - 1) mod 64 */
    uint16_t counts[SP_BINS_OCTAVES * 64u][SP_BINS_WAYS];
    uint8_t apart[128];
};

struct sp_bins {
    struct sp_keyed rows;
    struct sp_spill_header *head;
    struct sp_bins_slot *slots; /* address space that costs memory where it is written */
    uint32_t regions[SP_BINS_SLOTS];
    struct sp_spill_bin *recent[64]; /* rows by key, for calls that no batch sees */
    uint32_t *ticket_of;             /* by region, address space too */
    uint32_t first_ticket;           /* lower ones are void */
    uint32_t next_ticket;
    uint32_t region_limit;
    double least_ns; /* 1; what is shorter counts as this */
};

/* NULL without memory. region_limit: ids are below it. */
struct sp_bins *sp_bins_create(struct sp_store *store, uint32_t region_limit);
void sp_bins_destroy(struct sp_bins *bins);

/* A ticket to count the region's calls with. Where all slots are taken it empties them, and the tickets given before are void. */
uint32_t sp_bins_ticket(struct sp_bins *bins, uint32_t region);

static inline struct sp_bins_slot *sp_bins_slot(struct sp_bins *bins, uint32_t ticket)
{
    return &bins->slots[ticket % SP_BINS_SLOTS];
}

/* Counts a call of the batch, the turn-th of them, of which there are at most 65 536: a way gets half of them. least_ns as in bins: a
 * variable, so that the greater of two is an instruction rather than a branch. Budget 1 ns. */
static inline void sp_bins_count(struct sp_bins_slot *slot, double ns, double least_ns, uint32_t turn)
{
    uint64_t bits;
    ns = ns > least_ns ? ns : least_ns;
    memcpy(&bits, &ns, sizeof bits);
    bits >>= 46;
    slot->counts[bits - (1023u << 6)][turn % SP_BINS_WAYS]++;
    slot->octaves[bits >> 6 & 63] = 1;
}

/* Ends the batch: what was counted stands in the rows once the store's header counts it. Voids the tickets. */
void sp_bins_take_batch(struct sp_bins *bins);

/* A call that no batch will see. */
void sp_bins_add_apart(struct sp_bins *bins, uint32_t region, double ns);

#endif
