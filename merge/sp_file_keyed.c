/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables by key, which files of an earlier build do not have, and which are not needed to read the rest. */
#include "sp_file_internal.h"

#include <stdlib.h>

/* 0 rows where the table is not there. */
static int count_table(struct sp_file *file, const char *name, uint64_t *count, struct sp_error *err)
{
    *count = 0;
    htri_t is_there = H5Lexists(file->file, name, H5P_DEFAULT);
    if (is_there == 0)
        return 0;
    hid_t dataset = is_there > 0 ? H5Dopen2(file->file, name, H5P_DEFAULT) : -1;
    int64_t rows = dataset >= 0 ? sp_file_dataset_rows(dataset) : -1;
    if (dataset >= 0)
        H5Dclose(dataset);
    if (rows < 0)
        return sp_file_damaged(file, err, "no table %s", name);
    *count = (uint64_t)rows;
    return 0;
}

int sp_file_count_keyed(struct sp_file *file, struct sp_error *err)
{
    if (count_table(file, "histograms", &file->info.histogram_count, err) < 0 ||
        count_table(file, "traffic", &file->info.traffic_count, err) < 0)
        return -1;
    return count_table(file, "message_sizes", &file->info.message_size_count, err);
}

void sp_file_free_keyed(struct sp_file *file)
{
    free(file->histograms);
    free(file->traffic);
    free(file->message_sizes);
}

typedef int check_function(const struct sp_file *file, const void *rows, struct sp_error *err);

/* What *kept holds, read at the first time: a table that is not there is one without rows. NULL on failure. */
static const void *rows_of(
    struct sp_file *file, void **kept, const struct sp_table *table, uint64_t count, check_function *check, struct sp_error *err)
{
    if (*kept)
        return *kept;
    void *rows = count > 0 ? sp_file_load_table(file, table, &count, err) : malloc(1);
    if (!rows && count == 0)
        sp_fail(err, "%s: out of memory", file->path);
    if (rows && check(file, rows, err) < 0) {
        free(rows);
        rows = NULL;
    }
    return *kept = rows;
}

static int is_within(int32_t value, int32_t from, int32_t end)
{
    return value >= from && value < end;
}

static int check_histograms(const struct sp_file *file, const void *table, struct sp_error *err)
{
    const struct sp_histogram *rows = table;
    for (uint64_t i = 0; i < file->info.histogram_count; i++)
        if (!is_within(rows[i].rank, -1, file->info.rank_count) || !is_within(rows[i].region, -1, file->info.region_count) ||
            !is_within(rows[i].bin, -1, 4096))
            return sp_file_damaged(file, err, "a row of histograms");
    return 0;
}

const struct sp_histogram *sp_file_histograms(struct sp_file *file, struct sp_error *err)
{
    return rows_of(file, &file->histograms, &sp_table_histograms, file->info.histogram_count, check_histograms, err);
}

static int check_traffic(const struct sp_file *file, const void *table, struct sp_error *err)
{
    const struct sp_traffic_row *rows = table;
    for (uint64_t i = 0; i < file->info.traffic_count; i++)
        if (!is_within(rows[i].source, 0, file->info.rank_count) || !is_within(rows[i].destination, 0, file->info.rank_count))
            return sp_file_damaged(file, err, "a row of traffic");
    return 0;
}

const struct sp_traffic_row *sp_file_traffic(struct sp_file *file, struct sp_error *err)
{
    return rows_of(file, &file->traffic, &sp_table_traffic, file->info.traffic_count, check_traffic, err);
}

static int check_message_sizes(const struct sp_file *file, const void *table, struct sp_error *err)
{
    const struct sp_message_size *rows = table;
    for (uint64_t i = 0; i < file->info.message_size_count; i++)
        if (!is_within(rows[i].region, 0, file->info.region_count) || !is_within(rows[i].bin, 0, 65) ||
            (rows[i].direction != 1 && rows[i].direction != -1))
            return sp_file_damaged(file, err, "a row of message_sizes");
    return 0;
}

const struct sp_message_size *sp_file_message_sizes(struct sp_file *file, struct sp_error *err)
{
    return rows_of(file, &file->message_sizes, &sp_table_message_sizes, file->info.message_size_count, check_message_sizes, err);
}
