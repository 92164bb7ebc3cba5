/* SPDX-License-Identifier: BSD-3-Clause */
/* Schemas 2 and 3 of scope-profiler: all calls in a few columns, a row of /rank_region_index for each (rank, region); or, in the
 * aggregate layout, only sums. */
#include "sp_legacy_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEWEST 3

/* The columns of /rank_region_index that are used, by number of row. */
struct rows {
    uint64_t count;
    int64_t *regions, *ranks, *offsets, *counts, *lines;
    struct sp_legacy_texts names, files, tags;
    int32_t *region_numbers; /* ours, of each row of /region_table */
};

static void free_rows(struct rows *rows)
{
    free(rows->regions);
    free(rows->ranks);
    free(rows->offsets);
    free(rows->counts);
    free(rows->lines);
    free(rows->region_numbers);
    sp_legacy_texts_free(&rows->names);
    sp_legacy_texts_free(&rows->files);
    sp_legacy_texts_free(&rows->tags);
}

int sp_legacy_columnar_probe(const struct sp_legacy_source *source)
{
    int64_t schema;
    return source->file >= 0 && sp_legacy_integer(source->file, "scope_profiler_schema", &schema) == 0 && schema != 1;
}

static int column(const struct sp_legacy *legacy, hid_t index, const char *name, uint64_t count, int64_t **values, struct sp_error *err)
{
    if (sp_legacy_integers_of(legacy, index, name, count, values, err) < 0)
        return -1;
    return *values ? 0 : sp_legacy_damaged(legacy, err, "no column %s", name);
}

/* Source files and tags: texts that may be missing altogether. */
static int texts(
    const struct sp_legacy *legacy, hid_t index, const char *name, uint64_t count, struct sp_legacy_texts *found, struct sp_error *err)
{
    if (!sp_legacy_has(index, name))
        return 0;
    if (sp_legacy_texts_read(legacy, index, name, found, err) < 0)
        return -1;
    return found->count == count ? 0 : sp_legacy_damaged(legacy, err, "column %s is of another length", name);
}

static int read_rows(struct sp_legacy *legacy, hid_t file, hid_t index, struct rows *rows, struct sp_error *err)
{
    if (sp_legacy_texts_read(legacy, file, "region_table/names", &rows->names, err) < 0 ||
        sp_legacy_integers(legacy, index, "region_ids", &rows->regions, &rows->count, err) < 0 ||
        column(legacy, index, "ranks", rows->count, &rows->ranks, err) < 0 ||
        sp_legacy_integers_of(legacy, index, "source_lines", rows->count, &rows->lines, err) < 0 ||
        texts(legacy, index, "source_files", rows->count, &rows->files, err) < 0 ||
        texts(legacy, index, "tags", rows->count, &rows->tags, err) < 0)
        return -1;
    rows->region_numbers = calloc((size_t)rows->names.count + 1, sizeof *rows->region_numbers);
    if (!rows->region_numbers)
        return sp_fail(err, "%s: out of memory", legacy->path);
    for (uint64_t i = 0; i < rows->names.count; i++)
        if (sp_legacy_region(legacy, rows->names.items[i], strlen(rows->names.items[i]), &rows->region_numbers[i], err) < 0)
            return -1;
    for (uint64_t i = 0; i < rows->count; i++)
        if (rows->regions[i] < 0 || (uint64_t)rows->regions[i] >= rows->names.count)
            return sp_legacy_damaged(legacy, err, "row %llu names a region that is not there", (unsigned long long)i);
    return 0;
}

static int32_t region_of(const struct rows *rows, uint64_t row)
{
    return rows->region_numbers[rows->regions[row]];
}

static int describe(struct sp_legacy *legacy, const struct rows *rows, uint64_t row, struct sp_error *err)
{
    const char *file = rows->files.count > 0 ? rows->files.items[row] : NULL, *json = rows->tags.count > 0 ? rows->tags.items[row] : "";
    json_t *list = *json ? json_loads(json, 0, NULL) : NULL;
    char *tags = NULL;
    int status = sp_legacy_tags(legacy, list, &tags, err);
    if (status == 0)
        status = sp_legacy_describe(legacy, region_of(rows, row), file, rows->lines ? rows->lines[row] : -1, tags, err);
    json_decref(list);
    free(tags);
    return status;
}

/* Makes room for the calls of all rows, whose slices of the columns must not be longer than these altogether. */
static int place_rows(struct sp_legacy *legacy, const struct rows *rows, uint64_t event_count, struct sp_error *err)
{
    uint64_t left = event_count;
    for (uint64_t i = 0; i < rows->count; i++) {
        int32_t lane;
        if (rows->offsets[i] < 0 || rows->counts[i] < 0 || (uint64_t)rows->counts[i] > left ||
            (uint64_t)rows->offsets[i] > event_count - (uint64_t)rows->counts[i])
            return sp_legacy_damaged(legacy, err, "row %llu has events that are not there", (unsigned long long)i);
        left -= (uint64_t)rows->counts[i];
        if (sp_legacy_lane(legacy, rows->ranks[i], SP_LEGACY_MAIN, &lane, err) < 0 ||
            !sp_legacy_calls(legacy, lane, region_of(rows, i), (size_t)rows->counts[i], err) || describe(legacy, rows, i, err) < 0)
            return -1;
    }
    return 0;
}

/* Starts as they are, or summed up from gaps. */
static void fill_starts(const struct sp_legacy *legacy, const struct rows *rows, const int64_t *values, int are_deltas)
{
    struct sp_legacy_call *call = legacy->calls;
    for (uint64_t i = 0; i < rows->count; i++) {
        uint64_t start = 0;
        for (int64_t k = 0; k < rows->counts[i]; k++, call++) {
            start = (are_deltas ? start : 0) + (uint64_t)values[rows->offsets[i] + k];
            call->start = (int64_t)start;
        }
    }
}

static void fill_ends(const struct sp_legacy *legacy, const struct rows *rows, const int64_t *values, int are_durations)
{
    struct sp_legacy_call *call = legacy->calls;
    for (uint64_t i = 0; i < rows->count; i++)
        for (int64_t k = 0; k < rows->counts[i]; k++, call++)
            call->end = (int64_t)((are_durations ? (uint64_t)call->start : 0) + (uint64_t)values[rows->offsets[i] + k]);
}

/* Threads and tasks have lanes of their own. */
static int place_calls(struct sp_legacy *legacy, hid_t events, const struct rows *rows, uint64_t event_count, struct sp_error *err)
{
    int64_t *threads = NULL, *tasks = NULL;
    int status = sp_legacy_integers_of(legacy, events, "thread_ids", event_count, &threads, err);
    if (status == 0)
        status = sp_legacy_integers_of(legacy, events, "task_ids", event_count, &tasks, err);
    size_t call = 0;
    for (uint64_t i = 0; status == 0 && (threads || tasks) && i < rows->count; i++)
        for (int64_t k = 0; status == 0 && k < rows->counts[i]; k++, call++) {
            int64_t at = rows->offsets[i] + k, key = sp_legacy_lane_key(threads ? threads[at] : -1, tasks ? tasks[at] : -1);
            status = sp_legacy_lane(legacy, rows->ranks[i], key, &legacy->calls[call].lane, err);
        }
    free(threads);
    free(tasks);
    return status;
}

static int read_events(struct sp_legacy *legacy, hid_t events, hid_t index, struct rows *rows, struct sp_error *err)
{
    int are_deltas = sp_legacy_has(events, "start_deltas");
    int64_t *values;
    uint64_t count;
    if (column(legacy, index, "event_offsets", rows->count, &rows->offsets, err) < 0 ||
        column(legacy, index, "event_counts", rows->count, &rows->counts, err) < 0)
        return -1;
    if (sp_legacy_integers(legacy, events, are_deltas ? "start_deltas" : "start_times", &values, &count, err) < 0)
        return -1;
    int status = place_rows(legacy, rows, count, err);
    if (status == 0)
        fill_starts(legacy, rows, values, are_deltas);
    free(values);
    if (status < 0 || column(legacy, events, are_deltas ? "durations" : "end_times", count, &values, err) < 0)
        return -1;
    fill_ends(legacy, rows, values, are_deltas);
    free(values);
    return place_calls(legacy, events, rows, count, err);
}

/* Names of the threads that are lanes by now. */
static int name_threads(struct sp_legacy *legacy, hid_t file, struct sp_error *err)
{
    int64_t *ranks, *indices = NULL;
    uint64_t count;
    struct sp_legacy_texts names = {0};
    hid_t table = sp_legacy_has(file, "thread_table") ? H5Oopen(file, "thread_table", H5P_DEFAULT) : -1;
    if (table < 0)
        return 0;
    int status = sp_legacy_integers(legacy, table, "ranks", &ranks, &count, err);
    if (status == 0)
        status = column(legacy, table, "index", count, &indices, err);
    if (status == 0)
        status = texts(legacy, table, "name", count, &names, err);
    for (uint64_t i = 0; status == 0 && i < names.count; i++) {
        int64_t key = sp_legacy_lane_key(indices[i], -1);
        for (size_t k = 0; k < legacy->lane_count; k++)
            if (legacy->lanes[k].rank == ranks[i] && legacy->lanes[k].key == key && names.items[i][0])
                snprintf(legacy->lanes[k].name, sizeof legacy->lanes[k].name, "%s", names.items[i]);
    }
    sp_legacy_texts_free(&names);
    free(ranks);
    free(indices);
    H5Oclose(table);
    return status;
}

static int read_sums(struct sp_legacy *legacy, hid_t index, const struct rows *rows, struct sp_error *err)
{
    static const char *const names[] = {
        "aggregate_counts", "aggregate_totals", "aggregate_minimums", "aggregate_maximums", "aggregate_exclusives"};
    int64_t *columns[5] = {NULL};
    int status = 0;
    for (size_t c = 0; status == 0 && c < 5; c++)
        status = column(legacy, index, names[c], rows->count, &columns[c], err);
    for (uint64_t i = 0; status == 0 && i < rows->count; i++) {
        status = sp_legacy_rank(legacy, rows->ranks[i], err);
        if (status < 0 || columns[0][i] == 0)
            continue;
        struct sp_legacy_sum sum = {.rank = (int32_t)rows->ranks[i],
            .region = region_of(rows, i),
            .calls = (uint64_t)columns[0][i],
            .total = columns[1][i],
            .min = columns[2][i],
            .max = columns[3][i],
            .self = columns[4][i]};
        status = sp_legacy_sum(legacy, &sum, err);
        if (status == 0)
            status = describe(legacy, rows, i, err);
    }
    for (size_t c = 0; c < 5; c++)
        free(columns[c]);
    return status;
}

static int read_layout(struct sp_legacy *legacy, hid_t file, hid_t index, struct rows *rows, struct sp_error *err)
{
    json_t *layout = sp_legacy_attribute(legacy->path, file, "storage_layout");
    int is_aggregate = layout && json_is_string(layout) && strcmp(json_string_value(layout), "aggregate") == 0;
    json_decref(layout);
    if (read_rows(legacy, file, index, rows, err) < 0)
        return -1;
    if (is_aggregate)
        return read_sums(legacy, index, rows, err);
    hid_t events = sp_legacy_has(file, "events") ? H5Oopen(file, "events", H5P_DEFAULT) : -1;
    if (events < 0)
        return sp_legacy_damaged(legacy, err, "no events");
    int status = read_events(legacy, events, index, rows, err);
    H5Oclose(events);
    return status < 0 ? -1 : name_threads(legacy, file, err);
}

int sp_legacy_columnar_read(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err)
{
    int64_t schema = 0, ranks;
    struct rows rows = {0};
    sp_legacy_integer(source->file, "scope_profiler_schema", &schema);
    if (schema > NEWEST)
        return sp_legacy_newer(legacy, "schema", schema, NEWEST, err);
    if (schema < 1)
        return sp_legacy_damaged(legacy, err, "schema %lld", (long long)schema);
    snprintf(legacy->format, sizeof legacy->format, "scope-profiler schema %d", (int)schema);
    if (sp_legacy_metadata(source->file, legacy, err) < 0)
        return -1;
    ranks = json_integer_value(json_object_get(legacy->metadata, "mpi_size"));
    if (ranks > 0 && ranks <= SP_LEGACY_RANKS && sp_legacy_rank(legacy, ranks - 1, err) < 0)
        return -1;
    hid_t index = sp_legacy_has(source->file, "rank_region_index") ? H5Oopen(source->file, "rank_region_index", H5P_DEFAULT) : -1;
    if (index < 0)
        return sp_legacy_damaged(legacy, err, "no index of its regions");
    int status = read_layout(legacy, source->file, index, &rows, err);
    free_rows(&rows);
    H5Oclose(index);
    return status;
}
