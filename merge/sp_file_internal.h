/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_FILE_INTERNAL_H
#define SP_FILE_INTERNAL_H

/* What the parts of the reader share. */

#include "scope_profiler_file.h"
#include "sp_error.h"
#include "sp_legacy.h"
#include "sp_schema.h"

/* A group of columns, its datasets opened when they are first read. */
struct sp_file_columns {
    const struct sp_table *kind;
    hid_t datasets[SP_COLUMNS_MAX];
    uint64_t rows;
};

struct sp_file {
    char *path;
    hid_t file;
    struct sp_file_info info;
    char creator[64], clock_source[16], format[48];

    char *metadata, *strings;
    struct sp_host *hosts;
    struct sp_rank *ranks;
    struct sp_lane *lanes;
    struct sp_region_row *regions;
    struct sp_callpath *callpaths;
    struct sp_communicator *communicators;
    int32_t *members;
    struct sp_event_block *event_blocks;
    struct sp_message_block *message_blocks;
    struct sp_checksum *checksums;
    uint64_t string_bytes, member_count, message_block_count, checksum_count;
    char **region_names; /* terminated copies */

    void *histograms, *traffic, *message_sizes; /* rows of the tables by key; NULL: not asked for yet */

    struct sp_file_columns statistics, events, messages;
    int statistics_are_checked;
    struct sp_legacy_rows *legacy; /* a file of the Python scope-profiler, held in memory; NULL: one of ours */
};

/* Fails with SP_EXIT_CORRUPT: "PATH: is damaged (REASON)". */
int sp_file_damaged(const struct sp_file *file, struct sp_error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Checksum row of a dataset; NULL: none. */
const struct sp_checksum *sp_file_checksum(const struct sp_file *file, const char *dataset);

/* A compound table as C structs, malloc'ed, its checksum compared; NULL on failure. */
void *sp_file_load_table(struct sp_file *file, const struct sp_table *table, uint64_t *count, struct sp_error *err);

/* Number of rows of a one-dimensional dataset, or -1. */
int64_t sp_file_dataset_rows(hid_t dataset);

/* Rows of the tables by key into file->info, without reading them. */
int sp_file_count_keyed(struct sp_file *file, struct sp_error *err);
void sp_file_free_keyed(struct sp_file *file);

/* Opens the columns of a group and checks types and lengths (rows: what the tables say). */
int sp_file_open_columns(struct sp_file *file, struct sp_file_columns *columns, const struct sp_table *kind, uint64_t rows, struct sp_error *err);
void sp_file_close_columns(struct sp_file_columns *columns);

/* Whether the tables fit together: what callers use as an index is one. */
int sp_file_check_tables(const struct sp_file *file, struct sp_error *err);

#endif
