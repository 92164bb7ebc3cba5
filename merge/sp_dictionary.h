/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_DICTIONARY_H
#define SP_DICTIONARY_H

/* What the processes of a run name in common: regions, call paths, communicators, hosts; each once, in order of first appearance.
 * Merging is associative, so the order does not depend on how ranks were spread over processes. All Local.
 * The functions that add return the row (that of the equal one where there is one already), or -1 without memory. */

#include "scope_profiler_format.h"

#include <stddef.h>

struct sp_dictionary;

struct sp_dictionary_region {
    const char *name, *file, *tags; /* bytes, not terminated */
    uint32_t name_bytes, file_bytes, tags_bytes;
    int32_t line, kind, group;
};

struct sp_dictionary_communicator {
    uint64_t identity, parent; /* parent 0: none */
    const char *name;
    uint32_t name_bytes;
    int32_t size;
    const int32_t *members;
    uint32_t member_count; /* 0: another says them */
};

/* Rows that the rows of a merged dictionary got. */
struct sp_dictionary_map {
    int32_t *regions, *callpaths, *communicators, *hosts;
};

/* The tables, as they go into the file. Owned by the dictionary, until it changes. */
struct sp_dictionary_tables {
    const struct sp_region_row *regions;
    const struct sp_callpath *callpaths;
    const struct sp_communicator *communicators;
    const struct sp_host *hosts;
    const int32_t *members;
    const char *strings;
    size_t region_count, callpath_count, communicator_count, host_count, member_count, string_bytes;
};

/* NULL without memory. */
struct sp_dictionary *sp_dictionary_create(void);
void sp_dictionary_destroy(struct sp_dictionary *dictionary);

/* A region is the same if name, kind and group are; the rest is taken from the first. */
int32_t sp_dictionary_add_region(struct sp_dictionary *dictionary, const struct sp_dictionary_region *region);

int32_t sp_dictionary_region_count(const struct sp_dictionary *dictionary);
/* The texts stay valid until the dictionary changes. */
void sp_dictionary_region_at(const struct sp_dictionary *dictionary, int32_t row, struct sp_dictionary_region *region);

/* Gives a region another name, file and line. Nothing may be added afterwards: it would not be found by the new name. -1 without
 * memory: only the line is changed. */
int sp_dictionary_rename_region(struct sp_dictionary *dictionary, int32_t row, const struct sp_dictionary_region *region);

/* parent: row of a call path, -1 none. */
int32_t sp_dictionary_add_callpath(struct sp_dictionary *dictionary, int32_t parent, int32_t region);

/* A communicator is the same if the identity is; name and members are taken from the first that has them. */
int32_t sp_dictionary_add_communicator(struct sp_dictionary *dictionary, const struct sp_dictionary_communicator *communicator);

int32_t sp_dictionary_add_host(struct sp_dictionary *dictionary, const char *name, const char *boot_id);

/* Adds all of other. map (may be NULL) gets arrays, freed by sp_dictionary_map_free. -1 without memory. */
int sp_dictionary_merge(struct sp_dictionary *into, const struct sp_dictionary *other, struct sp_dictionary_map *map);
void sp_dictionary_map_free(struct sp_dictionary_map *map);

/* As one block of bytes for another process of the run: malloc'ed, NULL without memory. And back. */
void *sp_dictionary_pack(const struct sp_dictionary *dictionary, size_t *bytes);
struct sp_dictionary *sp_dictionary_unpack(const void *packed, size_t bytes);

/* The tables in canonical form. -1 without memory. */
int sp_dictionary_tables(struct sp_dictionary *dictionary, struct sp_dictionary_tables *tables);

#endif
