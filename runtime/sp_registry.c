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
    int has_file;
};

struct tag {
    char *name;
    struct tag *next;
};

struct sp_registry {
    pthread_mutex_t lock;
    struct sp_store *store;
    struct sp_registry_filter filter;
    struct tag *opt_in;
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

/* The next item of a comma-separated list, "\\," being a comma within one. 0 at its end. */
static int next_item(const char **list, char *item, size_t room)
{
    size_t n = 0;
    const char *c = *list;
    if (*c == '\0')
        return 0;
    for (; *c && *c != ','; c++) {
        if (c[0] == '\\' && c[1] == ',')
            c++;
        if (n < room - 1)
            item[n++] = *c;
    }
    item[n] = '\0';
    *list = *c ? c + 1 : c;
    return 1;
}

static int matches_any(const char *globs, const char *name)
{
    char glob[512];
    while (next_item(&globs, glob, sizeof glob))
        if (glob[0] && fnmatch(glob, name, 0) == 0)
            return 1;
    return 0;
}

static int is_opt_in(const struct sp_registry *registry, const char *name)
{
    for (const struct tag *tag = registry->opt_in; tag; tag = tag->next)
        if (strcmp(tag->name, name) == 0)
            return 1;
    return 0;
}

static int tags_allow(const struct sp_registry *registry, const char *tags)
{
    char tag[512];
    int is_wanted = registry->filter.tags == NULL;
    for (const char *rest = tags ? tags : ""; next_item(&rest, tag, sizeof tag);) {
        if (is_opt_in(registry, tag) && !(registry->filter.enabled_tags && matches_any(registry->filter.enabled_tags, tag)))
            return 0;
        is_wanted |= registry->filter.tags && matches_any(registry->filter.tags, tag);
    }
    return is_wanted;
}

static int is_selected(const struct sp_registry *registry, const char *name, const struct sp_region_key *key)
{
    const struct sp_registry_filter *filter = &registry->filter;
    if (filter->include && !matches_any(filter->include, name))
        return 0;
    if (filter->exclude && matches_any(filter->exclude, name))
        return 0;
    return key->kind != SP_REGION_USER || tags_allow(registry, key->tags);
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
    e->has_file = key->file != NULL;
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
    if (is_selected(registry, key->filtered_as ? key->filtered_as : e->name, key) && publish(registry, key, registry->id_count) == 0) {
        e->id = registry->id_count++;
        registry->by_id[e->id] = e;
    }
    *find(registry, key, h) = e;
    registry->entry_count++;
    return e->id;
}

/* A region that came without a file may get one later. */
static void add_file(struct sp_registry *registry, struct entry *e, const struct sp_region_key *key)
{
    if (e->id >= 0 && key->file && !e->has_file && publish(registry, key, e->id) == 0)
        e->has_file = 1;
}

int sp_registry_id(struct sp_registry *registry, const struct sp_region_key *key)
{
    if (key->name_bytes > NAME_LIMIT)
        return -1;
    uint64_t h = hash_name(key->name, key->name_bytes, key->kind);
    pthread_mutex_lock(&registry->lock);
    struct entry *known = *find(registry, key, h);
    int id = known ? known->id : add(registry, key, h);
    if (known)
        add_file(registry, known, key);
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

int sp_registry_count(struct sp_registry *registry)
{
    pthread_mutex_lock(&registry->lock);
    int count = registry->id_count;
    pthread_mutex_unlock(&registry->lock);
    return count;
}

void sp_registry_set_filter(struct sp_registry *registry, const struct sp_registry_filter *filter)
{
    pthread_mutex_lock(&registry->lock);
    registry->filter = *filter;
    pthread_mutex_unlock(&registry->lock);
}

int sp_registry_add_opt_in(struct sp_registry *registry, const char *name)
{
    int status = 0;
    pthread_mutex_lock(&registry->lock);
    if (!is_opt_in(registry, name)) {
        struct tag *tag = calloc(1, sizeof *tag);
        if (tag && (tag->name = strdup(name))) {
            tag->next = registry->opt_in;
            registry->opt_in = tag;
        } else {
            free(tag);
            status = -1;
        }
    }
    pthread_mutex_unlock(&registry->lock);
    return status;
}

int sp_registry_attach(struct sp_registry *registry, const char *path, struct sp_error *err)
{
    pthread_mutex_lock(&registry->lock);
    int status = sp_store_attach(registry->store, path, err);
    pthread_mutex_unlock(&registry->lock);
    return status;
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
    registry->filter.include = include;
    registry->filter.exclude = exclude;
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
    for (struct tag *tag = registry->opt_in, *next; tag; tag = next) {
        next = tag->next;
        free(tag->name);
        free(tag);
    }
    free(registry->table);
    free(registry->by_id);
    pthread_mutex_destroy(&registry->lock);
    free(registry);
}
