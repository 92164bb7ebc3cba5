/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SCHEMA3_H
#define SP_SCHEMA3_H

/* Writes a file of the Python scope-profiler, schema 3: its index in rows as they come, its events in slices anywhere. Its texts are
 * of variable length, which cannot be written collectively, so one process writes all of it; nothing but what it is given is held in
 * memory. All Local. */

#include "sp_error.h"
#include "sp_stats.h"

#include <stddef.h>
#include <stdint.h>

struct sp_schema3;

/* What is fixed when the file is made. Texts are terminated and kept as bytes. */
struct sp_schema3_plan {
    const char *metadata; /* JSON object: texts, numbers and lists of texts become attributes of /metadata, the rest its JSON text */
    int sums_only;        /* the aggregate layout: no events */
    const char *const *region_names;
    uint64_t region_count;
    uint64_t row_count;   /* of /rank_region_index */
    uint64_t event_count;
    int has_threads;      /* events have thread_ids */
};

/* A region on a rank. stats: self is the exclusive total, squares are used for m2; last_end the end of the last call. */
struct sp_schema3_row {
    uint32_t region, rank;
    uint64_t event_offset;
    const char *source_file, *tags; /* tags: JSON list */
    int64_t source_line;            /* -1 unknown */
    int has_exclusive;
    int64_t end_maximum;
    struct sp_stats stats;
};

struct sp_schema3_thread {
    uint32_t rank;
    int64_t index, start_ns, end_ns;
    const char *name;
};

/* Makes the file, which must not be there. *file is NULL on failure. */
int sp_schema3_create(const char *path, const struct sp_schema3_plan *plan, struct sp_schema3 **file, struct sp_error *err);

/* Appends rows of the index; those of a rank together, ranks ascending. */
int sp_schema3_add_rows(struct sp_schema3 *file, const struct sp_schema3_row *rows, size_t count, struct sp_error *err);

/* Writes events [first, first + count): gap to the start before it in its row (of the first: the start), and duration. threads may be
 * NULL where there are none. */
int sp_schema3_write_events(struct sp_schema3 *file, uint64_t first, size_t count, const int64_t *start_deltas, const int64_t *durations,
    const int64_t *threads, struct sp_error *err);

int sp_schema3_write_threads(struct sp_schema3 *file, const struct sp_schema3_thread *threads, size_t count, struct sp_error *err);

/* Finishes the file; fails where it could not be written whole. Frees it in any case; NULL is fine. */
int sp_schema3_close(struct sp_schema3 *file, struct sp_error *err);

#endif
