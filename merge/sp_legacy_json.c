/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON profile of scope-profiler, plain or compressed with gzip. */
#include "sp_legacy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define FORMAT "scope-profiler-profile"
#define VERSION 1
#define TEXT_LIMIT ((uint64_t)8 << 30) /* a small compressed file may unpack to anything */

static int read_int64(const json_t *value, int64_t *number)
{
    if (!json_is_integer(value))
        return -1;
    *number = json_integer_value(value);
    return 0;
}

/* Lanes of the calls, by their threads and tasks. */
static int place_calls(const json_t *item, int64_t rank, size_t first, size_t count, struct sp_legacy *legacy, struct sp_error *err)
{
    const json_t *threads = json_object_get(item, "thread_ids"), *tasks = json_object_get(item, "task_ids");
    for (size_t i = 0; i < count && (threads || tasks); i++) {
        int64_t thread = -1, task = -1;
        int32_t lane;
        read_int64(json_array_get(threads, i), &thread);
        read_int64(json_array_get(tasks, i), &task);
        if (sp_legacy_lane(legacy, rank, sp_legacy_lane_key(thread, task), &lane, err) < 0)
            return -1;
        legacy->calls[first + i].lane = lane;
    }
    return 0;
}

static int read_calls(const json_t *item, int64_t rank, int32_t region, struct sp_legacy *legacy, struct sp_error *err)
{
    const json_t *starts = json_object_get(item, "start_times_ns"), *ends = json_object_get(item, "end_times_ns");
    size_t count = json_array_size(starts), first = legacy->call_count;
    int32_t lane;
    if (!json_is_array(starts) || !json_is_array(ends) || json_array_size(ends) != count)
        return sp_legacy_damaged(legacy, err, "a region has not as many ends as starts");
    if (sp_legacy_lane(legacy, rank, SP_LEGACY_MAIN, &lane, err) < 0)
        return -1;
    struct sp_legacy_call *calls = sp_legacy_calls(legacy, lane, region, count, err);
    if (!calls)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (read_int64(json_array_get(starts, i), &calls[i].start) < 0 || read_int64(json_array_get(ends, i), &calls[i].end) < 0)
            return sp_legacy_damaged(legacy, err, "a time that is no integer");
    return place_calls(item, rank, first, count, legacy, err);
}

static int read_sum(const json_t *aggregate, int64_t rank, int32_t region, struct sp_legacy *legacy, struct sp_error *err)
{
    struct sp_legacy_sum sum = {.rank = (int32_t)rank, .region = region, .self = -1};
    int64_t count;
    if (read_int64(json_object_get(aggregate, "count"), &count) < 0 || count < 0 ||
        read_int64(json_object_get(aggregate, "total"), &sum.total) < 0 ||
        read_int64(json_object_get(aggregate, "minimum"), &sum.min) < 0 || read_int64(json_object_get(aggregate, "maximum"), &sum.max) < 0)
        return sp_legacy_damaged(legacy, err, "a region without its statistics");
    sum.calls = (uint64_t)count;
    return count == 0 ? 0 : sp_legacy_sum(legacy, &sum, err);
}

static int read_region(const json_t *item, struct sp_legacy *legacy, struct sp_error *err)
{
    const json_t *name = json_object_get(item, "name"), *aggregate = json_object_get(item, "aggregate");
    int64_t rank, line = -1;
    int32_t region;
    char *tags;
    if (!json_is_string(name) || read_int64(json_object_get(item, "rank"), &rank) < 0)
        return sp_legacy_damaged(legacy, err, "a region without name or rank");
    if (sp_legacy_rank(legacy, rank, err) < 0 ||
        sp_legacy_region(legacy, json_string_value(name), json_string_length(name), &region, err) < 0 ||
        sp_legacy_tags(legacy, json_object_get(item, "tags"), &tags, err) < 0)
        return -1;
    read_int64(json_object_get(item, "source_lineno"), &line);
    int status = sp_legacy_describe(legacy, region, json_string_value(json_object_get(item, "source_file")), line, tags, err);
    free(tags);
    if (status < 0)
        return -1;
    return json_is_object(aggregate) ? read_sum(aggregate, rank, region, legacy, err) : read_calls(item, rank, region, legacy, err);
}

/* Names of the threads that are lanes by now. */
static void name_threads(const json_t *root, struct sp_legacy *legacy)
{
    const json_t *threads = json_object_get(root, "threads");
    for (size_t i = 0; i < legacy->lane_count; i++) {
        struct sp_legacy_lane *lane = &legacy->lanes[i];
        char rank[16];
        size_t k;
        json_t *thread;
        snprintf(rank, sizeof rank, "%d", (int)lane->rank);
        json_array_foreach(json_object_get(threads, rank), k, thread)
        {
            int64_t index = -1;
            const char *name = json_string_value(json_object_get(thread, "name"));
            if (read_int64(json_object_get(thread, "index"), &index) == 0 && index == lane->key && name)
                snprintf(lane->name, sizeof lane->name, "%s", name);
        }
    }
}

int sp_legacy_json_parse(const json_t *root, struct sp_legacy *legacy, struct sp_error *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *regions = json_object_get(root, "regions");
    json_t *metadata = json_object_get(root, "metadata"), *item;
    int64_t version = 0, ranks;
    size_t i;
    if (!format || strcmp(format, FORMAT) != 0)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is JSON, but not a profile of scope-profiler", legacy->path);
    if (read_int64(json_object_get(root, "format_version"), &version) < 0 || version < 1)
        return sp_legacy_damaged(legacy, err, "no format version");
    if (version > VERSION)
        return sp_legacy_newer(legacy, "JSON format version", version, VERSION, err);
    if (!json_is_array(regions))
        return sp_legacy_damaged(legacy, err, "no regions");
    if (json_is_object(metadata))
        legacy->metadata = json_incref(metadata);
    if (read_int64(json_object_get(root, "num_ranks"), &ranks) == 0 && ranks > 0 && sp_legacy_rank(legacy, ranks - 1, err) < 0)
        return -1;
    json_array_foreach(regions, i, item) if (read_region(item, legacy, err) < 0) return -1;
    name_threads(root, legacy);
    snprintf(legacy->format, sizeof legacy->format, "scope-profiler JSON %d", (int)version);
    return 0;
}

static int is_gzip(const struct sp_legacy_source *source)
{
    return source->start[0] == 0x1f && source->start[1] == 0x8b;
}

/* An object, after white space. */
int sp_legacy_json_probe(const struct sp_legacy_source *source)
{
    size_t at = 0;
    while (at < sizeof source->start && source->start[at] && strchr(" \t\r\n", source->start[at]))
        at++;
    return is_gzip(source) || (at < sizeof source->start && source->start[at] == '{');
}

struct unpacking {
    gzFile in;
    uint64_t bytes;
    int failed;
};

static size_t unpack(void *buffer, size_t room, void *data)
{
    struct unpacking *unpacking = data;
    int got = gzread(unpacking->in, buffer, room < 1 << 20 ? (unsigned)room : 1 << 20);
    if (got < 0 || (unpacking->bytes += (uint64_t)got) > TEXT_LIMIT) {
        unpacking->failed = 1;
        return (size_t)-1;
    }
    return (size_t)got;
}

int sp_legacy_json_read(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err)
{
    struct unpacking unpacking = {.in = gzopen(source->path, "rb")};
    json_error_t reason;
    int zlib = Z_OK;
    if (!unpacking.in)
        return sp_fail_as(err, SP_EXIT_INPUT, "%s: cannot read", source->path);
    json_t *root = json_load_callback(unpack, &unpacking, JSON_ALLOW_NUL, &reason);
    gzerror(unpacking.in, &zlib);
    gzclose_r(unpacking.in);
    int status;
    if (unpacking.bytes > TEXT_LIMIT)
        status = sp_fail_as(err, SP_EXIT_CORRUPT, "%s: unpacks to more than 8 GiB", source->path);
    else if (unpacking.failed || (zlib != Z_OK && zlib != Z_STREAM_END))
        status = sp_legacy_damaged(legacy, err, "%s", is_gzip(source) ? "its compressed data" : "cannot be read");
    else if (!root)
        status = sp_legacy_damaged(legacy, err, "line %d, column %d: %s", reason.line, reason.column, reason.text);
    else
        status = sp_legacy_json_parse(root, legacy, err);
    json_decref(root);
    return status;
}
