/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_REGISTRY_H
#define SP_REGISTRY_H

/* The regions of the process: a name (any bytes) with its kind becomes a dense id, once. Any thread. All Local. */

#include "sp_store.h"

struct sp_registry;

struct sp_region_key {
    const char *name;
    size_t name_bytes;
    const char *file; /* NULL unknown */
    const char *filtered_as; /* name that the globs are for, NULL: name */
    const char *tags; /* comma-separated, NULL none */
    int line;         /* -1 unknown */
    int kind;         /* enum sp_region_kind */
    int group;        /* enum sp_group */
};

/* Regions are appended to the store as they come; comma-separated globs decide which are recorded (NULL: all). */
struct sp_registry *sp_registry_create(struct sp_store *store, const char *include, const char *exclude);
void sp_registry_destroy(struct sp_registry *registry);

/* The same globs, and globs on tags: of user regions, tags keeps those that have one of these (NULL: all), and enabled_tags those
 * whose tags are opt-in. The texts stay the caller's. Concerns regions that come afterwards. */
struct sp_registry_filter {
    const char *include, *exclude, *tags, *enabled_tags;
};
void sp_registry_set_filter(struct sp_registry *registry, const struct sp_registry_filter *filter);

/* From now on the tag is opt-in. -1 without memory. */
int sp_registry_add_opt_in(struct sp_registry *registry, const char *tag);

/* Id (>= 0) of the region, or -1 where it is filtered out, memory is short or the name is longer than 64 KiB. A file that was not
 * known before is added. */
int sp_registry_id(struct sp_registry *registry, const struct sp_region_key *key);

/* Name of an id, zero-terminated; "?" for one that does not exist. */
const char *sp_registry_name(struct sp_registry *registry, int id);

/* Ids are below this. */
int sp_registry_count(struct sp_registry *registry);

/* Appends a communicator's record (sp_spill.h) to the same store; ids count from 0 in the order of appending. */
void sp_registry_append_communicator(struct sp_registry *registry, const void *record, size_t bytes);

/* Moves the store into a new file (sp_store_attach), while other threads may append. */
int sp_registry_attach(struct sp_registry *registry, const char *path, struct sp_error *err);

/* Appends a segment of another kind to the same store. */
int sp_registry_append(struct sp_registry *registry, const struct sp_spill_segment *segment, const void *payload, size_t bytes);

#endif
