/* SPDX-License-Identifier: BSD-3-Clause */
/* From collected calls to the tables that files of ours have. */
#include "sp_legacy_nest.h"
#include "sp_file_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_EVENTS 65536

/* What the whole of it looks like. */
struct extent {
    int64_t origin;       /* reading that becomes 0 */
    int64_t finalize_end; /* relative; -1 unknown */
    int starts_at_origin; /* the start of the run is known */
};

static int out_of_memory(const struct sp_legacy *legacy, struct sp_error *err)
{
    return sp_fail(err, "%s: out of memory", legacy->path);
}

static void widen(int64_t value, int64_t *min, int64_t *max)
{
    *min = value < *min ? value : *min;
    *max = value > *max ? value : *max;
}

/* Whether all readings from min to max fit in an int64 relative to origin. */
static int spans(int64_t origin, int64_t min, int64_t max)
{
    int64_t low = origin < min ? origin : min, high = origin > max ? origin : max;
    return (uint64_t)high - (uint64_t)low <= INT64_MAX;
}

static int measure(const struct sp_legacy *legacy, struct extent *extent, struct sp_error *err)
{
    const json_t *start = json_object_get(legacy->metadata, "start_time_ns"), *end = json_object_get(legacy->metadata, "finalize_time_ns");
    int64_t min = INT64_MAX, max = INT64_MIN, first = INT64_MAX;
    for (size_t i = 0; i < legacy->call_count; i++) {
        widen(legacy->calls[i].start, &min, &max);
        widen(legacy->calls[i].end, &min, &max);
        first = legacy->calls[i].start < first ? legacy->calls[i].start : first;
    }
    *extent = (struct extent){.origin = first, .finalize_end = -1};
    if (legacy->call_count == 0)
        min = max = extent->origin = json_is_integer(start) ? json_integer_value(start) : 0;
    if (!spans(extent->origin, min, max))
        return sp_legacy_damaged(legacy, err, "its times are centuries apart");
    if (!json_is_integer(start) || !spans(json_integer_value(start), min, max))
        return 0;
    extent->origin = json_integer_value(start);
    extent->starts_at_origin = 1;
    if (json_is_integer(end) && json_integer_value(end) >= extent->origin && spans(extent->origin, extent->origin, json_integer_value(end)))
        extent->finalize_end = json_integer_value(end) - extent->origin;
    return 0;
}

static void make_relative(struct sp_legacy *legacy, int64_t origin)
{
    for (size_t i = 0; i < legacy->region_count; i++)
        legacy->regions[i].first_start = INT64_MAX;
    for (size_t i = 0; i < legacy->call_count; i++) {
        struct sp_legacy_call *call = &legacy->calls[i];
        call->start = (int64_t)((uint64_t)call->start - (uint64_t)origin);
        call->end = (int64_t)((uint64_t)call->end - (uint64_t)origin);
        struct sp_legacy_region *region = &legacy->regions[call->region];
        if (call->start < region->first_start || (call->start == region->first_start && call->end > region->first_end)) {
            region->first_start = call->start;
            region->first_end = call->end;
        }
    }
}

/* What is sorted, with the number it had. */
struct order {
    int64_t first, second;
    int32_t number;
};

static int compare_orders(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->second != y->second)
        return x->second < y->second ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Puts rows in that order; new_number[old] is malloc'ed. */
static int32_t *put_in_order(struct order *order, size_t count, void *rows, size_t row_bytes)
{
    char *copy = malloc(count * row_bytes + 1);
    int32_t *new_number = malloc((count + 1) * sizeof *new_number);
    if (!copy || !new_number) {
        free(copy);
        free(new_number);
        return NULL;
    }
    if (count > 0) {
        qsort(order, count, sizeof *order, compare_orders);
        memcpy(copy, rows, count * row_bytes);
    }
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)rows + i * row_bytes, copy + (size_t)order[i].number * row_bytes, row_bytes);
        new_number[order[i].number] = (int32_t)i;
    }
    free(copy);
    return new_number;
}

/* Regions by their first start, outer ones first, lanes by rank, the main one first. */
static int renumber(struct sp_legacy *legacy, struct sp_error *err)
{
    size_t most = legacy->region_count > legacy->lane_count ? legacy->region_count : legacy->lane_count;
    struct order *order = malloc((most + 1) * sizeof *order);
    int32_t *regions = NULL, *lanes = NULL;
    for (size_t i = 0; order && i < legacy->region_count; i++)
        order[i] = (struct order){legacy->regions[i].first_start, ~legacy->regions[i].first_end, (int32_t)i}; /* the longer is first */
    if (order)
        regions = put_in_order(order, legacy->region_count, legacy->regions, sizeof *legacy->regions);
    for (size_t i = 0; order && i < legacy->lane_count; i++)
        order[i] = (struct order){legacy->lanes[i].rank, legacy->lanes[i].key, (int32_t)i};
    if (regions)
        lanes = put_in_order(order, legacy->lane_count, legacy->lanes, sizeof *legacy->lanes);
    for (size_t i = 0; lanes && i < legacy->call_count; i++) {
        legacy->calls[i].region = regions[legacy->calls[i].region];
        legacy->calls[i].lane = lanes[legacy->calls[i].lane];
    }
    for (size_t i = 0; lanes && i < legacy->sum_count; i++)
        legacy->sums[i].region = regions[legacy->sums[i].region];
    int status = lanes ? 0 : out_of_memory(legacy, err);
    free(order);
    free(regions);
    free(lanes);
    return status;
}

/* The calls of a lane together, in lane order, by counting. */
static int gather_lanes(struct sp_legacy *legacy, struct sp_lane *lanes, struct sp_error *err)
{
    uint64_t *next = malloc((legacy->lane_count + 1) * sizeof *next), first = 0;
    int sorted = 1;
    if (!next)
        return out_of_memory(legacy, err);
    for (size_t i = 0; i < legacy->call_count; i++) {
        lanes[legacy->calls[i].lane].event_count++;
        sorted = sorted && (i == 0 || legacy->calls[i - 1].lane <= legacy->calls[i].lane);
    }
    for (size_t i = 0; i < legacy->lane_count; first += lanes[i++].event_count)
        lanes[i].first_event = next[i] = first;
    struct sp_legacy_call *calls = sorted ? NULL : malloc(legacy->call_count * sizeof *calls);
    if (!sorted && calls) {
        for (size_t i = 0; i < legacy->call_count; i++)
            calls[next[legacy->calls[i].lane]++] = legacy->calls[i];
        free(legacy->calls);
        legacy->calls = calls;
    }
    free(next);
    return sorted || calls ? 0 : out_of_memory(legacy, err);
}

/* Sums go to the main lane of their rank, which renumber() has put first. */
static int compare_sums(const void *a, const void *b)
{
    const struct sp_legacy_sum *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

static int nest_lanes(struct sp_legacy *legacy, struct sp_legacy_nest *nest, struct sp_lane *lanes, struct sp_error *err)
{
    size_t sum = 0;
    if (legacy->sum_count > 0)
        qsort(legacy->sums, legacy->sum_count, sizeof *legacy->sums, compare_sums);
    for (size_t i = 0; i < legacy->lane_count; i++) {
        uint64_t before = nest->statistic_count;
        if (sp_legacy_nest_lane(nest, legacy->calls + lanes[i].first_event, (size_t)lanes[i].event_count, err) < 0)
            return -1;
        for (; sum < legacy->sum_count && legacy->sums[sum].rank <= legacy->lanes[i].rank; sum++)
            if (sp_legacy_nest_sum(nest, &legacy->sums[sum], err) < 0)
                return -1;
        if (sp_legacy_nest_end_lane(nest, (int32_t)i, err) < 0)
            return -1;
        lanes[i].first_statistic = before;
        lanes[i].statistic_count = nest->statistic_count - before;
    }
    return 0;
}

static int64_t end_of(const struct sp_legacy_call *call)
{
    return call->end < 0 ? call->start : call->start + call->end;
}

static void describe_lanes(const struct sp_legacy *legacy, struct sp_lane *lanes)
{
    for (size_t i = 0; i < legacy->lane_count; i++) {
        struct sp_lane *lane = &lanes[i];
        lane->rank = legacy->lanes[i].rank;
        lane->kind = legacy->lanes[i].key == SP_LEGACY_MAIN ? 0 : 1;
        lane->index = i > 0 && lanes[i - 1].rank == lane->rank ? lanes[i - 1].index + 1 : 0;
        memcpy(lane->name, legacy->lanes[i].name, sizeof lane->name);
        const struct sp_legacy_call *calls = legacy->calls + lane->first_event;
        for (uint64_t k = 0; k < lane->event_count; k++) {
            lane->start_ns = k == 0 ? calls[k].start : lane->start_ns; /* they are in order */
            lane->end_ns = k == 0 || end_of(&calls[k]) > lane->end_ns ? end_of(&calls[k]) : lane->end_ns;
        }
    }
}

static void describe_ranks(const struct sp_legacy *legacy, const struct extent *extent, const struct sp_file *file)
{
    size_t lane = 0;
    for (int32_t i = 0; i < legacy->rank_count; i++) {
        struct sp_rank *rank = &file->ranks[i];
        int known = 0;
        *rank = (struct sp_rank){.host = i == 0 && file->info.host_count > 0 ? 0 : -1,
            .mpi_init_end_ns = -1,
            .finalize_begin_ns = -1,
            .state = 1,
            .thread_level = -1};
        for (; lane < legacy->lane_count && file->lanes[lane].rank == i; lane++, rank->lane_count++) {
            if (file->lanes[lane].event_count == 0)
                continue;
            rank->start_ns = !known || file->lanes[lane].start_ns < rank->start_ns ? file->lanes[lane].start_ns : rank->start_ns;
            rank->end_ns = !known || file->lanes[lane].end_ns > rank->end_ns ? file->lanes[lane].end_ns : rank->end_ns;
            known = 1;
        }
        if (rank->lane_count == 0)
            rank->state = -1;
        if (extent->starts_at_origin && rank->start_ns > 0)
            rank->start_ns = 0;
        if (extent->finalize_end > rank->end_ns)
            rank->end_ns = extent->finalize_end;
    }
}

/* The host of rank 0 is known by name, the others at most by number. */
static int make_hosts(const struct sp_legacy *legacy, struct sp_file *file)
{
    const char *name = json_string_value(json_object_get(legacy->metadata, "hostname"));
    const json_t *nodes = json_object_get(legacy->metadata, "num_nodes");
    int64_t count = json_is_integer(nodes) ? json_integer_value(nodes) : 1;
    count = count < 1 || count > legacy->rank_count ? 1 : count;
    file->info.host_count = legacy->rank_count > 0 ? (int32_t)count : 0;
    file->hosts = calloc((size_t)count, sizeof *file->hosts);
    if (file->hosts && name)
        snprintf(file->hosts[0].name, sizeof file->hosts[0].name, "%s", name);
    return file->hosts ? 0 : -1;
}

static void append(char *strings, uint64_t *used, const char *text, size_t bytes, uint64_t *offset, uint32_t *length)
{
    *offset = *used;
    *length = (uint32_t)bytes;
    memcpy(strings + *used, text, bytes);
    *used += bytes;
}

/* MPI functions carry the tag when the file came from a run file of ours. */
static int kind_of(const struct sp_legacy_region *region)
{
    return region->tags && strcmp(region->tags, "mpi") == 0 && strncmp(region->name, "MPI_", 4) == 0 ? 1 : 0;
}

static int make_regions(const struct sp_legacy *legacy, struct sp_file *file, struct sp_error *err)
{
    size_t bytes = 0;
    for (size_t i = 0; i < legacy->region_count; i++) {
        const struct sp_legacy_region *region = &legacy->regions[i];
        bytes += region->name_bytes + (region->file ? strlen(region->file) : 0) + (region->tags ? strlen(region->tags) : 0);
    }
    file->strings = malloc(bytes + 1);
    file->regions = calloc(legacy->region_count + 1, sizeof *file->regions);
    if (!file->strings || !file->regions)
        return out_of_memory(legacy, err);
    for (size_t i = 0; i < legacy->region_count; i++) {
        const struct sp_legacy_region *region = &legacy->regions[i];
        struct sp_region_row *row = &file->regions[i];
        const char *source = region->file ? region->file : "", *tags = region->tags ? region->tags : "";
        *row = (struct sp_region_row){.line = region->line, .kind = kind_of(region)};
        append(file->strings, &file->string_bytes, region->name, region->name_bytes, &row->name_offset, &row->name_bytes);
        append(file->strings, &file->string_bytes, source, strlen(source), &row->file_offset, &row->file_bytes);
        append(file->strings, &file->string_bytes, tags, strlen(tags), &row->tags_offset, &row->tags_bytes);
    }
    file->strings[file->string_bytes] = 0;
    file->info.region_count = (int32_t)legacy->region_count;
    return 0;
}

static int make_blocks(const struct sp_legacy *legacy, struct sp_file *file, struct sp_error *err)
{
    size_t count = 0, block = 0;
    for (size_t i = 0; i < legacy->lane_count; i++)
        count += (size_t)((file->lanes[i].event_count + BLOCK_EVENTS - 1) / BLOCK_EVENTS);
    file->event_blocks = calloc(count + 1, sizeof *file->event_blocks);
    if (!file->event_blocks)
        return out_of_memory(legacy, err);
    file->info.event_block_count = count;
    for (size_t i = 0; i < legacy->lane_count; i++)
        for (uint64_t done = 0; done < file->lanes[i].event_count; done += BLOCK_EVENTS, block++) {
            uint64_t left = file->lanes[i].event_count - done, first = file->lanes[i].first_event + done;
            struct sp_event_block *row = &file->event_blocks[block];
            *row =
                (struct sp_event_block){.lane = (int32_t)i, .first_event = first, .event_count = left < BLOCK_EVENTS ? left : BLOCK_EVENTS};
            row->min_start_ns = row->max_end_ns = legacy->calls[first].start;
            for (uint64_t k = first; k < first + row->event_count; k++) {
                int64_t end = legacy->calls[k].end < 0 ? file->lanes[i].end_ns : end_of(&legacy->calls[k]);
                row->max_end_ns = end > row->max_end_ns ? end : row->max_end_ns;
            }
        }
    return 0;
}

static int make_places(struct sp_legacy *legacy, struct sp_legacy_nest *nest, struct sp_file *file, struct sp_error *err)
{
    file->lanes = calloc(legacy->lane_count + 1, sizeof *file->lanes);
    file->ranks = calloc((size_t)legacy->rank_count + 1, sizeof *file->ranks);
    if (!file->lanes || !file->ranks || make_hosts(legacy, file) < 0)
        return out_of_memory(legacy, err);
    if (gather_lanes(legacy, file->lanes, err) < 0 || nest_lanes(legacy, nest, file->lanes, err) < 0)
        return -1;
    describe_lanes(legacy, file->lanes);
    file->info.lane_count = (int32_t)legacy->lane_count;
    file->info.rank_count = legacy->rank_count;
    return make_blocks(legacy, file, err);
}

static int describe_file(const struct sp_legacy *legacy, const struct sp_legacy_nest *nest, struct sp_file *file, struct sp_error *err)
{
    const char *version = json_string_value(json_object_get(legacy->metadata, "scope_profiler_version"));
    struct sp_file_info *info = &file->info;
    snprintf(file->creator, sizeof file->creator, "scope-profiler%s%.40s", version ? " " : "", version ? version : "");
    snprintf(file->clock_source, sizeof file->clock_source, "monotonic");
    snprintf(file->format, sizeof file->format, "%s", legacy->format);
    info->clock_error_ns = -1;
    info->state = SP_FILE_COMPLETE;
    info->trace = legacy->sum_count > 0 ? SP_TRACE_OFF : SP_TRACE_COMPLETE;
    info->sums_only = legacy->sum_count > 0;
    info->statistic_count = nest->statistic_count;
    info->event_count = legacy->call_count;
    info->overlap_count = nest->overlap_count;
    info->backward_count = nest->backward_count;
    info->callpath_count = (int32_t)nest->callpath_count;
    file->metadata = legacy->metadata ? json_dumps(legacy->metadata, JSON_COMPACT) : strdup("{}");
    return file->metadata ? 0 : out_of_memory(legacy, err);
}

static int take_rows(struct sp_legacy *legacy, struct sp_legacy_nest *nest, struct sp_file *file, struct sp_error *err)
{
    file->legacy = calloc(1, sizeof *file->legacy);
    if (!file->legacy)
        return out_of_memory(legacy, err);
    file->legacy->statistics = nest->statistics;
    file->legacy->events = legacy->calls;
    file->callpaths = nest->callpaths;
    nest->statistics = NULL;
    nest->callpaths = NULL;
    legacy->calls = NULL;
    return 0;
}

/* Ranks that recorded nothing have no lane; ranks with statistics have a main one. */
static int give_lanes(struct sp_legacy *legacy, struct sp_error *err)
{
    int32_t lane;
    if (!sp_legacy_calls(legacy, 0, 0, 0, err)) /* without calls too there is a place where they begin */
        return -1;
    for (size_t i = 0; i < legacy->sum_count; i++)
        if (sp_legacy_lane(legacy, legacy->sums[i].rank, SP_LEGACY_MAIN, &lane, err) < 0)
            return -1;
    return 0;
}

int sp_legacy_build(struct sp_legacy *legacy, struct sp_file *file, struct sp_error *err)
{
    struct sp_legacy_nest nest = {.path = legacy->path};
    struct extent extent;
    if (give_lanes(legacy, err) < 0 || measure(legacy, &extent, err) < 0)
        return -1;
    make_relative(legacy, extent.origin);
    int status = renumber(legacy, err);
    if (status == 0)
        status = make_places(legacy, &nest, file, err);
    if (status == 0)
        describe_ranks(legacy, &extent, file);
    if (status == 0)
        status = make_regions(legacy, file, err);
    if (status == 0)
        status = describe_file(legacy, &nest, file, err);
    if (status == 0)
        status = take_rows(legacy, &nest, file, err);
    sp_legacy_nest_free(&nest);
    return status;
}

void sp_legacy_rows_free(struct sp_legacy_rows *rows)
{
    if (!rows)
        return;
    free(rows->statistics);
    free(rows->events);
    free(rows);
}

void sp_legacy_read_statistics(const struct sp_file *file, uint64_t first, size_t count, struct sp_statistic *rows)
{
    if (count > 0)
        memcpy(rows, file->legacy->statistics + first, count * sizeof *rows);
}

void sp_legacy_read_events(const struct sp_file *file, uint64_t block, int64_t *start_ns, int64_t *duration_ns, int32_t *callpath)
{
    const struct sp_event_block *row = &file->event_blocks[block];
    const struct sp_legacy_call *events = file->legacy->events + row->first_event;
    for (uint64_t i = 0; i < row->event_count; i++) {
        if (start_ns)
            start_ns[i] = events[i].start;
        if (duration_ns)
            duration_ns[i] = events[i].end;
        if (callpath)
            callpath[i] = events[i].region;
    }
}
