/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_legacy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sp_legacy_init(struct sp_legacy *legacy, const char *path)
{
    *legacy = (struct sp_legacy){.path = path};
}

void sp_legacy_free(struct sp_legacy *legacy)
{
    for (size_t i = 0; i < legacy->region_count; i++) {
        free(legacy->regions[i].name);
        free(legacy->regions[i].file);
        free(legacy->regions[i].tags);
    }
    free(legacy->regions);
    free(legacy->lanes);
    free(legacy->calls);
    free(legacy->sums);
    sp_index_free(&legacy->region_index);
    sp_index_free(&legacy->lane_index);
    json_decref(legacy->metadata);
    *legacy = (struct sp_legacy){0};
}

int sp_legacy_damaged(const struct sp_legacy *legacy, struct sp_error *err, const char *format, ...)
{
    char reason[300];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    H5Eclear2(H5E_DEFAULT);
    return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is damaged (%s)", legacy->path, reason);
}

int sp_legacy_newer(const struct sp_legacy *legacy, const char *what, int64_t version, int64_t known, struct sp_error *err)
{
    return sp_fail_as(err, SP_EXIT_COMBINE, "%s: is of %s %lld of scope-profiler, this program reads up to %lld: upgrade", legacy->path,
        what, (long long)version, (long long)known);
}

static int out_of_memory(const struct sp_legacy *legacy, struct sp_error *err)
{
    return sp_fail(err, "%s: out of memory", legacy->path);
}

/* Room for `more` items; *items may move. */
static int reserve(void **items, size_t item_bytes, size_t count, size_t *room, size_t more)
{
    if (more <= *room - count)
        return 0;
    size_t larger = *room + *room / 2 + 64;
    if (more > SIZE_MAX / item_bytes / 2 - count)
        return -1;
    larger = larger < count + more ? count + more : larger;
    void *moved = realloc(*items, larger * item_bytes);
    if (!moved)
        return -1;
    *items = moved;
    *room = larger;
    return 0;
}

struct text {
    const char *bytes;
    size_t count;
};

static int is_region(const void *table, int32_t row, const void *key)
{
    const struct sp_legacy_region *region = (const struct sp_legacy_region *)table + row;
    const struct text *name = key;
    return region->name_bytes == name->count && memcmp(region->name, name->bytes, name->count) == 0;
}

static char *copy_text(const char *text, size_t bytes)
{
    char *copy = malloc(bytes + 1);
    if (copy) {
        memcpy(copy, text, bytes);
        copy[bytes] = 0;
    }
    return copy;
}

int sp_legacy_region(struct sp_legacy *legacy, const char *name, size_t bytes, int32_t *region, struct sp_error *err)
{
    struct text key = {name, bytes};
    uint64_t hash = sp_hash_bytes(0, name, bytes);
    *region = sp_index_find(&legacy->region_index, hash, is_region, legacy->regions, &key);
    if (*region >= 0)
        return 0;
    if (bytes > UINT32_MAX || legacy->region_count >= INT32_MAX)
        return sp_legacy_damaged(legacy, err, "a region's name");
    if (reserve((void **)&legacy->regions, sizeof *legacy->regions, legacy->region_count, &legacy->region_room, 1) < 0)
        return out_of_memory(legacy, err);
    char *copy = copy_text(name, bytes);
    if (!copy || sp_index_add(&legacy->region_index, hash, (int32_t)legacy->region_count) < 0) {
        free(copy);
        return out_of_memory(legacy, err);
    }
    *region = (int32_t)legacy->region_count;
    legacy->regions[legacy->region_count++] = (struct sp_legacy_region){.name = copy, .name_bytes = bytes, .line = -1};
    return 0;
}

int sp_legacy_describe(struct sp_legacy *legacy, int32_t number, const char *file, int64_t line, const char *tags, struct sp_error *err)
{
    struct sp_legacy_region *region = &legacy->regions[number];
    if (file && *file && !region->file) {
        if (!(region->file = strdup(file)))
            return out_of_memory(legacy, err);
        region->line = line >= 0 && line <= INT32_MAX ? (int32_t)line : -1;
    }
    if (tags && *tags && !region->tags && !(region->tags = strdup(tags)))
        return out_of_memory(legacy, err);
    return 0;
}

int sp_legacy_rank(struct sp_legacy *legacy, int64_t rank, struct sp_error *err)
{
    if (rank < 0 || rank >= SP_LEGACY_RANKS)
        return sp_legacy_damaged(legacy, err, "rank %lld", (long long)rank);
    if (rank >= legacy->rank_count)
        legacy->rank_count = (int32_t)rank + 1;
    return 0;
}

int64_t sp_legacy_lane_key(int64_t thread, int64_t task)
{
    if (task >= 0 && task < SP_LEGACY_TASK)
        return SP_LEGACY_TASK + task;
    return thread > 0 && thread < SP_LEGACY_TASK ? thread : SP_LEGACY_MAIN;
}

static int is_lane(const void *table, int32_t row, const void *key)
{
    const struct sp_legacy_lane *lane = (const struct sp_legacy_lane *)table + row, *wanted = key;
    return lane->rank == wanted->rank && lane->key == wanted->key;
}

int sp_legacy_lane(struct sp_legacy *legacy, int64_t rank, int64_t key, int32_t *lane, struct sp_error *err)
{
    if (sp_legacy_rank(legacy, rank, err) < 0)
        return -1;
    struct sp_legacy_lane wanted = {.rank = (int32_t)rank, .key = key};
    uint64_t hash = sp_hash_number((uint64_t)rank, (uint64_t)key);
    *lane = sp_index_find(&legacy->lane_index, hash, is_lane, legacy->lanes, &wanted);
    if (*lane >= 0)
        return 0;
    if (legacy->lane_count >= INT32_MAX)
        return sp_legacy_damaged(legacy, err, "too many lanes");
    if (reserve((void **)&legacy->lanes, sizeof *legacy->lanes, legacy->lane_count, &legacy->lane_room, 1) < 0 ||
        sp_index_add(&legacy->lane_index, hash, (int32_t)legacy->lane_count) < 0)
        return out_of_memory(legacy, err);
    if (key == SP_LEGACY_MAIN)
        snprintf(wanted.name, sizeof wanted.name, "main");
    else
        snprintf(wanted.name, sizeof wanted.name, "%s %lld", key >= SP_LEGACY_TASK ? "task" : "thread",
            (long long)(key >= SP_LEGACY_TASK ? key - SP_LEGACY_TASK : key));
    *lane = (int32_t)legacy->lane_count;
    legacy->lanes[legacy->lane_count++] = wanted;
    return 0;
}

struct sp_legacy_call *sp_legacy_calls(struct sp_legacy *legacy, int32_t lane, int32_t region, size_t count, struct sp_error *err)
{
    if (reserve((void **)&legacy->calls, sizeof *legacy->calls, legacy->call_count, &legacy->call_room, count + 1) < 0) {
        out_of_memory(legacy, err);
        return NULL;
    }
    struct sp_legacy_call *calls = legacy->calls + legacy->call_count;
    for (size_t i = 0; i < count; i++)
        calls[i] = (struct sp_legacy_call){0, 0, region, lane};
    legacy->call_count += count;
    return calls;
}

int sp_legacy_sum(struct sp_legacy *legacy, const struct sp_legacy_sum *sum, struct sp_error *err)
{
    if (sum->total < 0 || sum->min > sum->max || sum->calls > INT64_MAX)
        return sp_legacy_damaged(legacy, err, "statistics of a region of rank %d", (int)sum->rank);
    if (reserve((void **)&legacy->sums, sizeof *legacy->sums, legacy->sum_count, &legacy->sum_room, 1) < 0)
        return out_of_memory(legacy, err);
    legacy->sums[legacy->sum_count++] = *sum;
    return 0;
}

json_t *sp_legacy_text(const char *text, size_t bytes)
{
    json_t *value = json_stringn(text, bytes);
    if (value)
        return value;
    char *plain = copy_text(text, bytes);
    for (size_t i = 0; plain && i < bytes; i++)
        if ((unsigned char)plain[i] >= 0x80)
            plain[i] = '?';
    value = plain ? json_stringn(plain, bytes) : NULL;
    free(plain);
    return value;
}

int sp_legacy_note(struct sp_legacy *legacy, const char *name, json_t *value, struct sp_error *err)
{
    if (!legacy->metadata)
        legacy->metadata = json_object();
    if (!value || json_object_set_new(legacy->metadata, name, value) < 0) {
        char plain[64];
        snprintf(plain, sizeof plain, "%s", name);
        return sp_legacy_damaged(legacy, err, "metadata %s", plain);
    }
    return 0;
}

int sp_legacy_tags(const struct sp_legacy *legacy, const json_t *list, char **tags, struct sp_error *err)
{
    size_t bytes = 0, index;
    json_t *tag;
    *tags = NULL;
    json_array_foreach(list, index, tag) bytes += json_string_length(tag) + 1;
    if (bytes == 0)
        return 0;
    char *to = *tags = malloc(bytes + 1);
    if (!to)
        return out_of_memory(legacy, err);
    json_array_foreach(list, index, tag)
    {
        if (!json_is_string(tag) || json_string_length(tag) == 0)
            continue;
        if (to > *tags)
            *to++ = ',';
        memcpy(to, json_string_value(tag), json_string_length(tag));
        to += json_string_length(tag);
    }
    *to = 0;
    return 0;
}
