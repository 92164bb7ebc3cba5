/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_file_internal.h"
#include "sp_crc.h"
#include "sp_hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int sp_file_damaged(const struct sp_file *file, struct sp_error *err, const char *format, ...)
{
    char reason[300];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    H5Eclear2(H5E_DEFAULT);
    return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is damaged (%s)", file->path, reason);
}

/* Looks at the file without HDF5, which would wait for a FIFO's writer. */
static int look_at(const char *path, struct sp_legacy_source *source, struct sp_error *err)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return sp_fail_as(err, SP_EXIT_INPUT, "%s: %s", path, strerror(errno));
    int known = fstat(fd, &status);
    ssize_t got = known == 0 && S_ISREG(status.st_mode) ? read(fd, source->start, sizeof source->start) : 0;
    close(fd);
    if (known < 0 || got < 0)
        return sp_fail_as(err, SP_EXIT_INPUT, "%s: cannot read", path);
    if (S_ISDIR(status.st_mode))
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is a directory, not a run file", path);
    if (!S_ISREG(status.st_mode))
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is not a regular file", path);
    if (status.st_size == 0)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is empty", path);
    source->bytes = status.st_size;
    return 0;
}

static int is_hdf5_file(const struct sp_legacy_source *source)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    return memcmp(source->start, signature, sizeof signature) == 0;
}

/* Text of a fixed-length root attribute, cut to room - 1 bytes. -1: there is none like that. */
static int read_text(hid_t file, const char *name, char *text, size_t room)
{
    char buffer[512] = "";
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = -1, space = -1;
    int status = -1;
    if (attribute >= 0) {
        type = H5Aget_type(attribute);
        space = H5Aget_space(attribute);
    }
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tget_size(type) < sizeof buffer &&
        H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, buffer) >= 0) {
        snprintf(text, room, "%.*s", (int)room - 1, buffer);
        status = 0;
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
    return status;
}

static int read_number(hid_t file, const char *name, int64_t *value)
{
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = -1, space = -1;
    int status = -1;
    if (attribute >= 0) {
        type = H5Aget_type(attribute);
        space = H5Aget_space(attribute);
    }
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1 &&
        H5Aread(attribute, H5T_NATIVE_INT64, value) >= 0)
        status = 0;
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
    return status;
}

/* Position of the text in a list that ends with NULL, or -1. */
static int position(const char *text, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(text, list[i]) == 0)
            return i;
    return -1;
}

static int read_format(struct sp_file *file, struct sp_error *err)
{
    char format[64] = "";
    int64_t version = 0;
    if (read_text(file->file, "format", format, sizeof format) < 0 || strcmp(format, SP_FORMAT_NAME) != 0) {
        H5Eclear2(H5E_DEFAULT);
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is an HDF5 file, but not a run file of scope-profiler for MPI", file->path);
    }
    if (read_number(file->file, "format_version", &version) < 0 || version < 1)
        return sp_file_damaged(file, err, "no format version");
    if (version > SP_FORMAT_VERSION_NUMBER)
        return sp_fail_as(err, SP_EXIT_COMBINE, "%s: is of format version %lld, this program reads up to %d: upgrade", file->path,
            (long long)version, SP_FORMAT_VERSION_NUMBER);
    snprintf(file->format, sizeof file->format, "%s %d", SP_FORMAT_NAME, (int)version);
    file->info.has_checksums = 1;
    return 0;
}

static int read_attributes(struct sp_file *file, struct sp_error *err)
{
    static const char *const states[] = {"complete", "incomplete", "recovered", NULL};
    static const char *const traces[] = {"complete", "truncated", "off", NULL};
    char state[32] = "", trace[32] = "";
    if (read_format(file, err) < 0)
        return -1;
    if (read_text(file->file, "creator", file->creator, sizeof file->creator) < 0 ||
        read_text(file->file, "state", state, sizeof state) < 0 || read_text(file->file, "trace", trace, sizeof trace) < 0 ||
        read_text(file->file, "clock_source", file->clock_source, sizeof file->clock_source) < 0 ||
        read_number(file->file, "clock_error_ns", &file->info.clock_error_ns) < 0)
        return sp_file_damaged(file, err, "an attribute is missing");
    if (position(state, states) < 0 || position(trace, traces) < 0)
        return sp_file_damaged(file, err, "unknown state");
    file->info.state = (enum sp_file_state)position(state, states);
    file->info.trace = (enum sp_file_trace)position(trace, traces);
    if (file->info.state == SP_FILE_INCOMPLETE)
        return sp_fail_as(
            err, SP_EXIT_CORRUPT, "%s: its writer was interrupted: make it again from the spill files with sp-merge", file->path);
    return 0;
}

const struct sp_checksum *sp_file_checksum(const struct sp_file *file, const char *dataset)
{
    for (uint64_t i = 0; i < file->checksum_count; i++)
        if (strncmp(file->checksums[i].dataset, dataset, sizeof file->checksums[i].dataset) == 0)
            return &file->checksums[i];
    return NULL;
}

int64_t sp_file_dataset_rows(hid_t dataset)
{
    hsize_t rows = 0;
    hid_t space = H5Dget_space(dataset);
    if (space < 0)
        return -1;
    int64_t result = -1;
    if (H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &rows, NULL) == 1 && rows <= INT64_MAX)
        result = (int64_t)rows;
    H5Sclose(space);
    return result;
}

/* Whole dataset as its bytes lie in the file, malloc'ed with room for one more. *type is to be closed. */
static int read_bytes(
    struct sp_file *file, const char *name, void **bytes, uint64_t *rows, size_t *row_bytes, hid_t *type, struct sp_error *err)
{
    hid_t dataset = H5Dopen2(file->file, name, H5P_DEFAULT);
    int64_t count = dataset >= 0 ? sp_file_dataset_rows(dataset) : -1;
    int status = -1;
    *bytes = NULL;
    *type = dataset >= 0 ? H5Dget_type(dataset) : -1;
    *row_bytes = *type >= 0 ? H5Tget_size(*type) : 0;
    if (count < 0 || *row_bytes == 0 || (H5Tget_class(*type) != H5T_COMPOUND && H5Tget_class(*type) != H5T_INTEGER)) {
        sp_file_damaged(file, err, "no table %s", name);
    } else if ((uint64_t)count > (uint64_t)file->info.file_bytes / *row_bytes) {
        sp_file_damaged(file, err, "table %s is longer than the file", name);
    } else if (!(*bytes = malloc((size_t)count * *row_bytes + 1))) {
        sp_fail(err, "%s: out of memory for table %s", file->path, name);
    } else if (count > 0 && H5Dread(dataset, *type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *bytes) < 0) {
        sp_file_damaged(file, err, "cannot read %s", name);
    } else {
        *rows = (uint64_t)count;
        status = 0;
    }
    if (status < 0) {
        free(*bytes);
        *bytes = NULL;
    }
    if (dataset >= 0)
        H5Dclose(dataset);
    return status;
}

static int check_sum(const struct sp_file *file, const char *name, const void *bytes, uint64_t length, struct sp_error *err)
{
    const struct sp_checksum *sum = sp_file_checksum(file, name);
    if (!sum)
        return sp_file_damaged(file, err, "no checksum of %s", name);
    if (sum->bytes != length || sum->crc != sp_crc(0, bytes, (size_t)length))
        return sp_file_damaged(file, err, "checksum of %s", name);
    return 0;
}

void *sp_file_load_table(struct sp_file *file, const struct sp_table *table, uint64_t *count, struct sp_error *err)
{
    struct sp_unpacking unpacking;
    void *bytes, *rows = NULL;
    size_t row_bytes;
    hid_t type;
    int status = read_bytes(file, table->name, &bytes, count, &row_bytes, &type, err);
    if (status == 0 && file->checksums) /* not yet there while it is read itself */
        status = check_sum(file, table->name, bytes, *count * row_bytes, err);
    if (status == 0 && *count > INT32_MAX)
        status = sp_file_damaged(file, err, "table %s is too long", table->name);
    if (status == 0 && sp_schema_match(table, type, &unpacking) < 0)
        status = sp_file_damaged(file, err, "table %s has other columns", table->name);
    if (status == 0 && !(rows = malloc((size_t)*count * table->row_bytes + 1)))
        status = sp_fail(err, "%s: out of memory for table %s", file->path, table->name);
    if (status == 0)
        sp_schema_unpack(table, &unpacking, bytes, (size_t)*count, rows);
    if (type >= 0)
        H5Tclose(type);
    free(bytes);
    return rows;
}

/* Plain values of a type, malloc'ed, a zero byte after the last; NULL on failure. */
static void *load_values(struct sp_file *file, const char *name, enum sp_type value_type, uint64_t *count, struct sp_error *err)
{
    size_t value_bytes;
    hid_t type;
    void *values;
    int status = read_bytes(file, name, &values, count, &value_bytes, &type, err);
    if (status == 0 && H5Tequal(type, sp_schema_file_type(value_type)) <= 0)
        status = sp_file_damaged(file, err, "%s is of another type", name);
    if (status == 0)
        status = check_sum(file, name, values, *count * value_bytes, err);
    if (status == 0)
        ((char *)values)[*count * value_bytes] = 0;
    if (type >= 0)
        H5Tclose(type);
    if (status < 0) {
        free(values);
        return NULL;
    }
    return values;
}

static int name_regions(struct sp_file *file, struct sp_error *err)
{
    size_t count = (size_t)file->info.region_count;
    file->region_names = calloc(count + 1, sizeof *file->region_names);
    if (!file->region_names)
        return sp_fail(err, "%s: out of memory", file->path);
    for (size_t i = 0; i < count; i++) {
        const struct sp_region_row *region = &file->regions[i];
        file->region_names[i] = calloc((size_t)region->name_bytes + 1, 1);
        if (!file->region_names[i])
            return sp_fail(err, "%s: out of memory", file->path);
        memcpy(file->region_names[i], file->strings + region->name_offset, region->name_bytes);
    }
    return 0;
}

static int load_tables(struct sp_file *file, struct sp_error *err)
{
    struct sp_file_info *info = &file->info;
    uint64_t hosts, ranks, lanes, regions, callpaths, communicators, metadata_bytes;
    if (!(file->checksums = sp_file_load_table(file, &sp_table_checksums, &file->checksum_count, err)) ||
        !(file->metadata = load_values(file, "metadata", SP_TYPE_UINT8, &metadata_bytes, err)) ||
        !(file->strings = load_values(file, "strings", SP_TYPE_UINT8, &file->string_bytes, err)) ||
        !(file->members = load_values(file, "members", SP_TYPE_INT32, &file->member_count, err)) ||
        !(file->hosts = sp_file_load_table(file, &sp_table_hosts, &hosts, err)) ||
        !(file->ranks = sp_file_load_table(file, &sp_table_ranks, &ranks, err)) ||
        !(file->lanes = sp_file_load_table(file, &sp_table_lanes, &lanes, err)) ||
        !(file->regions = sp_file_load_table(file, &sp_table_regions, &regions, err)) ||
        !(file->callpaths = sp_file_load_table(file, &sp_table_callpaths, &callpaths, err)) ||
        !(file->communicators = sp_file_load_table(file, &sp_table_communicators, &communicators, err)) ||
        !(file->event_blocks = sp_file_load_table(file, &sp_table_event_blocks, &info->event_block_count, err)) ||
        !(file->message_blocks = sp_file_load_table(file, &sp_table_message_blocks, &file->message_block_count, err)))
        return -1;
    info->host_count = (int32_t)hosts;
    info->rank_count = (int32_t)ranks;
    info->lane_count = (int32_t)lanes;
    info->region_count = (int32_t)regions;
    info->callpath_count = (int32_t)callpaths;
    info->communicator_count = (int32_t)communicators;
    return 0;
}

static void count_rows(struct sp_file *file)
{
    for (int32_t i = 0; i < file->info.lane_count; i++) {
        file->info.event_count += file->lanes[i].event_count;
        file->info.message_count += file->lanes[i].message_count;
        file->info.statistic_count += file->lanes[i].statistic_count;
    }
}

/* A file of others is all read now; its HDF5 file need not stay open. */
static int open_foreign(struct sp_file *file, struct sp_legacy_source *source, struct sp_error *err)
{
    source->file = file->file;
    if (sp_legacy_open(source, file, err) < 0 || name_regions(file, err) < 0)
        return -1;
    if (file->file >= 0)
        H5Fclose(file->file);
    file->file = -1;
    return 0;
}

static int open_all(struct sp_file *file, struct sp_legacy_source *source, struct sp_error *err)
{
    sp_hdf5_init();
    if (!is_hdf5_file(source))
        return open_foreign(file, source, err);
    file->file = sp_hdf5_open(file->path, H5F_ACC_RDONLY);
    if (file->file < 0)
        return sp_hdf5_fail(err, SP_EXIT_CORRUPT, "%s: is truncated or damaged", file->path);
    if (H5Aexists(file->file, "format") <= 0)
        return open_foreign(file, source, err);
    if (read_attributes(file, err) < 0 || load_tables(file, err) < 0)
        return -1;
    count_rows(file);
    if (sp_file_count_keyed(file, err) < 0 || sp_file_check_tables(file, err) < 0 || name_regions(file, err) < 0)
        return -1;
    if (sp_file_open_columns(file, &file->statistics, &sp_columns_statistics, file->info.statistic_count, err) < 0 ||
        sp_file_open_columns(file, &file->events, &sp_columns_events, file->info.event_count, err) < 0 ||
        sp_file_open_columns(file, &file->messages, &sp_columns_messages, file->info.message_count, err) < 0)
        return -1;
    return 0;
}

int sp_file_open(const char *path, struct sp_file **out, struct sp_error *err)
{
    struct sp_legacy_source source = {.path = path, .file = -1};
    *out = NULL;
    if (look_at(path, &source, err) < 0)
        return -1;
    struct sp_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return sp_fail(err, "%s: out of memory", path);
    }
    file->file = -1;
    file->info.path = file->path;
    file->info.creator = file->creator;
    file->info.clock_source = file->clock_source;
    file->info.format = file->format;
    file->info.file_bytes = source.bytes;
    if (open_all(file, &source, err) < 0) {
        sp_file_close(file);
        return -1;
    }
    *out = file;
    return 0;
}

static void free_tables(struct sp_file *file)
{
    for (int32_t i = 0; file->region_names && i < file->info.region_count; i++)
        free(file->region_names[i]);
    free(file->region_names);
    free(file->metadata);
    free(file->strings);
    free(file->hosts);
    free(file->ranks);
    free(file->lanes);
    free(file->regions);
    free(file->callpaths);
    free(file->communicators);
    free(file->members);
    free(file->event_blocks);
    free(file->message_blocks);
    free(file->checksums);
    sp_file_free_keyed(file);
}

void sp_file_close(struct sp_file *file)
{
    if (!file)
        return;
    sp_file_close_columns(&file->statistics);
    sp_file_close_columns(&file->events);
    sp_file_close_columns(&file->messages);
    if (file->file >= 0)
        H5Fclose(file->file);
    sp_legacy_rows_free(file->legacy);
    free_tables(file);
    free(file->path);
    free(file);
}

const struct sp_file_info *sp_file_info(const struct sp_file *file)
{
    return &file->info;
}

const char *sp_file_metadata(const struct sp_file *file)
{
    return file->metadata;
}

const struct sp_host *sp_file_hosts(const struct sp_file *file)
{
    return file->hosts;
}

const struct sp_rank *sp_file_ranks(const struct sp_file *file)
{
    return file->ranks;
}

const struct sp_lane *sp_file_lanes(const struct sp_file *file)
{
    return file->lanes;
}

const struct sp_region_row *sp_file_regions(const struct sp_file *file)
{
    return file->regions;
}

const struct sp_callpath *sp_file_callpaths(const struct sp_file *file)
{
    return file->callpaths;
}

const struct sp_event_block *sp_file_event_blocks(const struct sp_file *file)
{
    return file->event_blocks;
}

const struct sp_communicator *sp_file_communicators(const struct sp_file *file)
{
    return file->communicators;
}

const int32_t *sp_file_members(const struct sp_file *file)
{
    return file->members;
}

const char *sp_file_strings(const struct sp_file *file)
{
    return file->strings;
}

const char *sp_file_region_name(const struct sp_file *file, int32_t region, size_t *bytes)
{
    if (bytes)
        *bytes = file->regions[region].name_bytes;
    return file->region_names[region];
}
