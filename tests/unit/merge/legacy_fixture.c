/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "legacy_fixture.h"
#include "scope_profiler_file.h"
#include "sp_error.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const int64_t outer[2] = {10, 55}, starts[3] = {10, 20, 40}, ends[3] = {15, 33, 55};

const char *legacy_name(enum legacy_kind kind)
{
    static const char *const names[LEGACY_KINDS] = {"trace 1", "trace 2", "trace of the other byte order", "JSON", "JSON, gzip", "schema 1",
        "schema 2", "schema 3", "aggregate layout"};
    return names[kind];
}

/* ---- .spt ---- */

static void put_number(FILE *out, int64_t value, int bytes, int swapped)
{
    for (int i = 0; i < bytes; i++)
        fputc((int)((uint64_t)value >> 8 * (swapped ? bytes - 1 - i : i) & 255), out);
}

static void put_region(FILE *out, const char *name, int64_t count, const int64_t *from, const int64_t *to, int version, int swapped)
{
    put_number(out, (int64_t)strlen(name), 4, swapped);
    fputs(name, out);
    if (version > 1) {
        put_number(out, 4, 4, swapped);
        fputs("ab.c", out);
        put_number(out, 7, 4, swapped);
    }
    put_number(out, count, 8, swapped);
    for (int64_t i = 0; i < count; i++)
        put_number(out, from[i], 8, swapped);
    for (int64_t i = 0; i < count; i++)
        put_number(out, to[i], 8, swapped);
}

static void write_trace(const char *path, int version, int swapped)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs("SCOPEPRF", out);
    put_number(out, version, 4, swapped);
    put_number(out, 0, 4, swapped);
    put_number(out, 2, 8, swapped);
    put_region(out, "outer", 1, &outer[0], &outer[1], version, swapped);
    put_region(out, "inner", 3, starts, ends, version, swapped);
    fclose(out);
}

/* ---- JSON ---- */

static void write_json(const char *path, const char *mode)
{
    static const char text[] =
        "{\"format\":\"scope-profiler-profile\",\"format_version\":1,\"num_ranks\":1,\"metadata\":{\"mpi_size\":1},\"regions\":["
        "{\"name\":\"outer\",\"rank\":0,\"tags\":[\"a\",\"b\"],\"start_times_ns\":[10],\"end_times_ns\":[55]},"
        "{\"name\":\"inner\",\"rank\":0,\"source_file\":\"ab.c\",\"source_lineno\":7,\"start_times_ns\":[10,20,40],"
        "\"end_times_ns\":[15,33,55]}]}";
    gzFile out = gzopen(path, mode);
    assert_non_null(out);
    assert_int_equal(gzwrite(out, text, sizeof text - 1), sizeof text - 1);
    assert_int_equal(gzclose(out), Z_OK);
}

/* ---- HDF5 ---- */

static void put_column(hid_t group, const char *name, hid_t type, hid_t memory_type, size_t count, const void *values)
{
    hsize_t rows = count;
    hid_t space = H5Screate_simple(1, &rows, NULL), dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(dataset >= 0 && H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

static void put_integers(hid_t group, const char *name, size_t count, const int64_t *values)
{
    put_column(group, name, H5T_STD_I64LE, H5T_NATIVE_INT64, count, values);
}

static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void put_texts(hid_t group, const char *name, size_t count, const char *const *texts)
{
    hid_t type = text_type();
    put_column(group, name, type, type, count, texts);
    H5Tclose(type);
}

static void put_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR), attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, type, value) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

static hid_t put_group(hid_t parent, const char *name)
{
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(group >= 0);
    return group;
}

static void put_metadata(hid_t file)
{
    const char *host = "node01";
    int64_t one = 1;
    hid_t group = put_group(file, "metadata"), type = text_type();
    put_attribute(group, "mpi_size", H5T_NATIVE_INT64, &one);
    put_attribute(group, "hostname", type, &host);
    H5Tclose(type);
    H5Gclose(group);
}

static void put_schema_1(hid_t file)
{
    hid_t rank = put_group(file, "rank0"), regions = put_group(rank, "regions");
    hid_t first = put_group(regions, "outer"), second = put_group(regions, "inner");
    put_integers(first, "start_times", 1, &outer[0]);
    put_integers(first, "end_times", 1, &outer[1]);
    put_integers(second, "start_times", 3, starts);
    put_integers(second, "end_times", 3, ends);
    H5Gclose(first);
    H5Gclose(second);
    H5Gclose(regions);
    H5Gclose(rank);
}

static void put_events(hid_t file, hid_t index, int schema)
{
    static const int64_t offsets[2] = {0, 1}, counts[2] = {1, 3}, all_starts[4] = {10, 10, 20, 40}, all_ends[4] = {55, 15, 33, 55},
                         deltas[4] = {10, 10, 10, 20}, durations[4] = {45, 5, 13, 15};
    hid_t events = put_group(file, "events");
    put_integers(index, "event_offsets", 2, offsets);
    put_integers(index, "event_counts", 2, counts);
    put_integers(events, schema == 2 ? "start_times" : "start_deltas", 4, schema == 2 ? all_starts : deltas);
    put_integers(events, schema == 2 ? "end_times" : "durations", 4, schema == 2 ? all_ends : durations);
    H5Gclose(events);
}

static void put_sums(hid_t index)
{
    static const int64_t counts[2] = {1, 3}, totals[2] = {45, 33}, minimums[2] = {45, 5}, maximums[2] = {45, 15}, own[2] = {12, 33};
    put_integers(index, "aggregate_counts", 2, counts);
    put_integers(index, "aggregate_totals", 2, totals);
    put_integers(index, "aggregate_minimums", 2, minimums);
    put_integers(index, "aggregate_maximums", 2, maximums);
    put_integers(index, "aggregate_exclusives", 2, own);
}

static void put_columnar(hid_t file, enum legacy_kind kind)
{
    static const char *const names[2] = {"outer", "inner"}, *const files[2] = {"", "ab.c"}, *const tags[2] = {"[\"a\", \"b\"]", "[]"};
    static const int64_t regions[2] = {0, 1}, ranks[2] = {0, 0}, lines[2] = {-1, 7};
    int64_t schema = kind == LEGACY_SCHEMA_2 ? 2 : 3;
    const char *layout = kind == LEGACY_AGGREGATE ? "aggregate" : "columnar";
    hid_t table = put_group(file, "region_table"), index = put_group(file, "rank_region_index"), type = text_type();
    put_attribute(file, "scope_profiler_schema", H5T_NATIVE_INT64, &schema);
    put_attribute(file, "storage_layout", type, &layout);
    put_texts(table, "names", 2, names);
    put_integers(index, "region_ids", 2, regions);
    put_integers(index, "ranks", 2, ranks);
    put_integers(index, "source_lines", 2, lines);
    put_texts(index, "source_files", 2, files);
    put_texts(index, "tags", 2, tags);
    if (kind == LEGACY_AGGREGATE)
        put_sums(index);
    else
        put_events(file, index, (int)schema);
    H5Tclose(type);
    H5Gclose(index);
    H5Gclose(table);
}

static void write_hdf5(const char *path, enum legacy_kind kind)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    put_metadata(file);
    if (kind == LEGACY_SCHEMA_1)
        put_schema_1(file);
    else
        put_columnar(file, kind);
    assert_true(H5Fclose(file) >= 0);
}

void legacy_write(enum legacy_kind kind, const char *path)
{
    if (kind <= LEGACY_TRACE_OTHER_ORDER)
        write_trace(path, kind == LEGACY_TRACE_1 ? 1 : 2, kind == LEGACY_TRACE_OTHER_ORDER);
    else if (kind <= LEGACY_JSON_GZIP)
        write_json(path, kind == LEGACY_JSON ? "wbT" : "wb");
    else
        write_hdf5(path, kind);
}

int legacy_read_all(const char *path, struct sp_error *err)
{
    struct sp_file *file;
    if (sp_file_open(path, &file, err) < 0)
        return -1;
    const struct sp_file_info *info = sp_file_info(file);
    int64_t *start = malloc(65536 * sizeof *start), *duration = malloc(65536 * sizeof *duration);
    int32_t *callpath = malloc(65536 * sizeof *callpath);
    struct sp_statistic *rows = malloc((info->statistic_count + 1) * sizeof *rows);
    assert_true(start && duration && callpath && rows);
    int status = sp_file_read_statistics(file, 0, info->statistic_count, rows, err);
    for (uint64_t i = 0; status == 0 && i < info->event_block_count; i++) {
        status = sp_file_read_events(file, i, start, duration, callpath, err);
        for (uint64_t k = 0; status == 0 && k < sp_file_event_blocks(file)[i].event_count; k++)
            assert_in_range(callpath[k], 0, info->callpath_count - 1);
    }
    for (uint64_t i = 0; status == 0 && i < info->statistic_count; i++)
        assert_in_range(rows[i].callpath, 0, info->callpath_count - 1);
    free(start);
    free(duration);
    free(callpath);
    free(rows);
    sp_file_close(file);
    return status;
}
