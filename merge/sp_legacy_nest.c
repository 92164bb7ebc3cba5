/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_legacy_nest.h"

#include <stdlib.h>
#include <string.h>

/* A call that is open. */
struct sp_legacy_frame {
    int64_t start, end;
    int64_t covered_ns, covered_end; /* by direct children; overlapping ones count once */
    int32_t callpath;
};

static int out_of_memory(const struct sp_legacy_nest *nest, struct sp_error *err)
{
    return sp_fail(err, "%s: out of memory", nest->path);
}

/* *items of so many bytes, with room for one more; new room is zeroed. */
static int grow(void **items, size_t item_bytes, size_t count, size_t *room)
{
    if (count < *room)
        return 0;
    size_t larger = 2 * *room + 64;
    char *moved = realloc(*items, larger * item_bytes);
    if (!moved)
        return -1;
    memset(moved + *room * item_bytes, 0, (larger - *room) * item_bytes);
    *items = moved;
    *room = larger;
    return 0;
}

static int is_callpath(const void *table, int32_t row, const void *key)
{
    const struct sp_callpath *path = (const struct sp_callpath *)table + row, *wanted = key;
    return path->parent == wanted->parent && path->region == wanted->region;
}

static int find_callpath(struct sp_legacy_nest *nest, int32_t parent, int32_t region, int32_t *callpath, struct sp_error *err)
{
    struct sp_callpath wanted = {.parent = parent, .region = region, .depth = parent < 0 ? 0 : nest->callpaths[parent].depth + 1};
    uint64_t hash = sp_hash_number((uint64_t)parent, (uint64_t)region);
    *callpath = sp_index_find(&nest->index, hash, is_callpath, nest->callpaths, &wanted);
    if (*callpath >= 0)
        return 0;
    if (nest->callpath_count >= INT32_MAX ||
        grow((void **)&nest->callpaths, sizeof *nest->callpaths, nest->callpath_count, &nest->callpath_room) < 0 ||
        sp_index_add(&nest->index, hash, (int32_t)nest->callpath_count) < 0)
        return out_of_memory(nest, err);
    *callpath = (int32_t)nest->callpath_count;
    nest->callpaths[nest->callpath_count++] = wanted;
    return 0;
}

/* Room for statistics of every call path there is. */
static int follow_callpaths(struct sp_legacy_nest *nest, struct sp_error *err)
{
    size_t room = nest->callpath_room;
    if (room <= nest->stats_room)
        return 0;
    struct sp_stats *stats = realloc(nest->stats, room * sizeof *stats);
    if (stats)
        nest->stats = stats;
    int32_t *touched = realloc(nest->touched, room * sizeof *touched);
    if (touched)
        nest->touched = touched;
    if (!stats || !touched)
        return out_of_memory(nest, err);
    memset(stats + nest->stats_room, 0, (room - nest->stats_room) * sizeof *stats);
    nest->stats_room = room;
    return 0;
}

static struct sp_stats *stats_of(struct sp_legacy_nest *nest, int32_t callpath)
{
    struct sp_stats *stats = &nest->stats[callpath];
    if (stats->calls == 0)
        nest->touched[nest->touched_count++] = callpath;
    return stats;
}

static void pop(struct sp_legacy_nest *nest)
{
    const struct sp_legacy_frame *frame = &nest->stack[--nest->depth];
    int64_t duration = frame->end - frame->start;
    sp_stats_add(stats_of(nest, frame->callpath), frame->start, duration, duration - frame->covered_ns);
}

static int is_over(const struct sp_legacy_frame *frame, int64_t now)
{
    return frame->end > frame->start ? frame->end <= now : frame->end < now;
}

static void cover(struct sp_legacy_frame *outer, const struct sp_legacy_call *call)
{
    int64_t from = call->start > outer->covered_end ? call->start : outer->covered_end;
    if (call->end > from) {
        outer->covered_ns += call->end - from;
        outer->covered_end = call->end;
    }
}

static int push(struct sp_legacy_nest *nest, struct sp_legacy_call *call, struct sp_error *err)
{
    size_t parent = nest->depth;
    int32_t callpath;
    while (parent > 0 && nest->stack[parent - 1].end < call->end)
        parent--;
    /* what is over lies below an overlapping call that is not */
    nest->overlap_count += parent < nest->depth;
    struct sp_legacy_frame *outer = parent > 0 ? &nest->stack[parent - 1] : NULL;
    if (find_callpath(nest, outer ? outer->callpath : -1, call->region, &callpath, err) < 0 || follow_callpaths(nest, err) < 0)
        return -1;
    call->region = callpath;
    if (call->end < call->start) {
        nest->backward_count++;
        call->end = -1;
        return 0;
    }
    if (outer)
        cover(outer, call);
    if (grow((void **)&nest->stack, sizeof *nest->stack, nest->depth, &nest->stack_room) < 0)
        return out_of_memory(nest, err);
    nest->stack[nest->depth++] = (struct sp_legacy_frame){call->start, call->end, 0, call->start, callpath};
    call->end -= call->start;
    return 0;
}

static int compare_calls(const void *a, const void *b)
{
    const struct sp_legacy_call *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

int sp_legacy_nest_lane(struct sp_legacy_nest *nest, struct sp_legacy_call *calls, size_t count, struct sp_error *err)
{
    nest->depth = 0;
    if (count > 0)
        qsort(calls, count, sizeof *calls, compare_calls);
    for (size_t i = 0; i < count; i++) {
        while (nest->depth > 0 && is_over(&nest->stack[nest->depth - 1], calls[i].start))
            pop(nest);
        if (push(nest, &calls[i], err) < 0)
            return -1;
    }
    while (nest->depth > 0)
        pop(nest);
    return 0;
}

int sp_legacy_nest_sum(struct sp_legacy_nest *nest, const struct sp_legacy_sum *sum, struct sp_error *err)
{
    int32_t callpath;
    if (find_callpath(nest, -1, sum->region, &callpath, err) < 0 || follow_callpaths(nest, err) < 0)
        return -1;
    struct sp_stats *stats = stats_of(nest, callpath);
    struct sp_stats more = {
        .calls = sum->calls, .total = sum->total, .self = sum->self < 0 ? sum->total : sum->self, .min = sum->min, .max = sum->max};
    sp_stats_merge(stats, &more);
    return 0;
}

static int compare_numbers(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

int sp_legacy_nest_end_lane(struct sp_legacy_nest *nest, int32_t lane, struct sp_error *err)
{
    if (nest->touched_count > 0)
        qsort(nest->touched, nest->touched_count, sizeof *nest->touched, compare_numbers);
    for (size_t i = 0; i < nest->touched_count; i++) {
        struct sp_stats *stats = &nest->stats[nest->touched[i]];
        if (grow((void **)&nest->statistics, sizeof *nest->statistics, nest->statistic_count, &nest->statistic_room) < 0)
            return out_of_memory(nest, err);
        nest->statistics[nest->statistic_count++] = (struct sp_statistic){.lane = lane,
            .callpath = nest->touched[i],
            .calls = stats->calls,
            .total_ns = stats->total,
            .self_ns = stats->self,
            .min_ns = stats->min,
            .max_ns = stats->max,
            .first_ns = stats->first,
            .last_ns = stats->last,
            .first_start_ns = stats->first_start,
            .last_end_ns = stats->last_end,
            .squares_low = stats->squares_low,
            .squares_high = stats->squares_high};
        memset(stats, 0, sizeof *stats);
    }
    nest->touched_count = 0;
    return 0;
}

void sp_legacy_nest_free(struct sp_legacy_nest *nest)
{
    free(nest->callpaths);
    free(nest->statistics);
    free(nest->stats);
    free(nest->touched);
    free(nest->stack);
    sp_index_free(&nest->index);
    memset(nest, 0, sizeof *nest);
}
