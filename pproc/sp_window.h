/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_WINDOW_H
#define SP_WINDOW_H

/* A part of a run: the calls in a window of time, and those that last long enough. What is in it is counted from the events, each
 * call clipped to the window. All Local. */

#include "scope_profiler_file.h"
#include "sp_options.h"

#include <stdbool.h>

struct sp_error;

struct sp_window {
    bool timed;                /* the user chose a window */
    int64_t begin_ns, end_ns;  /* the half-open interval [begin, end); INT64_MIN, INT64_MAX where it is open */
    int64_t min_duration_ns;   /* calls that last less, before they are clipped, are left out; 0: none */
};

/* Reads --time FROM:TO (seconds, either may be missing) and --min-duration (seconds). Returns -1 (usage) where they are none. Times are
 * relative to the run's origin yet: see sp_window_shift. */
int sp_window_parse(const struct sp_options *options, struct sp_window *window, struct sp_error *err);

/* The same window with its times counted from where origin_ns is 0. Pure. */
struct sp_window sp_window_shift(struct sp_window window, int64_t origin_ns);

/* Whether it leaves anything out: only then are events needed. Pure. */
bool sp_window_is_part(const struct sp_window *window);

/* Of a call the part in the window: *start_ns and *duration_ns are clipped. A call that is open when its lane ends (duration -1) is known
 * only where the window ends before the lane. Returns false where nothing of it counts. Pure. */
bool sp_window_clip(const struct sp_window *window, int64_t lane_end_ns, int64_t *start_ns, int64_t *duration_ns);

/* Whether the call counts: some of it is in the window, and it is long enough. Pure. */
bool sp_window_takes(const struct sp_window *window, int64_t lane_end_ns, int64_t start_ns, int64_t duration_ns);

/* What a lane did in the window, by call path. */
struct sp_window_row {
    struct sp_statistic of; /* self: time of the calls counted here less that of their direct children, counted or not */
    uint64_t all_calls;     /* those shorter than min_duration too */
    int64_t all_ns;
};

struct sp_window_reader;

/* *reader is NULL on failure. */
int sp_window_reader_create(
    struct sp_file *file, const struct sp_window *window, struct sp_window_reader **reader, struct sp_error *err);
void sp_window_reader_destroy(struct sp_window_reader *reader);

/* Counts a lane's events; blocks outside the window are not read. *rows are the reader's, until the next lane. */
int sp_window_read_lane(
    struct sp_window_reader *reader, int32_t lane, const struct sp_window_row **rows, size_t *count, struct sp_error *err);

/* Of the lanes read so far, where the first one's trace ends before the window does; INT64_MAX: none. */
int64_t sp_window_reach_ns(const struct sp_window_reader *reader);

#endif
