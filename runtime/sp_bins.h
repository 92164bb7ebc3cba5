/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BINS_H
#define SP_BINS_H

/* Histograms of a lane's call durations by region. A batch counts into dense arrays, a slot for each of its regions, which go to the
 * rows of the spill file (struct sp_spill_bin) at its end; so a call costs an increment, and a bin it never fell into nothing.
 * One thread at a time. Local. */

#include "sp_histogram.h"
#include "sp_keyed.h"

#define SP_BINS_SLOTS 64u
#define SP_BINS_OCTAVES 48u /* of 64 bins: what 32 bits of ticks can be in ns, and more */
#define SP_BINS_WAYS 4u /* arrays that take turns: calls of one bin in a row need not wait for each other's increment */
#define SP_BINS_PER_SLOT (64u * SP_BINS_OCTAVES * SP_BINS_WAYS)

/* A region's counts in a batch. */
struct sp_bins_slot {
    uint32_t *counts; /* by bin and way */
    uint64_t octaves; /* which hold any: of ns from 2^e on, bit (e - 1) mod 64 */
    uint32_t region;
};

struct sp_bins;

/* NULL without memory. region_limit: ids are below it. */
struct sp_bins *sp_bins_create(struct sp_store *store, uint32_t region_limit);
void sp_bins_destroy(struct sp_bins *bins);

/* The region's slot, until *generation moves on: where all slots are taken, asking for one more empties them. */
struct sp_bins_slot *sp_bins_slot(struct sp_bins *bins, uint32_t region, uint32_t *generation);
uint32_t sp_bins_generation(const struct sp_bins *bins);

/* Counts a call of the batch, the turn-th of them: budget 1 ns. */
static inline void sp_bins_count(uint32_t *counts, uint64_t *octaves, double ns, uint32_t turn)
{
    uint64_t bits;
    ns = ns > 1 ? ns : 1;
    memcpy(&bits, &ns, sizeof bits);
    counts[((bits >> 46) - (1023u << 6)) * SP_BINS_WAYS + turn % SP_BINS_WAYS]++;
    *octaves |= UINT64_C(1) << (bits >> 52 & 63);
}

/* Ends the batch: what was counted stands in the rows once the store's header counts it. */
void sp_bins_take_batch(struct sp_bins *bins);

/* A call that no batch will see. */
void sp_bins_add_apart(struct sp_bins *bins, uint32_t region, double ns);

#endif
