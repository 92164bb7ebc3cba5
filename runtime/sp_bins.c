/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "sp_bins.h"

#include <stdlib.h>
#include <sys/mman.h>

struct sp_bins {
    struct sp_keyed rows;
    const struct sp_spill_header *head;
    uint64_t *lost;
    struct sp_bins_slot slots[SP_BINS_SLOTS];
    uint32_t used, generation;
    uint8_t *slot_of; /* by region: slot + 1, 0 none */
    uint32_t *counts;
    size_t slot_of_bytes;
};

#define COUNTS_BYTES (sizeof(uint32_t) * SP_BINS_SLOTS * SP_BINS_PER_SLOT)
static_assert(SP_BINS_SLOTS < UINT8_MAX, "slots have numbers of one byte");

/* Address space that costs memory only where it is written. */
static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

struct sp_bins *sp_bins_create(struct sp_store *store, uint32_t region_limit)
{
    struct sp_bins *bins = calloc(1, sizeof *bins);
    if (!bins)
        return NULL;
    struct sp_spill_header *head = sp_store_head(store);
    sp_keyed_make(&bins->rows, store, SP_SEGMENT_BINS, &head->bin_count);
    bins->head = head;
    bins->lost = &head->bins_lost;
    bins->slot_of_bytes = region_limit;
    bins->slot_of = reserve(bins->slot_of_bytes);
    bins->counts = reserve(COUNTS_BYTES);
    if (!bins->slot_of || !bins->counts) {
        sp_bins_destroy(bins);
        return NULL;
    }
    for (uint32_t s = 0; s < SP_BINS_SLOTS; s++)
        bins->slots[s].counts = bins->counts + (size_t)s * SP_BINS_PER_SLOT;
    return bins;
}

void sp_bins_destroy(struct sp_bins *bins)
{
    if (!bins)
        return;
    if (bins->slot_of)
        munmap(bins->slot_of, bins->slot_of_bytes);
    if (bins->counts)
        munmap(bins->counts, COUNTS_BYTES);
    sp_keyed_free(&bins->rows);
    free(bins);
}

/* Adds to a row's copy that is not valid yet; a batch may do so several times. */
static void add_in_batch(struct sp_bins *bins, uint32_t region, uint32_t bin, uint32_t calls)
{
    struct sp_spill_bin *row = sp_keyed_row(&bins->rows, region, bin);
    uint32_t batches = bins->head->batches;
    if (!row) {
        *bins->lost += calls;
        return;
    }
    int valid = sp_spill_valid_copy(row->batch, batches), other = 1 - valid;
    if (row->batch[other] != batches + 1) {
        row->count[other] = row->count[valid];
        row->batch[other] = batches + 1;
    }
    row->count[other] += calls;
}

static void empty_octave(struct sp_bins *bins, const struct sp_bins_slot *slot, uint32_t octave)
{
    uint32_t(*counts)[SP_BINS_WAYS] = (void *)(slot->counts + (size_t)octave * 64 * SP_BINS_WAYS);
    for (uint32_t b = 0; b < 64; b++) {
        uint32_t calls = 0;
        for (uint32_t w = 0; w < SP_BINS_WAYS; w++)
            calls += counts[b][w];
        if (calls == 0)
            continue;
        add_in_batch(bins, slot->region, octave * 64 + b, calls);
        memset(counts[b], 0, sizeof counts[b]);
    }
}

static void empty_slot(struct sp_bins *bins, struct sp_bins_slot *slot)
{
    for (; slot->octaves != 0; slot->octaves &= slot->octaves - 1)
        empty_octave(bins, slot, ((uint32_t)__builtin_ctzll(slot->octaves) + 1) % 64);
    bins->slot_of[slot->region] = 0;
}

void sp_bins_take_batch(struct sp_bins *bins)
{
    for (uint32_t s = 0; s < bins->used; s++)
        empty_slot(bins, &bins->slots[s]);
    bins->used = 0;
    bins->generation++;
}

uint32_t sp_bins_generation(const struct sp_bins *bins)
{
    return bins->generation;
}

struct sp_bins_slot *sp_bins_slot(struct sp_bins *bins, uint32_t region, uint32_t *generation)
{
    uint32_t known = bins->slot_of[region];
    if (known == 0) {
        if (bins->used == SP_BINS_SLOTS)
            sp_bins_take_batch(bins);
        known = ++bins->used;
        bins->slot_of[region] = (uint8_t)known;
        bins->slots[known - 1].region = region;
    }
    *generation = bins->generation;
    return &bins->slots[known - 1];
}

void sp_bins_add_apart(struct sp_bins *bins, uint32_t region, double ns)
{
    struct sp_spill_bin *row = sp_keyed_row(&bins->rows, region, sp_histogram_bin(ns));
    if (row)
        row->count[sp_spill_valid_copy(row->batch, bins->head->batches)]++;
    else
        ++*bins->lost;
}
