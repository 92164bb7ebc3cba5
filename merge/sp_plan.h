/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PLAN_H
#define SP_PLAN_H

/* The datasets of a file, with their sizes and layouts, before anything is written; and the empty file made from it. All Local. */

#include "sp_layout.h"
#include "sp_schema.h"

#define SP_DATASETS_MAX 64

struct sp_dataset {
    char name[48];                 /* "events/duration" */
    const struct sp_table *table;  /* compound rows; NULL: plain values */
    enum sp_type type;             /* of plain values */
    uint64_t rows;
    struct sp_layout layout;
    int is_checked;                /* has a row in /checksums */
};

struct sp_plan {
    struct sp_dataset datasets[SP_DATASETS_MAX];
    size_t count;
};

/* Rows of every table. */
struct sp_sizes {
    uint64_t metadata_bytes, string_bytes, hosts, ranks, lanes, regions, callpaths, communicators, members;
    uint64_t event_blocks, message_blocks, statistics, events, messages, histograms, traffic, message_sizes;
};

void sp_plan_make(struct sp_plan *plan, const struct sp_sizes *sizes, struct sp_compression compression);

/* NULL: there is none. */
const struct sp_dataset *sp_plan_find(const struct sp_plan *plan, const char *name);

size_t sp_dataset_row_bytes(const struct sp_dataset *dataset);

/* Bytes that may still be needed beyond the empty file: what compressed datasets can grow to. */
uint64_t sp_plan_growth(const struct sp_plan *plan);

struct sp_file_attributes {
    const char *creator, *trace, *clock_source;
    int64_t clock_error_ns;
};

/* Creates (or empties) the file with all its datasets, state "incomplete". */
int sp_plan_create(const struct sp_plan *plan, const struct sp_file_attributes *attributes, const char *path, struct sp_error *err);

#endif
