/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "sp_bins.h"
#include "sp_reserve.h"

#include <stdlib.h>

#define SLOTS_BYTES (sizeof(struct sp_bins_slot) * SP_BINS_SLOTS)
static_assert(SP_SPILL_RING_EVENTS / SP_BINS_WAYS <= UINT16_MAX, "a batch fits into the counts");
static_assert(SP_BINS_WAYS == 2, "a bin's ways are looked at as one word");

struct sp_bins *sp_bins_create(struct sp_store *store, uint32_t region_limit)
{
    struct sp_bins *bins = calloc(1, sizeof *bins);
    if (!bins)
        return NULL;
    bins->head = sp_store_head(store);
    sp_keyed_make(&bins->rows, store, SP_SEGMENT_BINS, sizeof(struct sp_spill_bin), &bins->head->bin_count);
    bins->region_limit = region_limit;
    bins->least_ns = 1;
    bins->ticket_of = sp_reserve(region_limit * sizeof *bins->ticket_of);
    bins->slots = sp_reserve(SLOTS_BYTES);
    bins->first_ticket = bins->next_ticket = SP_BINS_SLOTS;
    if (bins->ticket_of && bins->slots)
        return bins;
    sp_bins_destroy(bins);
    return NULL;
}

void sp_bins_destroy(struct sp_bins *bins)
{
    if (!bins)
        return;
    sp_reserve_release(bins->ticket_of, bins->region_limit * sizeof *bins->ticket_of);
    sp_reserve_release(bins->slots, SLOTS_BYTES);
    sp_keyed_free(&bins->rows);
    free(bins);
}

/* Adds to a row's copy that is not valid yet; a batch may do so several times. */
static void add_in_batch(struct sp_bins *bins, uint32_t region, uint32_t bin, uint32_t calls)
{
    struct sp_spill_bin *row = sp_keyed_row(&bins->rows, region, bin);
    uint32_t batches = bins->head->batches;
    if (!row) {
        bins->head->bins_lost += calls;
        return;
    }
    int valid = sp_spill_valid_copy(row->batch, batches), other = 1 - valid;
    if (row->batch[other] != batches + 1) {
        row->count[other] = row->count[valid];
        row->batch[other] = batches + 1;
    }
    row->count[other] += calls;
}

static void empty_octave(struct sp_bins *bins, uint32_t slot, uint32_t octave)
{
    uint16_t(*counts)[SP_BINS_WAYS] = bins->slots[slot].counts + (size_t)octave * 64;
    for (uint32_t b = 0; b < 64; b++) {
        uint32_t both;
        memcpy(&both, counts[b], sizeof both);
        if (both != 0)
            add_in_batch(bins, bins->regions[slot], octave * 64 + b, (both >> 16) + (both & 0xffff));
    }
    memset(counts, 0, 64 * sizeof *counts);
}

static void empty_slot(struct sp_bins *bins, uint32_t slot)
{
    uint8_t *octaves = bins->slots[slot].octaves;
    for (uint32_t i = 0; i < 64; i++)
        if (octaves[i])
            empty_octave(bins, slot, (i + 1) % 64);
    memset(octaves, 0, 64);
}

static void void_tickets(struct sp_bins *bins)
{
    for (uint32_t ticket = bins->first_ticket; ticket < bins->next_ticket; ticket++)
        empty_slot(bins, ticket % SP_BINS_SLOTS);
    bins->first_ticket = bins->next_ticket = bins->first_ticket + SP_BINS_SLOTS;
}

/* Tickets are numbered anew long before their numbers end. */
void sp_bins_take_batch(struct sp_bins *bins)
{
    void_tickets(bins);
    if (bins->first_ticket < UINT32_MAX / 2 || madvise(bins->ticket_of, bins->region_limit * sizeof *bins->ticket_of, MADV_DONTNEED) < 0)
        return;
    bins->first_ticket = bins->next_ticket = SP_BINS_SLOTS;
}

uint32_t sp_bins_ticket(struct sp_bins *bins, uint32_t region)
{
    if (bins->ticket_of[region] >= bins->first_ticket)
        return bins->ticket_of[region];
    if (bins->next_ticket == bins->first_ticket + SP_BINS_SLOTS)
        void_tickets(bins);
    uint32_t ticket = bins->next_ticket++;
    bins->regions[ticket % SP_BINS_SLOTS] = region;
    return bins->ticket_of[region] = ticket;
}

void sp_bins_add_apart(struct sp_bins *bins, uint32_t region, double ns)
{
    uint32_t bin = sp_histogram_bin(ns);
    struct sp_spill_bin **place = &bins->recent[(region * 16 + bin) % 64], *row = *place;
    if (!row || row->region != region || row->bin != bin)
        row = *place = sp_keyed_row(&bins->rows, region, bin);
    if (row)
        row->count[sp_spill_valid_copy(row->batch, bins->head->batches)]++;
    else
        bins->head->bins_lost++;
}
