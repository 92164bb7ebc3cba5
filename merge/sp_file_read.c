/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_file_internal.h"
#include "sp_crc.h"
#include "sp_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_ROWS ((size_t)1 << 20)
#define CHECK_BYTES ((uint64_t)64 << 20) /* statistics up to this size are always checked */

/* Type and length of one column. */
static int column_fits(hid_t dataset, enum sp_type type, uint64_t rows)
{
    hsize_t count = 0;
    hid_t actual = H5Dget_type(dataset), space = H5Dget_space(dataset);
    int fits = actual >= 0 && space >= 0 && H5Tequal(actual, sp_schema_file_type(type)) > 0 && H5Sget_simple_extent_ndims(space) == 1 &&
        H5Sget_simple_extent_dims(space, &count, NULL) == 1 && count == rows;
    if (actual >= 0)
        H5Tclose(actual);
    if (space >= 0)
        H5Sclose(space);
    return fits;
}

int sp_file_open_columns(
    struct sp_file *file, struct sp_file_columns *columns, const struct sp_table *kind, uint64_t rows, struct sp_error *err)
{
    char name[64];
    columns->kind = kind;
    columns->rows = rows;
    for (size_t c = 0; c < kind->field_count; c++)
        columns->datasets[c] = -1;
    for (size_t c = 0; c < kind->field_count; c++) {
        snprintf(name, sizeof name, "%s/%s", kind->name, kind->fields[c].name);
        columns->datasets[c] = H5Dopen2(file->file, name, H5P_DEFAULT);
        if (columns->datasets[c] < 0)
            return sp_file_damaged(file, err, "no column %s", name);
        if (!column_fits(columns->datasets[c], kind->fields[c].type, rows))
            return sp_file_damaged(file, err, "column %s has another type or length", name);
    }
    return 0;
}

void sp_file_close_columns(struct sp_file_columns *columns)
{
    for (size_t c = 0; columns->kind && c < columns->kind->field_count; c++)
        if (columns->datasets[c] >= 0)
            H5Dclose(columns->datasets[c]);
    columns->kind = NULL;
}

static int read_column(const struct sp_file *file, const struct sp_file_columns *columns, size_t c, uint64_t first, size_t count,
    void *values, struct sp_error *err)
{
    const struct sp_field *field = &columns->kind->fields[c];
    if (sp_hdf5_read_rows(columns->datasets[c], sp_schema_memory_type(field->type), H5P_DEFAULT, first, count, values) < 0)
        return sp_file_damaged(file, err, "cannot read %s/%s", columns->kind->name, field->name);
    return 0;
}

static int check_range(const struct sp_file *file, uint64_t first, uint64_t count, uint64_t total, const char *what, struct sp_error *err)
{
    if (count > total || first > total - count)
        return sp_fail(
            err, "%s: there are no %s from %llu to %llu", file->path, what, (unsigned long long)first, (unsigned long long)(first + count));
    return 0;
}

/* One column of a block, compared with its checksum. */
static int read_event_column(
    struct sp_file *file, const struct sp_event_block *block, size_t c, uint32_t crc, void *values, struct sp_error *err)
{
    size_t count = (size_t)block->event_count;
    if (read_column(file, &file->events, c, block->first_event, count, values, err) < 0)
        return -1;
    if (sp_crc(0, values, count * file->events.kind->fields[c].bytes) != crc)
        return sp_file_damaged(
            file, err, "checksum of events/%s from %llu on", file->events.kind->fields[c].name, (unsigned long long)block->first_event);
    return 0;
}

int sp_file_read_events(
    struct sp_file *file, uint64_t index, int64_t *start_ns, int64_t *duration_ns, int32_t *callpath, struct sp_error *err)
{
    if (check_range(file, index, 1, file->info.event_block_count, "event blocks", err) < 0)
        return -1;
    const struct sp_event_block *block = &file->event_blocks[index];
    if (file->legacy) {
        sp_legacy_read_events(file, index, start_ns, duration_ns, callpath);
        return 0;
    }
    if (start_ns) {
        uint64_t start = 0;
        if (read_event_column(file, block, 0, block->crc_start_delta, start_ns, err) < 0)
            return -1;
        for (uint64_t i = 0; i < block->event_count; i++)
            start_ns[i] = (int64_t)(start += (uint64_t)start_ns[i]);
    }
    if (duration_ns && read_event_column(file, block, 1, block->crc_duration, duration_ns, err) < 0)
        return -1;
    if (!callpath)
        return 0;
    if (read_event_column(file, block, 2, block->crc_callpath, callpath, err) < 0)
        return -1;
    for (uint64_t i = 0; i < block->event_count; i++)
        if (callpath[i] < 0 || callpath[i] >= file->info.callpath_count)
            return sp_file_damaged(file, err, "call path of event %llu", (unsigned long long)(block->first_event + i));
    return 0;
}

/* Puts column values into one field of rows. */
static void spread(const struct sp_field *field, const void *values, size_t count, void *rows, size_t row_bytes)
{
    const char *from = values;
    char *to = (char *)rows + field->offset;
    for (size_t i = 0; i < count; i++, from += field->bytes, to += row_bytes)
        memcpy(to, from, field->bytes);
}

/* One whole column of /statistics against /checksums. */
static int check_statistic_column(struct sp_file *file, size_t c, void *values, struct sp_error *err)
{
    char name[64];
    const struct sp_field *field = &sp_columns_statistics.fields[c];
    uint64_t rows = file->info.statistic_count;
    uint32_t crc = 0;
    snprintf(name, sizeof name, "statistics/%s", field->name);
    for (uint64_t first = 0; first < rows; first += CHECK_ROWS) {
        size_t count = rows - first < CHECK_ROWS ? (size_t)(rows - first) : CHECK_ROWS;
        if (read_column(file, &file->statistics, c, first, count, values, err) < 0)
            return -1;
        crc = sp_crc(crc, values, count * field->bytes);
    }
    const struct sp_checksum *sum = sp_file_checksum(file, name);
    if (!sum || sum->bytes != rows * field->bytes || sum->crc != crc)
        return sp_file_damaged(file, err, "checksum of %s", name);
    return 0;
}

static int check_statistics(struct sp_file *file, struct sp_error *err)
{
    uint64_t rows = file->info.statistic_count;
    void *values = malloc((rows < CHECK_ROWS ? (size_t)rows : CHECK_ROWS) * sizeof(int64_t) + 1);
    if (!values)
        return sp_fail(err, "%s: out of memory", file->path);
    int status = 0;
    for (size_t c = 0; status == 0 && c < sp_columns_statistics.field_count; c++)
        status = check_statistic_column(file, c, values, err);
    free(values);
    file->statistics_are_checked = status == 0;
    return status;
}

static int check_statistic_rows(const struct sp_file *file, const struct sp_statistic *rows, size_t count, struct sp_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].lane < 0 || rows[i].lane >= file->info.lane_count || rows[i].callpath < 0 ||
            rows[i].callpath >= file->info.callpath_count)
            return sp_file_damaged(file, err, "a row of statistics");
    return 0;
}

int sp_file_read_statistics(struct sp_file *file, uint64_t first, size_t count, struct sp_statistic *rows, struct sp_error *err)
{
    const struct sp_table *kind = &sp_columns_statistics;
    uint64_t total = file->info.statistic_count;
    if (check_range(file, first, count, total, "statistics", err) < 0)
        return -1;
    if (file->legacy) {
        sp_legacy_read_statistics(file, first, count, rows);
        return 0;
    }
    if (!file->statistics_are_checked && (total * sizeof *rows <= CHECK_BYTES || count == total) && check_statistics(file, err) < 0)
        return -1;
    void *values = malloc(count * sizeof(int64_t) + 1);
    if (!values)
        return sp_fail(err, "%s: out of memory", file->path);
    int status = 0;
    for (size_t c = 0; status == 0 && c < kind->field_count; c++) {
        status = read_column(file, &file->statistics, c, first, count, values, err);
        if (status == 0)
            spread(&kind->fields[c], values, count, rows, sizeof *rows);
    }
    free(values);
    return status == 0 ? check_statistic_rows(file, rows, count, err) : status;
}

/* A whole block of messages, compared with its checksum: over the columns one after another. */
static int read_message_block(
    struct sp_file *file, const struct sp_message_block *block, void *values, struct sp_message *rows, struct sp_error *err)
{
    const struct sp_table *kind = &sp_columns_messages;
    size_t count = (size_t)block->message_count;
    uint32_t crc = 0;
    for (size_t c = 0; c < kind->field_count; c++) {
        if (read_column(file, &file->messages, c, block->first_message, count, values, err) < 0)
            return -1;
        crc = sp_crc(crc, values, count * kind->fields[c].bytes);
        spread(&kind->fields[c], values, count, rows, sizeof *rows);
    }
    if (crc != block->crc)
        return sp_file_damaged(file, err, "checksum of messages from %llu on", (unsigned long long)block->first_message);
    for (size_t i = 0; i < count; i++)
        if (rows[i].communicator < -1 || rows[i].communicator >= file->info.communicator_count)
            return sp_file_damaged(file, err, "communicator of message %llu", (unsigned long long)(block->first_message + i));
    return 0;
}

/* First block that ends beyond a row. */
static uint64_t find_message_block(const struct sp_file *file, uint64_t row)
{
    uint64_t from = 0, to = file->message_block_count;
    while (from < to) {
        uint64_t middle = from + (to - from) / 2;
        if (file->message_blocks[middle].first_message + file->message_blocks[middle].message_count > row)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

int sp_file_read_messages(struct sp_file *file, uint64_t first, size_t count, struct sp_message *rows, struct sp_error *err)
{
    if (check_range(file, first, count, file->info.message_count, "messages", err) < 0)
        return -1;
    struct sp_message *block_rows = malloc(65536 * sizeof *block_rows);
    void *values = malloc(65536 * sizeof(int64_t));
    int status = block_rows && values ? 0 : sp_fail(err, "%s: out of memory", file->path);
    uint64_t end = first + count;
    for (uint64_t b = find_message_block(file, first); status == 0 && b < file->message_block_count; b++) {
        const struct sp_message_block *block = &file->message_blocks[b];
        uint64_t from = first > block->first_message ? first : block->first_message;
        uint64_t to = block->first_message + block->message_count < end ? block->first_message + block->message_count : end;
        if (block->first_message >= end)
            break;
        status = read_message_block(file, block, values, block_rows, err);
        if (status == 0)
            memcpy(rows + (from - first), block_rows + (from - block->first_message), (size_t)(to - from) * sizeof *rows);
    }
    free(block_rows);
    free(values);
    return status;
}
