/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_rank_calls.h"

#include "sp_error.h"

#include <stdbool.h>
#include <stdlib.h>

/* Where the reading of a lane stands. */
struct cursor {
    uint64_t block, end_block; /* the block in memory, the first one behind the lane */
    uint64_t at, count;        /* in that block */
    int64_t *start_ns, *duration_ns;
    int32_t *callpath;
};

struct sp_rank_calls {
    struct sp_file *file;
    int32_t first_lane, lane_count;
    struct cursor *cursors;
};

/* First row whose key is at least wanted, of rows in order of their keys. */
static uint64_t lower_bound(
    uint64_t count, int32_t wanted, int32_t (*key)(const struct sp_file *file, uint64_t row), const struct sp_file *file)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (key(file, middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int32_t rank_of_lane(const struct sp_file *file, uint64_t row)
{
    return sp_file_lanes(file)[row].rank;
}

static int32_t lane_of_block(const struct sp_file *file, uint64_t row)
{
    return sp_file_event_blocks(file)[row].lane;
}

void sp_rank_lanes(struct sp_file *file, int32_t rank, int32_t *first, int32_t *end)
{
    uint64_t count = (uint64_t)sp_file_info(file)->lane_count;
    *first = (int32_t)lower_bound(count, rank, rank_of_lane, file);
    *end = (int32_t)lower_bound(count, rank + 1, rank_of_lane, file);
}

/* Of two that start together the longer was entered first. */
static bool is_before(const struct cursor *a, const struct cursor *b)
{
    int64_t start = a->start_ns[a->at], other = b->start_ns[b->at];
    return start < other || (start == other && (uint64_t)a->duration_ns[a->at] > (uint64_t)b->duration_ns[b->at]); /* open: longest */
}

static int load_block(struct sp_rank_calls *calls, struct cursor *cursor, struct sp_error *err)
{
    cursor->at = cursor->count = 0;
    if (cursor->block == cursor->end_block)
        return 0;
    if (sp_file_read_events(calls->file, cursor->block, cursor->start_ns, cursor->duration_ns, cursor->callpath, err))
        return -1;
    cursor->count = sp_file_event_blocks(calls->file)[cursor->block].event_count;
    return 0;
}

static int open_cursor(struct sp_rank_calls *calls, int32_t lane, struct cursor *cursor, struct sp_error *err)
{
    uint64_t blocks = sp_file_info(calls->file)->event_block_count, most = sp_file_lanes(calls->file)[lane].event_count;
    most = most < 65536 ? most : 65536;
    cursor->block = lower_bound(blocks, lane, lane_of_block, calls->file);
    cursor->end_block = lower_bound(blocks, lane + 1, lane_of_block, calls->file);
    cursor->start_ns = malloc(most * sizeof *cursor->start_ns + 1);
    cursor->duration_ns = malloc(most * sizeof *cursor->duration_ns + 1);
    cursor->callpath = malloc(most * sizeof *cursor->callpath + 1);
    if (!cursor->start_ns || !cursor->duration_ns || !cursor->callpath)
        return sp_fail(err, "out of memory");
    return load_block(calls, cursor, err);
}

int sp_rank_calls_open(struct sp_file *file, int32_t rank, struct sp_rank_calls **out, struct sp_error *err)
{
    int32_t first, end;
    *out = NULL;
    sp_rank_lanes(file, rank, &first, &end);
    struct sp_rank_calls *calls = calloc(1, sizeof *calls);
    if (!calls)
        return sp_fail(err, "out of memory");
    *calls = (struct sp_rank_calls){file, first, end - first, calloc((size_t)(end - first) + 1, sizeof *calls->cursors)};
    if (!calls->cursors) {
        sp_fail(err, "out of memory");
        goto fail;
    }
    for (int32_t i = 0; i < calls->lane_count; i++)
        if (open_cursor(calls, first + i, &calls->cursors[i], err))
            goto fail;
    *out = calls;
    return 0;
fail:
    sp_rank_calls_close(calls);
    return -1;
}

void sp_rank_calls_close(struct sp_rank_calls *calls)
{
    if (!calls)
        return;
    for (int32_t i = 0; calls->cursors && i < calls->lane_count; i++) {
        free(calls->cursors[i].start_ns);
        free(calls->cursors[i].duration_ns);
        free(calls->cursors[i].callpath);
    }
    free(calls->cursors);
    free(calls);
}

int sp_rank_calls_next(struct sp_rank_calls *calls, struct sp_rank_call *call, struct sp_error *err)
{
    struct cursor *next = NULL;
    int32_t lane = 0;
    for (int32_t i = 0; i < calls->lane_count; i++) {
        struct cursor *cursor = &calls->cursors[i];
        if (cursor->at < cursor->count && (!next || is_before(cursor, next))) {
            next = cursor;
            lane = calls->first_lane + i;
        }
    }
    if (!next)
        return 0;
    uint64_t at = next->at++;
    *call = (struct sp_rank_call){lane, next->callpath[at], sp_file_event_blocks(calls->file)[next->block].first_event + at,
        next->start_ns[at], next->duration_ns[at]};
    if (next->at < next->count)
        return 1;
    next->block++;
    return load_block(calls, next, err) ? -1 : 1;
}
