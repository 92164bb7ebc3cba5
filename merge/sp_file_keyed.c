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
    return count_table(file, "histograms", &file->info.histogram_count, err);
}

void sp_file_free_keyed(struct sp_file *file)
{
    free(file->histograms);
}

/* Reads a table if it is there; else there is one without rows. NULL on failure. */
static void *load(struct sp_file *file, const struct sp_table *table, uint64_t count, struct sp_error *err)
{
    if (count > 0)
        return sp_file_load_table(file, table, &count, err);
    void *nothing = malloc(1);
    if (!nothing)
        sp_fail(err, "%s: out of memory", file->path);
    return nothing;
}

static int is_within(int32_t value, int32_t from, int32_t end)
{
    return value >= from && value < end;
}

static int check_histograms(const struct sp_file *file, const struct sp_histogram *rows, struct sp_error *err)
{
    for (uint64_t i = 0; i < file->info.histogram_count; i++)
        if (!is_within(rows[i].rank, -1, file->info.rank_count) || !is_within(rows[i].region, -1, file->info.region_count) ||
            !is_within(rows[i].bin, -1, 4096))
            return sp_file_damaged(file, err, "a row of histograms");
    return 0;
}

const struct sp_histogram *sp_file_histograms(struct sp_file *file, struct sp_error *err)
{
    if (file->histograms)
        return file->histograms;
    struct sp_histogram *rows = load(file, &sp_table_histograms, file->info.histogram_count, err);
    if (rows && check_histograms(file, rows, err) < 0) {
        free(rows);
        rows = NULL;
    }
    return file->histograms = rows;
}
