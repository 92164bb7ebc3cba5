/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_dictionary.h"
#include "sp_index.h"

#include <stdlib.h>
#include <string.h>

/* A growing array; item_bytes is the size of one. */
struct list {
    char *items;
    size_t count, room;
};

struct communicator {
    uint64_t identity, parent;
    size_t name_at, first_member;
    uint32_t name_bytes, member_count;
    int32_t size;
};

struct sp_dictionary {
    struct list regions;       /* struct sp_region_row, offsets into strings */
    struct list callpaths;     /* struct sp_callpath */
    struct list communicators; /* struct communicator */
    struct list hosts;         /* struct sp_host */
    struct list members;       /* int32_t */
    struct list strings;       /* bytes */
    struct sp_index region_index, callpath_index, communicator_index, host_index;
    /* canonical tables, made on demand */
    struct sp_region_row *region_rows;
    struct sp_communicator *communicator_rows;
    int32_t *member_rows;
    char *string_bytes;
};

/* Room for more items; their address or NULL. */
static void *list_extend(struct list *list, size_t item_bytes, size_t more)
{
    if (list->count + more > list->room || !list->items) {
        size_t room = 2 * list->room > list->count + more ? 2 * list->room : list->count + more + 16;
        char *items = realloc(list->items, room * item_bytes);
        if (!items)
            return NULL;
        list->items = items;
        list->room = room;
    }
    void *added = list->items + list->count * item_bytes;
    list->count += more;
    return added;
}

#define REGION(d, row) (&((struct sp_region_row *)(void *)(d)->regions.items)[row])
#define CALLPATH(d, row) (&((struct sp_callpath *)(void *)(d)->callpaths.items)[row])
#define COMMUNICATOR(d, row) (&((struct communicator *)(void *)(d)->communicators.items)[row])
#define HOST(d, row) (&((struct sp_host *)(void *)(d)->hosts.items)[row])

struct sp_dictionary *sp_dictionary_create(void)
{
    return calloc(1, sizeof(struct sp_dictionary));
}

static void forget_tables(struct sp_dictionary *d)
{
    free(d->region_rows);
    free(d->communicator_rows);
    free(d->member_rows);
    free(d->string_bytes);
    d->region_rows = NULL;
    d->communicator_rows = NULL;
    d->member_rows = NULL;
    d->string_bytes = NULL;
}

void sp_dictionary_destroy(struct sp_dictionary *d)
{
    if (!d)
        return;
    forget_tables(d);
    free(d->regions.items);
    free(d->callpaths.items);
    free(d->communicators.items);
    free(d->hosts.items);
    free(d->members.items);
    free(d->strings.items);
    sp_index_free(&d->region_index);
    sp_index_free(&d->callpath_index);
    sp_index_free(&d->communicator_index);
    sp_index_free(&d->host_index);
    free(d);
}

/* Offset of a copy of the text; -1 without memory. */
static int64_t add_text(struct sp_dictionary *d, const char *text, uint32_t bytes)
{
    size_t at = d->strings.count;
    char *copy = list_extend(&d->strings, 1, bytes);
    if (!copy)
        return -1;
    if (bytes > 0)
        memcpy(copy, text, bytes);
    return (int64_t)at;
}

static int region_equal(const void *table, int32_t row, const void *key)
{
    const struct sp_dictionary *d = table;
    const struct sp_dictionary_region *wanted = key;
    const struct sp_region_row *region = REGION(d, row);
    return region->kind == wanted->kind && region->group == wanted->group && region->name_bytes == wanted->name_bytes &&
        (wanted->name_bytes == 0 || memcmp(d->strings.items + region->name_offset, wanted->name, wanted->name_bytes) == 0);
}

int32_t sp_dictionary_add_region(struct sp_dictionary *d, const struct sp_dictionary_region *region)
{
    uint64_t hash = sp_hash_bytes((uint64_t)(uint32_t)region->kind << 32 | (uint32_t)region->group, region->name, region->name_bytes);
    int32_t row = sp_index_find(&d->region_index, hash, region_equal, d, region);
    if (row >= 0)
        return row;
    if (d->regions.count >= INT32_MAX)
        return -1;
    int64_t name = add_text(d, region->name, region->name_bytes);
    int64_t file = add_text(d, region->file, region->file_bytes);
    int64_t tags = add_text(d, region->tags, region->tags_bytes);
    struct sp_region_row *added = list_extend(&d->regions, sizeof *added, 1);
    if (name < 0 || file < 0 || tags < 0 || !added)
        return -1;
    *added = (struct sp_region_row){
        .name_offset = (uint64_t)name,
        .file_offset = (uint64_t)file,
        .tags_offset = (uint64_t)tags,
        .name_bytes = region->name_bytes,
        .file_bytes = region->file_bytes,
        .tags_bytes = region->tags_bytes,
        .line = region->line,
        .kind = region->kind,
        .group = region->group,
    };
    row = (int32_t)(d->regions.count - 1);
    return sp_index_add(&d->region_index, hash, row) < 0 ? -1 : row;
}

int32_t sp_dictionary_region_count(const struct sp_dictionary *d)
{
    return (int32_t)d->regions.count;
}

void sp_dictionary_region_at(const struct sp_dictionary *d, int32_t row, struct sp_dictionary_region *region)
{
    const struct sp_region_row *found = REGION(d, row);
    const char *strings = d->strings.items;
    *region = (struct sp_dictionary_region){
        .name = strings + found->name_offset,
        .file = strings + found->file_offset,
        .tags = strings + found->tags_offset,
        .name_bytes = found->name_bytes,
        .file_bytes = found->file_bytes,
        .tags_bytes = found->tags_bytes,
        .line = found->line,
        .kind = found->kind,
        .group = found->group,
    };
}

int sp_dictionary_rename_region(struct sp_dictionary *d, int32_t row, const struct sp_dictionary_region *region)
{
    struct sp_region_row *renamed = REGION(d, row);
    renamed->line = region->line;
    forget_tables(d);
    int64_t name = add_text(d, region->name, region->name_bytes);
    int64_t file = add_text(d, region->file, region->file_bytes);
    if (name < 0 || file < 0)
        return -1;
    renamed->name_offset = (uint64_t)name;
    renamed->name_bytes = region->name_bytes;
    renamed->file_offset = (uint64_t)file;
    renamed->file_bytes = region->file_bytes;
    return 0;
}

static int callpath_equal(const void *table, int32_t row, const void *key)
{
    const struct sp_callpath *callpath = CALLPATH((const struct sp_dictionary *)table, row), *wanted = key;
    return callpath->parent == wanted->parent && callpath->region == wanted->region;
}

int32_t sp_dictionary_add_callpath(struct sp_dictionary *d, int32_t parent, int32_t region)
{
    struct sp_callpath key = {.parent = parent, .region = region};
    uint64_t hash = sp_hash_number((uint32_t)parent, (uint32_t)region);
    int32_t row = sp_index_find(&d->callpath_index, hash, callpath_equal, d, &key);
    if (row >= 0)
        return row;
    if (d->callpaths.count >= INT32_MAX)
        return -1;
    key.depth = parent < 0 ? 0 : CALLPATH(d, parent)->depth + 1;
    struct sp_callpath *added = list_extend(&d->callpaths, sizeof *added, 1);
    if (!added)
        return -1;
    *added = key;
    row = (int32_t)(d->callpaths.count - 1);
    return sp_index_add(&d->callpath_index, hash, row) < 0 ? -1 : row;
}

static int communicator_equal(const void *table, int32_t row, const void *key)
{
    return COMMUNICATOR((const struct sp_dictionary *)table, row)->identity == *(const uint64_t *)key;
}

static int set_name(struct sp_dictionary *d, int32_t row, const char *name, uint32_t bytes)
{
    int64_t at = add_text(d, name, bytes);
    if (at < 0)
        return -1;
    COMMUNICATOR(d, row)->name_at = (size_t)at;
    COMMUNICATOR(d, row)->name_bytes = bytes;
    return 0;
}

static int set_members(struct sp_dictionary *d, int32_t row, const int32_t *members, uint32_t count)
{
    size_t first = d->members.count;
    int32_t *copy = list_extend(&d->members, sizeof *copy, count);
    if (!copy)
        return -1;
    memcpy(copy, members, count * sizeof *copy);
    COMMUNICATOR(d, row)->first_member = first;
    COMMUNICATOR(d, row)->member_count = count;
    return 0;
}

int32_t sp_dictionary_add_communicator(struct sp_dictionary *d, const struct sp_dictionary_communicator *communicator)
{
    uint64_t hash = sp_hash_number(0, communicator->identity);
    int32_t row = sp_index_find(&d->communicator_index, hash, communicator_equal, d, &communicator->identity);
    if (row < 0) {
        if (d->communicators.count >= INT32_MAX)
            return -1;
        struct communicator *added = list_extend(&d->communicators, sizeof *added, 1);
        if (!added)
            return -1;
        *added = (struct communicator){.identity = communicator->identity, .parent = communicator->parent, .size = communicator->size};
        row = (int32_t)(d->communicators.count - 1);
        if (sp_index_add(&d->communicator_index, hash, row) < 0)
            return -1;
    }
    if (COMMUNICATOR(d, row)->name_bytes == 0 && communicator->name_bytes > 0 &&
        set_name(d, row, communicator->name, communicator->name_bytes) < 0)
        return -1;
    if (COMMUNICATOR(d, row)->member_count == 0 && communicator->member_count > 0 &&
        set_members(d, row, communicator->members, communicator->member_count) < 0)
        return -1;
    return row;
}

static int host_equal(const void *table, int32_t row, const void *key)
{
    return memcmp(HOST((const struct sp_dictionary *)table, row), key, sizeof(struct sp_host)) == 0;
}

static int32_t add_host(struct sp_dictionary *d, const struct sp_host *host)
{
    uint64_t hash = sp_hash_bytes(0, host, sizeof *host);
    int32_t row = sp_index_find(&d->host_index, hash, host_equal, d, host);
    if (row >= 0)
        return row;
    struct sp_host *added = list_extend(&d->hosts, sizeof *added, 1);
    if (!added)
        return -1;
    *added = *host;
    row = (int32_t)(d->hosts.count - 1);
    return sp_index_add(&d->host_index, hash, row) < 0 ? -1 : row;
}

int32_t sp_dictionary_add_host(struct sp_dictionary *d, const char *name, const char *boot_id)
{
    struct sp_host host = {0};
    memcpy(host.name, name, strnlen(name, sizeof host.name));
    memcpy(host.boot_id, boot_id, strnlen(boot_id, sizeof host.boot_id));
    return add_host(d, &host);
}

static int merge_regions(struct sp_dictionary *into, const struct sp_dictionary *other, int32_t *map)
{
    struct sp_dictionary_region region;
    for (size_t i = 0; i < other->regions.count; i++) {
        sp_dictionary_region_at(other, (int32_t)i, &region);
        if ((map[i] = sp_dictionary_add_region(into, &region)) < 0)
            return -1;
    }
    return 0;
}

static int merge_callpaths(struct sp_dictionary *into, const struct sp_dictionary *other, const int32_t *regions, int32_t *map)
{
    for (size_t i = 0; i < other->callpaths.count; i++) {
        const struct sp_callpath *row = CALLPATH(other, i);
        map[i] = sp_dictionary_add_callpath(into, row->parent < 0 ? -1 : map[row->parent], regions[row->region]);
        if (map[i] < 0)
            return -1;
    }
    return 0;
}

static int merge_communicators(struct sp_dictionary *into, const struct sp_dictionary *other, int32_t *map)
{
    for (size_t i = 0; i < other->communicators.count; i++) {
        const struct communicator *row = COMMUNICATOR(other, i);
        struct sp_dictionary_communicator communicator = {
            .identity = row->identity,
            .parent = row->parent,
            .size = row->size,
            .name = other->strings.items + row->name_at,
            .name_bytes = row->name_bytes,
            .members = (const int32_t *)(const void *)other->members.items + row->first_member,
            .member_count = row->member_count,
        };
        if ((map[i] = sp_dictionary_add_communicator(into, &communicator)) < 0)
            return -1;
    }
    return 0;
}

static int merge_hosts(struct sp_dictionary *into, const struct sp_dictionary *other, int32_t *map)
{
    for (size_t i = 0; i < other->hosts.count; i++)
        if ((map[i] = add_host(into, HOST(other, i))) < 0)
            return -1;
    return 0;
}

int sp_dictionary_merge(struct sp_dictionary *into, const struct sp_dictionary *other, struct sp_dictionary_map *map)
{
    struct sp_dictionary_map rows = {
        .regions = calloc(other->regions.count + 1, sizeof(int32_t)),
        .callpaths = calloc(other->callpaths.count + 1, sizeof(int32_t)),
        .communicators = calloc(other->communicators.count + 1, sizeof(int32_t)),
        .hosts = calloc(other->hosts.count + 1, sizeof(int32_t)),
    };
    int status = -1;
    forget_tables(into);
    if (rows.regions && rows.callpaths && rows.communicators && rows.hosts && merge_regions(into, other, rows.regions) == 0 &&
        merge_callpaths(into, other, rows.regions, rows.callpaths) == 0 && merge_communicators(into, other, rows.communicators) == 0 &&
        merge_hosts(into, other, rows.hosts) == 0)
        status = 0;
    if (map && status == 0)
        *map = rows;
    else
        sp_dictionary_map_free(&rows);
    return status;
}

void sp_dictionary_map_free(struct sp_dictionary_map *map)
{
    free(map->regions);
    free(map->callpaths);
    free(map->communicators);
    free(map->hosts);
    memset(map, 0, sizeof *map);
}

/* The lists that make up a packed dictionary, with the size of an item. */
#define PACKED_LISTS 6

static struct list *packed_list(struct sp_dictionary *d, int i, size_t *item_bytes)
{
    static const size_t sizes[PACKED_LISTS] = {
        sizeof(struct sp_region_row), sizeof(struct sp_callpath), sizeof(struct communicator), sizeof(struct sp_host), sizeof(int32_t), 1};
    struct list *lists[PACKED_LISTS] = {&d->regions, &d->callpaths, &d->communicators, &d->hosts, &d->members, &d->strings};
    *item_bytes = sizes[i];
    return lists[i];
}

void *sp_dictionary_pack(const struct sp_dictionary *dictionary, size_t *bytes)
{
    struct sp_dictionary *d = (struct sp_dictionary *)(uintptr_t)dictionary; /* only read */
    uint64_t counts[PACKED_LISTS];
    size_t item_bytes, total = sizeof counts;
    for (int i = 0; i < PACKED_LISTS; i++) {
        counts[i] = packed_list(d, i, &item_bytes)->count;
        total += (size_t)counts[i] * item_bytes;
    }
    char *packed = malloc(total), *at = packed;
    if (!packed)
        return NULL;
    memcpy(at, counts, sizeof counts);
    at += sizeof counts;
    for (int i = 0; i < PACKED_LISTS; i++) {
        struct list *list = packed_list(d, i, &item_bytes);
        if (list->count > 0)
            memcpy(at, list->items, list->count * item_bytes);
        at += list->count * item_bytes;
    }
    *bytes = total;
    return packed;
}

/* Copies the lists; the index is made by merging it into an empty dictionary. */
static int unpack_lists(struct sp_dictionary *d, const char *at, size_t bytes)
{
    uint64_t counts[PACKED_LISTS];
    size_t item_bytes;
    if (bytes < sizeof counts)
        return -1;
    memcpy(counts, at, sizeof counts);
    at += sizeof counts;
    bytes -= sizeof counts;
    for (int i = 0; i < PACKED_LISTS; i++) {
        struct list *list = packed_list(d, i, &item_bytes);
        if (counts[i] > bytes / item_bytes)
            return -1;
        void *items = list_extend(list, item_bytes, (size_t)counts[i]);
        if (!items)
            return -1;
        memcpy(items, at, (size_t)counts[i] * item_bytes);
        at += counts[i] * item_bytes;
        bytes -= (size_t)counts[i] * item_bytes;
    }
    return 0;
}

struct sp_dictionary *sp_dictionary_unpack(const void *packed, size_t bytes)
{
    struct sp_dictionary *plain = sp_dictionary_create(), *indexed = sp_dictionary_create();
    if (!plain || !indexed || unpack_lists(plain, packed, bytes) < 0 || sp_dictionary_merge(indexed, plain, NULL) < 0) {
        sp_dictionary_destroy(indexed);
        indexed = NULL;
    }
    sp_dictionary_destroy(plain);
    return indexed;
}

/* Copies a text to the canonical strings and returns its offset there. */
static uint64_t place_text(const struct sp_dictionary *d, size_t *end, uint64_t from, uint32_t bytes)
{
    uint64_t at = *end;
    if (bytes > 0)
        memcpy(d->string_bytes + at, d->strings.items + from, bytes);
    *end += bytes;
    return at;
}

static void place_regions(struct sp_dictionary *d, size_t *end)
{
    for (size_t i = 0; i < d->regions.count; i++) {
        struct sp_region_row *row = &d->region_rows[i];
        *row = *REGION(d, i);
        row->name_offset = place_text(d, end, row->name_offset, row->name_bytes);
        row->file_offset = place_text(d, end, row->file_offset, row->file_bytes);
        row->tags_offset = place_text(d, end, row->tags_offset, row->tags_bytes);
    }
}

static size_t place_communicators(struct sp_dictionary *d, size_t *end)
{
    size_t members = 0;
    for (size_t i = 0; i < d->communicators.count; i++) {
        const struct communicator *c = COMMUNICATOR(d, i);
        uint64_t hash = sp_hash_number(0, c->parent);
        d->communicator_rows[i] = (struct sp_communicator){
            .identity = c->identity,
            .size = c->size,
            .parent = c->parent ? sp_index_find(&d->communicator_index, hash, communicator_equal, d, &c->parent) : -1,
            .name_offset = place_text(d, end, c->name_at, c->name_bytes),
            .name_bytes = c->name_bytes,
            .first_member = members,
            .member_count = c->member_count,
        };
        if (c->member_count > 0)
            memcpy(d->member_rows + members, (const int32_t *)(const void *)d->members.items + c->first_member,
                c->member_count * sizeof(int32_t));
        members += c->member_count;
    }
    return members;
}

int sp_dictionary_tables(struct sp_dictionary *d, struct sp_dictionary_tables *tables)
{
    size_t string_bytes = 0, members;
    forget_tables(d);
    d->region_rows = calloc(d->regions.count + 1, sizeof *d->region_rows);
    d->communicator_rows = calloc(d->communicators.count + 1, sizeof *d->communicator_rows);
    d->member_rows = calloc(d->members.count + 1, sizeof *d->member_rows);
    d->string_bytes = calloc(d->strings.count + 1, 1);
    if (!d->region_rows || !d->communicator_rows || !d->member_rows || !d->string_bytes)
        return -1;
    place_regions(d, &string_bytes);
    members = place_communicators(d, &string_bytes);
    *tables = (struct sp_dictionary_tables){
        .regions = d->region_rows,
        .callpaths = (const void *)d->callpaths.items,
        .communicators = d->communicator_rows,
        .hosts = (const void *)d->hosts.items,
        .members = d->member_rows,
        .strings = d->string_bytes,
        .region_count = d->regions.count,
        .callpath_count = d->callpaths.count,
        .communicator_count = d->communicators.count,
        .host_count = d->hosts.count,
        .member_count = members,
        .string_bytes = string_bytes,
    };
    return 0;
}
