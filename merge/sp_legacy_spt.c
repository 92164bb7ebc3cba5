/* SPDX-License-Identifier: BSD-3-Clause */
/* .spt, the trace of scope-profiler's native backend: numbers in the byte order of the machine that wrote it. */
#include "sp_legacy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 2

static const char magic[8] = {'S', 'C', 'O', 'P', 'E', 'P', 'R', 'F'};

/* Where the parsing stands. */
struct cursor {
    const unsigned char *at;
    size_t left;
    int swapped; /* written by a machine of the other byte order */
};

static int take_bytes(struct cursor *cursor, size_t count, const unsigned char **bytes)
{
    if (count > cursor->left)
        return -1;
    *bytes = cursor->at;
    cursor->at += count;
    cursor->left -= count;
    return 0;
}

static uint64_t number_of(const unsigned char *bytes, size_t count, int swapped)
{
    static const uint16_t probe = 1;
    int little = *(const unsigned char *)&probe == 1;
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[little != swapped ? count - 1 - i : i];
    return value;
}

static int take_int32(struct cursor *cursor, int32_t *value)
{
    const unsigned char *bytes;
    if (take_bytes(cursor, 4, &bytes) < 0)
        return -1;
    *value = (int32_t)(uint32_t)number_of(bytes, 4, cursor->swapped);
    return 0;
}

static int take_int64(struct cursor *cursor, int64_t *value)
{
    const unsigned char *bytes;
    if (take_bytes(cursor, 8, &bytes) < 0)
        return -1;
    *value = (int64_t)number_of(bytes, 8, cursor->swapped);
    return 0;
}

/* A length and so many bytes. */
static int take_text(struct cursor *cursor, const unsigned char **text, int32_t *length)
{
    if (take_int32(cursor, length) < 0 || *length < 0)
        return -1;
    return take_bytes(cursor, (size_t)*length, text);
}

static int take_source(struct cursor *cursor, struct sp_legacy *legacy, int32_t region, struct sp_error *err)
{
    const unsigned char *text;
    int32_t length, line;
    if (take_text(cursor, &text, &length) < 0 || take_int32(cursor, &line) < 0)
        return sp_legacy_damaged(legacy, err, "ends inside a region's source");
    char *file = strndup((const char *)text, (size_t)length);
    if (!file)
        return sp_fail(err, "%s: out of memory", legacy->path);
    int status = sp_legacy_describe(legacy, region, file, line, NULL, err);
    free(file);
    return status;
}

static int take_region(struct cursor *cursor, int version, int32_t lane, struct sp_legacy *legacy, struct sp_error *err)
{
    const unsigned char *name, *starts, *ends;
    int32_t length, region;
    int64_t calls;
    if (take_text(cursor, &name, &length) < 0)
        return sp_legacy_damaged(legacy, err, "ends inside a region's name");
    if (sp_legacy_region(legacy, (const char *)name, (size_t)length, &region, err) < 0 ||
        (version > 1 && take_source(cursor, legacy, region, err) < 0))
        return -1;
    if (take_int64(cursor, &calls) < 0 || calls < 0 || (uint64_t)calls > cursor->left / 16 ||
        take_bytes(cursor, (size_t)calls * 8, &starts) < 0 || take_bytes(cursor, (size_t)calls * 8, &ends) < 0)
        return sp_legacy_damaged(legacy, err, "ends inside the calls of a region");
    struct sp_legacy_call *call = sp_legacy_calls(legacy, lane, region, (size_t)calls, err);
    if (!call)
        return -1;
    for (int64_t i = 0; i < calls; i++, call++) {
        call->start = (int64_t)number_of(starts + 8 * i, 8, cursor->swapped);
        call->end = (int64_t)number_of(ends + 8 * i, 8, cursor->swapped);
    }
    return 0;
}

/* The version tells the byte order: a small number in one of the two. */
static int take_version(struct cursor *cursor, struct sp_legacy *legacy, int32_t *version, struct sp_error *err)
{
    struct cursor other = *cursor;
    int32_t swapped;
    other.swapped = 1;
    if (take_int32(cursor, version) < 0 || take_int32(&other, &swapped) < 0)
        return sp_legacy_damaged(legacy, err, "ends inside its header");
    if (swapped > 0 && (*version <= 0 || swapped < *version)) {
        *cursor = other;
        *version = swapped;
    }
    if (*version < 1)
        return sp_legacy_damaged(legacy, err, "version %d", (int)*version);
    return *version > VERSION ? sp_legacy_newer(legacy, "trace version", *version, VERSION, err) : 0;
}

int sp_legacy_spt_parse(const unsigned char *bytes, size_t count, struct sp_legacy *legacy, struct sp_error *err)
{
    struct cursor cursor = {bytes, count, 0};
    const unsigned char *start;
    int32_t version, rank, lane;
    int64_t regions;
    if (take_bytes(&cursor, sizeof magic, &start) < 0 || memcmp(start, magic, sizeof magic) != 0)
        return sp_legacy_damaged(legacy, err, "no .spt trace");
    if (take_version(&cursor, legacy, &version, err) < 0)
        return -1;
    if (take_int32(&cursor, &rank) < 0 || take_int64(&cursor, &regions) < 0)
        return sp_legacy_damaged(legacy, err, "ends inside its header");
    if (sp_legacy_lane(legacy, rank, SP_LEGACY_MAIN, &lane, err) < 0)
        return -1;
    if (regions < 0 || (uint64_t)regions > cursor.left / 12)
        return sp_legacy_damaged(legacy, err, "ends before its %lld regions", (long long)regions);
    for (int64_t i = 0; i < regions; i++)
        if (take_region(&cursor, version, lane, legacy, err) < 0)
            return -1;
    if (cursor.left > 0)
        return sp_legacy_damaged(legacy, err, "%zu bytes after the last region", cursor.left);
    snprintf(legacy->format, sizeof legacy->format, "scope-profiler trace %d", (int)version);
    return 0;
}

int sp_legacy_spt_probe(const struct sp_legacy_source *source)
{
    return memcmp(source->start, magic, sizeof magic) == 0;
}

int sp_legacy_spt_read(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err)
{
    size_t count = (size_t)source->bytes;
    unsigned char *bytes = malloc(count + 1);
    FILE *in = bytes ? fopen(source->path, "rb") : NULL;
    int status = -1;
    if (!bytes)
        sp_fail(err, "%s: out of memory", source->path);
    else if (!in)
        sp_fail_as(err, SP_EXIT_INPUT, "%s: %s", source->path, strerror(errno));
    else if (fread(bytes, 1, count, in) != count)
        sp_fail_as(err, SP_EXIT_INPUT, "%s: cannot read", source->path);
    else
        status = sp_legacy_spt_parse(bytes, count, legacy, err);
    if (in)
        fclose(in);
    free(bytes);
    return status;
}
