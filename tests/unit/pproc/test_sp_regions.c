/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_regions.h"

#include <math.h>
#include <stdlib.h>

static struct sp_entry entry(int32_t region, int32_t rank, int64_t start, int64_t total, int64_t self)
{
    struct sp_entry made = {.region = region, .rank = rank};
    sp_stats_add(&made.stats, start, total, self);
    return made;
}

static void pooled_statistics_are_in_order_of_first_start(void **state)
{
    (void)state;
    const struct sp_entry entries[] = {entry(0, 0, 50, 10, 10), entry(0, 1, 40, 30, 5), entry(1, 1, 7, 8, 8)};
    struct sp_region_summary *rows;
    size_t count;
    assert_int_equal(sp_regions_analyse(entries, 3, 2, &rows, &count, NULL), 0);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].region, 1);
    assert_int_equal(rows[1].region, 0);
    assert_int_equal(rows[1].rank_count, 2);
    assert_int_equal(rows[1].stats.calls, 2);
    assert_int_equal(rows[1].stats.total, 40);
    assert_int_equal(rows[1].stats.first, 30); /* of rank 1, which starts earlier */
    assert_int_equal(rows[1].stats.min, 10);
    assert_int_equal(rows[1].slowest_rank, 1);
    assert_int_equal(rows[1].slowest_ns, 30);
    assert_int_equal(rows[1].busiest_rank, 0);
    free(rows);
}

static void imbalance_is_max_over_mean_of_those_that_entered(void **state)
{
    /* totals by rank, ranks in the run; (max/mean - 1) * 100 over those that entered, over all */
    static const struct {
        int64_t totals[4];
        int32_t entered, ranks;
        double imbalance, all;
    } cases[] = {
        {{10, 30}, 2, 2, 50, 50}, /* mean 20 */
        {{10, 10, 10, 10}, 4, 4, 0, 0},
        {{40}, 1, 4, 0, 300},              /* one of four does everything: mean over all 10 */
        {{10, 20, 30, 40}, 4, 8, 60, 220}, /* means 25 and 12.5 */
        {{0, 0}, 2, 2, NAN, NAN},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_entry entries[4];
        struct sp_region_summary *rows;
        size_t count;
        for (int32_t k = 0; k < cases[i].entered; k++)
            entries[k] = entry(3, k, k, cases[i].totals[k], cases[i].totals[k]);
        assert_int_equal(sp_regions_analyse(entries, (size_t)cases[i].entered, cases[i].ranks, &rows, &count, NULL), 0);
        assert_int_equal(count, 1);
        if (isnan(cases[i].imbalance)) {
            assert_true(isnan(rows[0].imbalance) && isnan(rows[0].imbalance_all));
        } else {
            assert_float_equal(rows[0].imbalance, cases[i].imbalance, 1e-9);
            assert_float_equal(rows[0].imbalance_all, cases[i].all, 1e-9);
        }
        free(rows);
    }
}

static void waiting_in_mpi_does_not_hide_the_imbalance_of_self_times(void **state)
{
    const struct sp_entry entries[] = {entry(0, 0, 0, 100, 60), entry(0, 1, 0, 100, 100)};
    struct sp_region_summary *rows;
    size_t count;
    (void)state;
    assert_int_equal(sp_regions_analyse(entries, 2, 2, &rows, &count, NULL), 0);
    assert_float_equal(rows[0].imbalance, 0, 1e-9);
    assert_float_equal(rows[0].imbalance_self, 25, 1e-9);
    assert_int_equal(rows[0].busiest_rank, 1);
    free(rows);
}

static void no_entries_give_no_rows(void **state)
{
    struct sp_region_summary *rows;
    size_t count;
    (void)state;
    assert_int_equal(sp_regions_analyse(NULL, 0, 4, &rows, &count, NULL), 0);
    assert_int_equal(count, 0);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pooled_statistics_are_in_order_of_first_start),
        cmocka_unit_test(imbalance_is_max_over_mean_of_those_that_entered),
        cmocka_unit_test(waiting_in_mpi_does_not_hide_the_imbalance_of_self_times),
        cmocka_unit_test(no_entries_give_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
