/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCOPE_PROFILER_FILE_H
#define SCOPE_PROFILER_FILE_H

/* Reading run files, and those of the Python scope-profiler (HDF5 of schema 1 to 3 and of the aggregate layout, .spt, JSON also
 * compressed with gzip), which are read into memory when they are opened. Everything here is Local: no MPI call; processes that
 * share the work each open the file and read their slices. One file is not for several threads at once. Functions return 0, or -1
 * with the reason in err (NULL: not wanted). Pointers returned stay valid until the file is closed and are owned by it. */

#include "scope_profiler_format.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

struct sp_error;
struct sp_file;

/* An error for the functions below to fill: one line of text, and the exit status that fits: 3 input missing or unreadable, 4 not
 * ours, corrupt or truncated, 5 of a newer format, 70 internal (memory). NULL without memory. */
struct sp_error *sp_file_error_create(void);
const char *sp_file_error_text(const struct sp_error *err);
int sp_file_error_code(const struct sp_error *err);
void sp_file_error_destroy(struct sp_error *err);

enum sp_file_state { SP_FILE_COMPLETE, SP_FILE_INCOMPLETE, SP_FILE_RECOVERED };
enum sp_file_trace { SP_TRACE_COMPLETE, SP_TRACE_TRUNCATED, SP_TRACE_OFF };

struct sp_file_info {
    const char *path;       /* as opened */
    const char *format;     /* "scope-profiler-mpi 1", "scope-profiler schema 3" */
    const char *creator;    /* who wrote it, "scope-profiler-mpi 0.1.0" */
    enum sp_file_state state;
    enum sp_file_trace trace;
    const char *clock_source; /* "tsc", "monotonic", "cntvct" */
    int64_t clock_error_ns; /* bound; -1 unknown */
    int64_t file_bytes;
    int32_t host_count, rank_count, lane_count, region_count, callpath_count, communicator_count;
    uint64_t statistic_count, event_count, message_count, event_block_count;
    uint64_t histogram_count, traffic_count, message_size_count; /* 0 also in files that have no such table */
    uint64_t overlap_count;  /* calls that overlap another one partially and stand beside it; only in foreign files */
    uint64_t backward_count; /* calls that end before they start, given as still open; only in foreign files */
    int sums_only;          /* statistics without squares, first, last and times: the aggregate layout */
    int has_checksums;      /* everything read is compared with checksums */
};

/* Opens a run file for reading and loads its small tables, checking their checksums. *file is NULL on failure. Never blocks. */
int sp_file_open(const char *path, struct sp_file **file, struct sp_error *err);
void sp_file_close(struct sp_file *file);

const struct sp_file_info *sp_file_info(const struct sp_file *file);

/* The run's metadata, a JSON object as text. */
const char *sp_file_metadata(const struct sp_file *file);

/* Whole tables, the counts stand in sp_file_info. */
const struct sp_host *sp_file_hosts(const struct sp_file *file);
const struct sp_rank *sp_file_ranks(const struct sp_file *file);
const struct sp_lane *sp_file_lanes(const struct sp_file *file);
const struct sp_region_row *sp_file_regions(const struct sp_file *file);
const struct sp_callpath *sp_file_callpaths(const struct sp_file *file);
const struct sp_event_block *sp_file_event_blocks(const struct sp_file *file);
const struct sp_communicator *sp_file_communicators(const struct sp_file *file);

/* /members (global ranks) and /strings (bytes), which rows of /communicators and /regions are slices of. */
const int32_t *sp_file_members(const struct sp_file *file);
const char *sp_file_strings(const struct sp_file *file);

/* Name of a region; not zero-terminated bytes are possible, so with its length. Terminated by a zero for convenience. */
const char *sp_file_region_name(const struct sp_file *file, int32_t region, size_t *bytes);

/* Whole tables that are read when they are first asked for, and checked; NULL with the reason in err on failure. */
const struct sp_histogram *sp_file_histograms(struct sp_file *file, struct sp_error *err);
const struct sp_traffic_row *sp_file_traffic(struct sp_file *file, struct sp_error *err);
const struct sp_message_size *sp_file_message_sizes(struct sp_file *file, struct sp_error *err);

/* Rows [first, first + count) of /statistics. */
int sp_file_read_statistics(struct sp_file *file, uint64_t first, size_t count, struct sp_statistic *rows, struct sp_error *err);

/* The events of one block (see sp_file_event_blocks), as absolute starts. The arrays hold event_count entries each; any may be
 * NULL. The checksums are compared. */
int sp_file_read_events(struct sp_file *file, uint64_t block, int64_t *start_ns, int64_t *duration_ns, int32_t *callpath,
    struct sp_error *err);

/* Rows [first, first + count) of /messages. */
int sp_file_read_messages(struct sp_file *file, uint64_t first, size_t count, struct sp_message *rows, struct sp_error *err);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
