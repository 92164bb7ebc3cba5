/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_LEGACY_H
#define SP_LEGACY_H

/* Files of the Python scope-profiler. They hold calls by rank and region; here they are collected, nested by containment and kept
 * in memory as the tables that files of ours have. A format is a row of the table in sp_legacy_formats.c. All Local. */

#include "sp_error.h"
#include "sp_index.h"
#include "sp_stats.h"

#include <hdf5.h>
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct sp_file;

/* A call, in clock readings of its host while it is collected; see struct sp_legacy_rows for afterwards. */
struct sp_legacy_call {
    int64_t start, end;
    int32_t region, lane;
};

/* Statistics of a region on a rank where the calls themselves are not kept. self: -1 unknown. */
struct sp_legacy_sum {
    int32_t rank, region;
    uint64_t calls;
    int64_t total, min, max, self;
};

struct sp_legacy_region {
    char *name, *file, *tags; /* file, tags: NULL where there are none */
    size_t name_bytes;
    int32_t line; /* -1 unknown */
    int64_t first_start, first_end; /* of the call that starts first, of several the longest */
};

struct sp_legacy_lane {
    int64_t key; /* SP_LEGACY_MAIN, a thread (>= 0), or a task (SP_LEGACY_TASK + its number) */
    int32_t rank;
    char name[32];
};

#define SP_LEGACY_MAIN (-1)
#define SP_LEGACY_TASK ((int64_t)1 << 40)
#define SP_LEGACY_RANKS (1 << 20) /* numbers of ranks are below this */

/* What a format's reader collects. */
struct sp_legacy {
    const char *path;
    char format[48]; /* "scope-profiler schema 3" */
    json_t *metadata; /* an object */
    int32_t rank_count;
    struct sp_legacy_region *regions;
    struct sp_legacy_lane *lanes;
    struct sp_legacy_call *calls;
    struct sp_legacy_sum *sums;
    size_t region_count, region_room, lane_count, lane_room, call_count, call_room, sum_count, sum_room;
    struct sp_index region_index, lane_index;
};

/* What the calls became: rows as the reader hands them out. */
struct sp_legacy_rows {
    struct sp_statistic *statistics;
    struct sp_legacy_call *events; /* start; end: the duration, -1 unknown; region: the call path */
};

void sp_legacy_init(struct sp_legacy *legacy, const char *path);
void sp_legacy_free(struct sp_legacy *legacy);

/* Fails with SP_EXIT_CORRUPT: "PATH: is damaged (REASON)". */
int sp_legacy_damaged(const struct sp_legacy *legacy, struct sp_error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Fails with SP_EXIT_COMBINE: a version that this program does not know yet. */
int sp_legacy_newer(const struct sp_legacy *legacy, const char *what, int64_t version, int64_t known, struct sp_error *err);

/* Number of the region of this name, made where there is none. */
int sp_legacy_region(struct sp_legacy *legacy, const char *name, size_t bytes, int32_t *region, struct sp_error *err);

/* Where a region stands in the source and its tags; what is known already stays. */
int sp_legacy_describe(struct sp_legacy *legacy, int32_t region, const char *file, int64_t line, const char *tags, struct sp_error *err);

/* Number of the lane, made where there is none. */
int sp_legacy_lane(struct sp_legacy *legacy, int64_t rank, int64_t key, int32_t *lane, struct sp_error *err);

/* Key of the lane of a call that says its thread and its task, each -1 where it does not. Thread 0 is the main one. */
int64_t sp_legacy_lane_key(int64_t thread, int64_t task);

/* Checks the number of a rank and counts it in. */
int sp_legacy_rank(struct sp_legacy *legacy, int64_t rank, struct sp_error *err);

/* Room for so many more calls of a region in a lane, their times to be filled in; NULL: memory, never because there are none. */
struct sp_legacy_call *sp_legacy_calls(struct sp_legacy *legacy, int32_t lane, int32_t region, size_t count, struct sp_error *err);

int sp_legacy_sum(struct sp_legacy *legacy, const struct sp_legacy_sum *sum, struct sp_error *err);

/* Metadata that is not valid UTF-8 is kept readable. */
int sp_legacy_note(struct sp_legacy *legacy, const char *name, json_t *value, struct sp_error *err);
json_t *sp_legacy_text(const char *text, size_t bytes);

/* Comma-separated from a JSON list of texts; *tags (to be freed) is NULL where there are none. */
int sp_legacy_tags(const struct sp_legacy *legacy, const json_t *list, char **tags, struct sp_error *err);

/* ---- formats ---- */

/* What a file looks like from outside: its first bytes, zeros beyond its end, and, if it is HDF5, opened. */
struct sp_legacy_source {
    const char *path;
    unsigned char start[16];
    int64_t bytes;
    hid_t file; /* negative: no HDF5 file */
};

int sp_legacy_spt_probe(const struct sp_legacy_source *source);
int sp_legacy_spt_read(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err);
int sp_legacy_json_probe(const struct sp_legacy_source *source);
int sp_legacy_json_read(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err);
int sp_legacy_columnar_probe(const struct sp_legacy_source *source);
int sp_legacy_columnar_read(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err);
int sp_legacy_groups_probe(const struct sp_legacy_source *source);
int sp_legacy_groups_read(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err);

/* The same from memory. */
int sp_legacy_spt_parse(const unsigned char *bytes, size_t count, struct sp_legacy *legacy, struct sp_error *err);
int sp_legacy_json_parse(const json_t *root, struct sp_legacy *legacy, struct sp_error *err);

/* ---- into a file ---- */

/* Reads a file of one of the formats into the tables of *file (path and file_bytes are set). */
int sp_legacy_open(const struct sp_legacy_source *source, struct sp_file *file, struct sp_error *err);

/* Makes tables of what was collected; takes the calls over. */
int sp_legacy_build(struct sp_legacy *legacy, struct sp_file *file, struct sp_error *err);

/* Frees what sp_legacy_build made. */
void sp_legacy_rows_free(struct sp_legacy_rows *rows);

/* The reader's functions for a file that is held in memory; ranges are checked. */
void sp_legacy_read_statistics(const struct sp_file *file, uint64_t first, size_t count, struct sp_statistic *rows);
void sp_legacy_read_events(const struct sp_file *file, uint64_t block, int64_t *start_ns, int64_t *duration_ns, int32_t *callpath);

#endif
