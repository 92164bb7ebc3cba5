/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_tables.h"
#include "sp_crc.h"
#include "sp_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tables {
    hid_t file;
    const char *path;
    int read_back;
    struct sp_checksum sums[SP_DATASETS_MAX];
    size_t sum_count;
};

/* Notes a CRC for /checksums. */
static void note(struct tables *t, const char *name, uint64_t bytes, uint32_t crc)
{
    struct sp_checksum *sum = &t->sums[t->sum_count++];
    memset(sum, 0, sizeof *sum);
    memcpy(sum->dataset, name, strnlen(name, sizeof sum->dataset));
    sum->bytes = bytes;
    sum->crc = crc;
}

/* Bytes of the dataset as they will lie in the file: malloc'ed. */
static void *file_bytes(const struct sp_dataset *dataset, const void *rows, size_t *bytes)
{
    *bytes = (size_t)dataset->rows * sp_dataset_row_bytes(dataset);
    void *packed = malloc(*bytes + 1);
    if (!packed)
        return NULL;
    if (dataset->table)
        sp_schema_pack(dataset->table, rows, (size_t)dataset->rows, packed);
    else if (*bytes > 0)
        memcpy(packed, rows, *bytes);
    return packed;
}

static int compare(hid_t opened, hid_t type, void *packed, size_t bytes, uint32_t crc)
{
    memset(packed, 0, bytes);
    if (H5Dread(opened, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed) < 0)
        return -1;
    return sp_crc(0, packed, bytes) == crc ? 0 : -1;
}

static int write_bytes(struct tables *t, const struct sp_dataset *dataset, void *packed, size_t bytes, struct sp_error *err)
{
    uint32_t crc = sp_crc(0, packed, bytes);
    hid_t opened = H5Dopen2(t->file, dataset->name, H5P_DEFAULT);
    hid_t type = opened >= 0 ? H5Dget_type(opened) : -1;
    int status = 0;
    /* in the file's own type: no conversion */
    if (type < 0 || (bytes > 0 && H5Dwrite(opened, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed) < 0))
        status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write %s", t->path, dataset->name);
    if (status == 0 && t->read_back && bytes > 0 && compare(opened, type, packed, bytes, crc) < 0)
        status = sp_fail_as(
            err, SP_EXIT_OUTPUT, "%s: what lies in %s is not what was written (is the file system full?)", t->path, dataset->name);
    if (type >= 0)
        H5Tclose(type);
    if (opened >= 0 && H5Dclose(opened) < 0 && status == 0)
        status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write %s", t->path, dataset->name);
    if (status == 0 && dataset->is_checked)
        note(t, dataset->name, bytes, crc);
    return status;
}

static int write_table(struct tables *t, const struct sp_plan *plan, const char *name, const void *rows, struct sp_error *err)
{
    size_t bytes;
    const struct sp_dataset *dataset = sp_plan_find(plan, name);
    void *packed = file_bytes(dataset, rows, &bytes);
    if (!packed)
        return sp_fail(err, "%s: out of memory while writing %s", t->path, name);
    int status = write_bytes(t, dataset, packed, bytes, err);
    free(packed);
    return status;
}

static int set_state(hid_t file, const char *state)
{
    char text[256] = "";
    hid_t attribute = H5Aopen(file, "state", H5P_DEFAULT), type = -1;
    int status = -1;
    if (attribute >= 0)
        type = H5Aget_type(attribute);
    snprintf(text, sizeof text, "%s", state);
    if (type >= 0 && H5Tget_size(type) <= sizeof text && H5Awrite(attribute, type, text) >= 0)
        status = 0;
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
    return status;
}

static int write_all(struct tables *t, const struct sp_plan *plan, const struct sp_table_content *contents, size_t content_count,
    const struct sp_known_sum *known, size_t known_count, struct sp_error *err)
{
    for (size_t i = 0; i < content_count; i++)
        if (write_table(t, plan, contents[i].name, contents[i].rows, err) < 0)
            return -1;
    for (size_t i = 0; i < known_count; i++)
        note(t, known[i].name, known[i].bytes, known[i].crc);
    if (t->sum_count != sp_plan_find(plan, "checksums")->rows)
        return sp_fail(
            err, "%s: %zu checksums for %llu datasets", t->path, t->sum_count, (unsigned long long)sp_plan_find(plan, "checksums")->rows);
    return write_table(t, plan, "checksums", t->sums, err);
}

int sp_tables_write(const char *path, const struct sp_plan *plan, const struct sp_table_content *contents, size_t content_count,
    const struct sp_known_sum *known, size_t known_count, const char *state, int read_back, struct sp_error *err)
{
    struct tables t = {.file = sp_hdf5_open(path, H5F_ACC_RDWR), .path = path, .read_back = read_back};
    if (t.file < 0)
        return sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot open", path);
    int status = write_all(&t, plan, contents, content_count, known, known_count, err);
    /* all else is on its way before the file says that it is whole */
    if (status == 0 && (H5Fflush(t.file, H5F_SCOPE_GLOBAL) < 0 || set_state(t.file, state) < 0))
        status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write", path);
    if (H5Fclose(t.file) < 0 && status == 0)
        status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write", path);
    return status;
}
