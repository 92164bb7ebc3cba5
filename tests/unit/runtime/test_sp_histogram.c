/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_bins.h"

static void bins_are_where_the_table_says(void **state)
{
    static const struct {
        double ns;
        uint32_t bin;
    } rows[] = {
        {0, 0}, {0.5, 0}, {1, 0}, {1.015625, 1}, {1.99, 63}, {2, 64}, {3, 96}, {1000, 9 * 64 + 61}, /* 1000/512 = 1.953125 = 1 + 61/64 */
        {1024, 640}, {1e9, 29 * 64 + 55},                                                           /* 1e9/2^29 = 1.8626 = 1 + 55.2/64 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(sp_histogram_bin(rows[i].ns), rows[i].bin);
}

static void a_bin_is_at_most_one_64th_wide(void **state)
{
    (void)state;
    for (uint32_t bin = 0; bin + 1 < 60 * 64; bin++) {
        double low = sp_histogram_edge(bin), high = sp_histogram_edge(bin + 1);
        assert_true(high > low && high - low <= low / 64);
        assert_int_equal(sp_histogram_bin(low), bin);
        assert_int_equal(sp_histogram_bin(low + (high - low) / 2), bin);
    }
}

/* Calls of a region's bin that count now. */
static uint64_t calls_in(struct sp_store *store, struct sp_bins *bins, uint32_t region, double ns)
{
    const struct sp_spill_bin *row = sp_keyed_row(&bins->rows, region, sp_histogram_bin(ns));
    return row->count[sp_spill_valid_copy(row->batch, sp_store_head(store)->batches)];
}

static void count(struct sp_bins *bins, uint32_t region, double ns, uint32_t turn)
{
    sp_bins_count(sp_bins_slot(bins, sp_bins_ticket(bins, region)), ns, bins->least_ns, turn);
}

static void a_batch_counts_only_once_it_is_taken_and_the_header_says_so(void **state)
{
    (void)state;
    struct sp_store *store = sp_store_create(SP_SPILL_LANE_HEAD);
    struct sp_bins *bins = sp_bins_create(store, 5000);
    for (uint32_t i = 0; i < 10; i++)
        count(bins, 7, 100, i);
    sp_bins_take_batch(bins);
    assert_int_equal(calls_in(store, bins, 7, 100), 0);
    sp_store_head(store)->batches++;
    assert_int_equal(calls_in(store, bins, 7, 100), 10);
    sp_bins_add_apart(bins, 7, 100);
    count(bins, 7, 100, 0);
    assert_int_equal(calls_in(store, bins, 7, 100), 11);
    sp_bins_take_batch(bins);
    sp_store_head(store)->batches++;
    assert_int_equal(calls_in(store, bins, 7, 100), 12);
    sp_bins_destroy(bins);
    sp_store_destroy(store);
}

static void more_regions_than_slots_lose_no_call(void **state)
{
    (void)state;
    struct sp_store *store = sp_store_create(SP_SPILL_LANE_HEAD);
    struct sp_bins *bins = sp_bins_create(store, 5000);
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t region = 0; region < SP_BINS_SLOTS + 100; region++)
            count(bins, region, 1 + region, round);
    sp_bins_take_batch(bins);
    sp_store_head(store)->batches++;
    for (uint32_t region = 0; region < SP_BINS_SLOTS + 100; region++)
        assert_int_equal(calls_in(store, bins, region, 1 + region), 3);
    assert_int_equal(sp_store_head(store)->bins_lost, 0);
    sp_bins_destroy(bins);
    sp_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_are_where_the_table_says),
        cmocka_unit_test(a_bin_is_at_most_one_64th_wide),
        cmocka_unit_test(a_batch_counts_only_once_it_is_taken_and_the_header_says_so),
        cmocka_unit_test(more_regions_than_slots_lose_no_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
