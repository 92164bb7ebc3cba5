/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_registry.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LIMIT 65536u

struct entry {
    char *name;
    size_t name_bytes;
    uint64_t hash;
    int kind;
    int id; /* -1 filtered out */
};

struct sp_registry {
    pthread_mutex_t lock;
    struct sp_store *store;
    const char *include, *exclude;
    struct entry **table; /* open addressing */
    size_t table_size, entry_count;
    struct entry **by_id;
    int id_count;
    uint64_t communicator_count;
};

static uint64_t hash_name(const char *name, size_t bytes, int kind)
{
    uint64_t h = 0xcbf29ce484222325u ^ (uint64_t)kind;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ (unsigned char)name[i]) * 0x100000001b3u;
    return h;
}

/* Does the name match one of the comma-separated globs? "\," is a comma within one. */
static int matches_any(const char *globs, const char *name)
{
    char glob[512];
    size_t n = 0;
    for (const char *c = globs;; c++) {
        if (*c == ',' || *c == '\0') {
            glob[n] = '\0';
            if (n > 0 && fnmatch(glob, name, 0) == 0)
                return 1;
            n = 0;
            if (*c == '\0')
                return 0;
            continue;
        }
        if (c[0] == '\\' && c[1] == ',')
            c++;
        if (n < sizeof glob - 1)
            glob[n++] = *c;
    }
}

static int is_selected(const struct sp_registry *registry, const char *name)
{
    if (registry->include && !matches_any(registry->include, name))
        return 0;
    return !(registry->exclude && matches_any(registry->exclude, name));
}

static struct entry **find(const struct sp_registry *registry, const struct sp_region_key *key, uint64_t h)
{
    for (size_t i = h;; i++) {
        struct entry **place = &registry->table[i & (registry->table_size - 1)];
        const struct entry *e = *place;
        if (!e ||
            (e->hash == h && e->kind == key->kind && e->name_bytes == key->name_bytes && memcmp(e->name, key->name, key->name_bytes) == 0))
            return place;
    }
}

static int grow(struct sp_registry *registry)
{
    size_t size = registry->table_size ? registry->table_size * 2 : 256;
    struct entry **table = calloc(size, sizeof(struct entry *));
    struct entry **by_id = realloc(registry->by_id, size * sizeof(struct entry *));
    if (by_id)
        registry->by_id = by_id;
    if (!table || !by_id) {
        free(table);
        return -1;
    }
    for (size_t i = 0; i < registry->table_size; i++) {
        struct entry *e = registry->table[i];
        if (!e)
            continue;
        size_t at = e->hash & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = e;
    }
    free(registry->table);
    registry->table = table;
    registry->table_size = size;
    return 0;
}

static size_t length_of(const char *text)
{
    return text ? strnlen(text, NAME_LIMIT) : 0;
}

/* Appends the region's record to the store, so that whoever reads the spill file knows the id. */
static int publish(struct sp_registry *registry, const struct sp_region_key *key, int id)
{
    struct sp_spill_region record = {.kind = (uint16_t)key->kind, .group = (uint16_t)key->group, .line = key->line};
    record.name_bytes = (uint32_t)key->name_bytes;
    record.file_bytes = (uint32_t)length_of(key->file);
    record.tags_bytes = (uint32_t)length_of(key->tags);
    size_t bytes = sizeof record + record.name_bytes + record.file_bytes + record.tags_bytes;
    record.record_bytes = (uint32_t)((bytes + 7) / 8 * 8);
    char *buffer = calloc(1, record.record_bytes);
    if (!buffer)
        return -1;
    char *at = buffer;
    memcpy(at, &record, sizeof record);
    memcpy(at += sizeof record, key->name, record.name_bytes);
    at += record.name_bytes;
    if (key->file)
        memcpy(at, key->file, record.file_bytes);
    if (key->tags)
        memcpy(at + record.file_bytes, key->tags, record.tags_bytes);
    struct sp_spill_segment segment = {.type = SP_SEGMENT_REGIONS, .first = (uint64_t)id, .count = 1};
    int status = sp_store_append(registry->store, &segment, buffer, record.record_bytes);
    free(buffer);
    return status;
}

static struct entry *make_entry(const struct sp_region_key *key, uint64_t h)
{
    struct entry *e = calloc(1, sizeof *e);
    if (!e || !(e->name = malloc(key->name_bytes + 1))) {
        free(e);
        return NULL;
    }
    memcpy(e->name, key->name, key->name_bytes);
    e->name[key->name_bytes] = '\0';
    e->name_bytes = key->name_bytes;
    e->hash = h;
    e->kind = key->kind;
    e->id = -1;
    return e;
}

static int add(struct sp_registry *registry, const struct sp_region_key *key, uint64_t h)
{
    if (registry->entry_count >= registry->table_size / 2 && grow(registry) < 0)
        return -1;
    struct entry *e = make_entry(key, h);
    if (!e)
        return -1;
    if (is_selected(registry, e->name) && publish(registry, key, registry->id_count) == 0) {
        e->id = registry->id_count++;
        registry->by_id[e->id] = e;
    }
    *find(registry, key, h) = e;
    registry->entry_count++;
    return e->id;
}

int sp_registry_id(struct sp_registry *registry, const struct sp_region_key *key)
{
    if (key->name_bytes > NAME_LIMIT)
        return -1;
    uint64_t h = hash_name(key->name, key->name_bytes, key->kind);
    pthread_mutex_lock(&registry->lock);
    struct entry *known = *find(registry, key, h);
    int id = known ? known->id : add(registry, key, h);
    pthread_mutex_unlock(&registry->lock);
    return id;
}

const char *sp_registry_name(struct sp_registry *registry, int id)
{
    pthread_mutex_lock(&registry->lock);
    const char *name = id >= 0 && id < registry->id_count ? registry->by_id[id]->name : "?";
    pthread_mutex_unlock(&registry->lock);
    return name;
}

int sp_registry_append(struct sp_registry *registry, const struct sp_spill_segment *segment, const void *payload, size_t bytes)
{
    pthread_mutex_lock(&registry->lock);
    int status = sp_store_append(registry->store, segment, payload, bytes);
    pthread_mutex_unlock(&registry->lock);
    return status;
}

void sp_registry_append_communicator(struct sp_registry *registry, const void *record, size_t bytes)
{
    pthread_mutex_lock(&registry->lock);
    struct sp_spill_segment segment = {.type = SP_SEGMENT_COMMUNICATORS, .first = registry->communicator_count++, .count = 1};
    sp_store_append(registry->store, &segment, record, bytes);
    pthread_mutex_unlock(&registry->lock);
}

struct sp_registry *sp_registry_create(struct sp_store *store, const char *include, const char *exclude)
{
    struct sp_registry *registry = calloc(1, sizeof *registry);
    if (!registry)
        return NULL;
    pthread_mutex_init(&registry->lock, NULL);
    registry->store = store;
    registry->include = include;
    registry->exclude = exclude;
    if (grow(registry) < 0) {
        sp_registry_destroy(registry);
        return NULL;
    }
    return registry;
}

void sp_registry_destroy(struct sp_registry *registry)
{
    if (!registry)
        return;
    for (size_t i = 0; i < registry->table_size; i++) {
        struct entry *e = registry->table[i];
        if (e)
            free(e->name);
        free(e);
    }
    free(registry->table);
    free(registry->by_id);
    pthread_mutex_destroy(&registry->lock);
    free(registry);
}
