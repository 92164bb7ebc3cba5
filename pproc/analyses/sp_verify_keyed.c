/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_verify_keyed.h"

#include <stdlib.h>

/* Calls by region: of the rows that sum up all ranks, or of those of single ranks. Returns how many calls no bin counts. */
static int64_t add_up(const struct sp_histogram *rows, uint64_t count, bool of_ranks, int64_t *calls)
{
    int64_t lost = 0;
    for (uint64_t i = 0; i < count; i++)
        if ((rows[i].rank >= 0) == of_ranks)
            *(rows[i].region < 0 ? &lost : &calls[rows[i].region]) += (int64_t)rows[i].calls;
    return lost;
}

static int64_t difference(const int64_t *a, const int64_t *b, int32_t count)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    return sum;
}

static void compare(const struct sp_file_info *info, const int64_t *wanted, const int64_t *calls, int64_t lost, bool count_lost,
    struct sp_verify_counts *counts)
{
    int64_t missing = difference(wanted, calls, info->region_count);
    if (info->state == SP_FILE_COMPLETE)
        counts->miscounted += missing > lost ? missing - lost : lost - missing;
    if (count_lost)
        counts->without_bin += info->state == SP_FILE_COMPLETE ? lost : missing;
}

int sp_verify_histograms(struct sp_file *file, const int64_t *region_calls, struct sp_verify_counts *counts, struct sp_error *err)
{
    const struct sp_file_info *info = sp_file_info(file);
    uint64_t count = info->histogram_count;
    if (count == 0)
        return 0;
    const struct sp_histogram *rows = sp_file_histograms(file, err);
    if (!rows)
        return -1;
    int64_t *calls = calloc(2 * (size_t)info->region_count + 1, sizeof *calls);
    if (!calls)
        return sp_fail(err, "out of memory");
    int64_t *of_ranks = calls + info->region_count, lost = add_up(rows, count, false, calls);
    compare(info, region_calls, calls, lost, true, counts);
    if (rows[count - 1].rank >= 0) {
        lost = add_up(rows, count, true, of_ranks);
        compare(info, region_calls, of_ranks, lost, false, counts);
    }
    free(calls);
    return 0;
}
