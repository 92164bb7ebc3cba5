/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SCHEMA_H
#define SP_SCHEMA_H

/* The rows of scope_profiler_format.h as data: field lists for packing, reading and for HDF5 types. All Local. */

#include "scope_profiler_format.h"

#include <hdf5.h>
#include <stddef.h>

enum sp_type { SP_TYPE_INT32, SP_TYPE_UINT32, SP_TYPE_INT64, SP_TYPE_UINT64, SP_TYPE_UINT8, SP_TYPE_TEXT };

struct sp_field {
    const char *name;
    enum sp_type type;
    size_t bytes;  /* in memory and in the file */
    size_t offset; /* in the C struct */
    const char *meaning;
};

/* A compound dataset (name), or a group of columns (group name). */
struct sp_table {
    const char *name;
    size_t row_bytes; /* of the C struct */
    const struct sp_field *fields;
    size_t field_count;
};

extern const struct sp_table sp_table_hosts, sp_table_ranks, sp_table_lanes, sp_table_regions, sp_table_callpaths,
    sp_table_event_blocks, sp_table_message_blocks, sp_table_communicators, sp_table_histograms, sp_table_traffic,
    sp_table_message_sizes, sp_table_checksums;
extern const struct sp_table sp_columns_statistics, sp_columns_events, sp_columns_messages;

#define SP_COLUMNS_MAX 16 /* columns a group has at most */

/* Little-endian type in the file, and the native one in memory: constants of HDF5 for numbers, not to be closed. */
hid_t sp_schema_file_type(enum sp_type type);
hid_t sp_schema_memory_type(enum sp_type type);

/* Bytes of a row as it lies in the file: without gaps. */
size_t sp_schema_packed_bytes(const struct sp_table *table);

/* Compound type of the file; to be closed by H5Tclose. Negative on failure. */
hid_t sp_schema_compound(const struct sp_table *table);

/* Rows of C structs to rows as they lie in the file. */
void sp_schema_pack(const struct sp_table *table, const void *rows, size_t count, void *packed);

/* How to get the C structs out of rows of a file's type: checks that every field is there with its type. */
struct sp_unpacking {
    size_t row_bytes;
    size_t offsets[32]; /* in the file's row, by field */
};
int sp_schema_match(const struct sp_table *table, hid_t type, struct sp_unpacking *unpacking);
void sp_schema_unpack(const struct sp_table *table, const struct sp_unpacking *unpacking, const void *packed, size_t count, void *rows);

#endif
