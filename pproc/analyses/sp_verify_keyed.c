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

static int64_t difference(const struct sp_region_sums *a, const int64_t *b, int32_t count)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += a[i].calls > b[i] ? a[i].calls - b[i] : b[i] - a[i].calls;
    return sum;
}

static void compare(const struct sp_file_info *info, const struct sp_region_sums *wanted, const int64_t *calls, int64_t lost,
    bool count_lost, struct sp_verify_counts *counts)
{
    int64_t missing = difference(wanted, calls, info->region_count);
    if (info->state == SP_FILE_COMPLETE)
        counts->miscounted += missing > lost ? missing - lost : lost - missing;
    if (count_lost)
        counts->without_bin += info->state == SP_FILE_COMPLETE ? lost : missing;
}

int sp_verify_histograms(struct sp_file *file, const struct sp_region_sums *regions, struct sp_verify_counts *counts, struct sp_error *err)
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
    compare(info, regions, calls, lost, true, counts);
    if (rows[count - 1].rank >= 0) {
        lost = add_up(rows, count, true, of_ranks);
        compare(info, regions, of_ranks, lost, false, counts);
    }
    free(calls);
    return 0;
}

static int compare_sizes(struct sp_file *file, const struct sp_region_sums *regions, struct sp_verify_counts *counts, struct sp_error *err)
{
    const struct sp_file_info *info = sp_file_info(file);
    const struct sp_message_size *rows = sp_file_message_sizes(file, err);
    struct sp_region_sums *sums = calloc((size_t)info->region_count + 1, sizeof *sums);
    if (!rows || !sums) {
        free(sums);
        return rows ? sp_fail(err, "out of memory") : -1;
    }
    for (uint64_t i = 0; i < info->message_size_count; i++)
        *(rows[i].direction > 0 ? &sums[rows[i].region].bytes_sent : &sums[rows[i].region].bytes_received) += rows[i].bytes;
    for (int32_t i = 0; i < info->region_count; i++)
        counts->mismatched += sums[i].bytes_sent != regions[i].bytes_sent || sums[i].bytes_received != regions[i].bytes_received;
    free(sums);
    return 0;
}

static int compare_traffic(struct sp_file *file, struct sp_verify_counts *counts, struct sp_error *err)
{
    int64_t messages[SP_VERIFY_OPERATIONS] = {0}, bytes[SP_VERIFY_OPERATIONS] = {0};
    const struct sp_traffic_row *rows = sp_file_traffic(file, err);
    if (!rows)
        return -1;
    for (uint64_t i = 0; i < sp_file_info(file)->traffic_count; i++) {
        if (rows[i].operation < 0 || rows[i].operation >= SP_VERIFY_OPERATIONS)
            continue;
        messages[rows[i].operation] += (int64_t)rows[i].messages;
        bytes[rows[i].operation] += rows[i].bytes;
    }
    for (int i = 0; i < SP_VERIFY_OPERATIONS; i++)
        counts->mismatched += messages[i] != counts->messages_by_operation[i] || bytes[i] != counts->bytes_by_operation[i];
    return 0;
}

int sp_verify_messages(struct sp_file *file, const struct sp_region_sums *regions, struct sp_verify_counts *counts, struct sp_error *err)
{
    const struct sp_file_info *info = sp_file_info(file);
    if (info->state != SP_FILE_COMPLETE || info->message_size_count == 0)
        return 0;
    if (compare_sizes(file, regions, counts, err))
        return -1;
    return info->trace == SP_TRACE_COMPLETE ? compare_traffic(file, counts, err) : 0;
}
