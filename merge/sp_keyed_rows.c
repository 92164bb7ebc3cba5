/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_keyed_rows.h"
#include "sp_reduce.h"
#include "sp_spill_keyed.h"

#include <stdlib.h>
#include <string.h>

int sp_histogram_ranks_parse(const char *text, enum sp_histogram_ranks *wanted, struct sp_error *err)
{
    *wanted = text && strcmp(text, "rank") == 0 ? SP_HISTOGRAMS_RANK : SP_HISTOGRAMS_AUTO;
    if (!text || !*text || strcmp(text, "auto") == 0 || strcmp(text, "rank") == 0)
        return 0;
    return sp_fail_as(err, SP_EXIT_USAGE, "SP_HISTOGRAMS=%s: must be auto or rank", text);
}

int sp_histogram_ranks_choose(enum sp_histogram_ranks wanted, int trace_is_complete, int32_t rank_count)
{
    return wanted == SP_HISTOGRAMS_RANK || (!trace_is_complete && rank_count <= SP_HISTOGRAM_RANKS);
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_histograms(const void *a, const void *b)
{
    const struct sp_histogram *x = a, *y = b;
    int order = compare(x->rank, y->rank);
    order = order ? order : compare(x->region, y->region);
    return order ? order : compare(x->bin, y->bin);
}

static void add_histogram(void *into, const void *row)
{
    ((struct sp_histogram *)into)->calls += ((const struct sp_histogram *)row)->calls;
}

/* A lane's region and its row in /regions: the lane's call paths know both. */
struct region_row {
    uint32_t region;
    int32_t row;
};

static int by_region(const void *a, const void *b)
{
    return compare(((const struct region_row *)a)->region, ((const struct region_row *)b)->region);
}

/* By region; malloc'ed. NULL without memory. */
static struct region_row *region_rows(const struct sp_part_lane *lane, const struct sp_callpath *callpaths, size_t *count)
{
    uint32_t nodes = sp_spill_lane_node_count(lane->lane);
    struct region_row *rows = malloc((nodes + (size_t)1) * sizeof *rows);
    *count = 0;
    for (uint32_t id = 1; rows && id < nodes; id++)
        if (lane->callpaths[id] >= 0)
            rows[(*count)++] = (struct region_row){sp_spill_lane_node(lane->lane, id)->region, callpaths[lane->callpaths[id]].region};
    if (*count > 0)
        qsort(rows, *count, sizeof *rows, by_region);
    return rows;
}

/* -1: there is no call path of the region, so no statistics either. */
static int32_t row_of(const struct region_row *rows, size_t count, uint32_t region)
{
    struct region_row key = {.region = region};
    const struct region_row *found = count > 0 ? bsearch(&key, rows, count, sizeof key, by_region) : NULL;
    return found ? found->row : -1;
}

/* Rows while they are collected. */
struct collection {
    const struct sp_reduction *kind;
    char *rows;
    size_t count, room;
};

/* Room for so many rows more; where there is none, what is there is united first. */
static int make_room(struct collection *collection, size_t more)
{
    size_t room = collection->room;
    if (collection->count + more <= room)
        return 0;
    collection->count = sp_reduce_own(collection->kind, collection->rows, collection->count);
    while (room < 2 * (collection->count + more))
        room = room ? 2 * room : 1024;
    char *rows = realloc(collection->rows, room * collection->kind->row_bytes);
    if (!rows)
        return -1;
    collection->rows = rows;
    collection->room = room;
    return 0;
}

static void *next_row(struct collection *collection)
{
    return collection->rows + collection->count++ * collection->kind->row_bytes;
}

/* What one process has of a run. */
struct source {
    const struct sp_part *part;
    const struct sp_callpath *callpaths;
    int of_ranks;
};

/* A table: its rows, and what a lane adds to them. */
struct kind {
    struct sp_reduction reduction;
    int (*collect)(struct collection *collection, const struct source *source, const struct sp_part_lane *lane);
};

static const struct sp_part_rank *rank_of(const struct source *source, const struct sp_part_lane *lane)
{
    return &source->part->ranks[lane->owner];
}

static void put_histogram(struct collection *collection, int32_t rank, int of_ranks, struct sp_histogram row)
{
    row.rank = -1;
    *(struct sp_histogram *)next_row(collection) = row;
    row.rank = rank;
    if (of_ranks)
        *(struct sp_histogram *)next_row(collection) = row;
}

static int collect_histograms(struct collection *collection, const struct source *source, const struct sp_part_lane *lane)
{
    int32_t rank = rank_of(source, lane)->rank;
    size_t bin_count, region_count;
    const struct sp_region_bin *bins = sp_spill_lane_bins(lane->lane, &bin_count);
    struct region_row *regions = region_rows(lane, source->callpaths, &region_count);
    uint64_t lost = sp_spill_header(lane->spill)->bins_lost;
    int status = regions ? make_room(collection, 2 * (bin_count + 1)) : -1;
    for (size_t i = 0; status == 0 && i < bin_count; i++) {
        int32_t region = row_of(regions, region_count, bins[i].region);
        if (region >= 0)
            put_histogram(collection, rank, source->of_ranks, (struct sp_histogram){-1, region, (int32_t)bins[i].bin, bins[i].calls});
    }
    if (status == 0 && lost > 0)
        put_histogram(collection, rank, source->of_ranks, (struct sp_histogram){-1, -1, -1, lost});
    free(regions);
    return status;
}

static const struct kind histograms = {{"histograms", sizeof(struct sp_histogram), compare_histograms, add_histogram}, collect_histograms};

/* Whatever a damaged file holds, sums wrap and do not overflow. */
static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int compare_traffic(const void *a, const void *b)
{
    const struct sp_traffic_row *x = a, *y = b;
    int order = compare(x->source, y->source);
    order = order ? order : compare(x->destination, y->destination);
    return order ? order : compare(x->operation, y->operation);
}

static void add_traffic(void *into, const void *row)
{
    struct sp_traffic_row *sum = into;
    const struct sp_traffic_row *more = row;
    sum->messages += more->messages;
    sum->bytes = plus(sum->bytes, more->bytes);
    sum->time_ns = plus(sum->time_ns, more->time_ns);
}

/* What comes in has its source in the peer. */
static int collect_traffic(struct collection *collection, const struct source *source, const struct sp_part_lane *lane)
{
    const struct sp_part_rank *rank = rank_of(source, lane);
    struct sp_spill_keyed rows;
    struct sp_spill_keyed_row row;
    int32_t rank_count = sp_spill_header(lane->spill)->rank_count;
    sp_spill_keyed_start(&rows, lane->spill, lane->lane, SP_SEGMENT_TRAFFIC);
    while (sp_spill_keyed_next(&rows, &row)) {
        int32_t peer = (int32_t)row.key[0], operation = (int32_t)row.key[1];
        int comes_in = sp_spill_direction(operation) < 0;
        if (peer < 0 || peer >= rank_count || !sp_spill_is_traffic(operation))
            continue;
        if (make_room(collection, 1) < 0)
            return -1;
        *(struct sp_traffic_row *)next_row(collection) = (struct sp_traffic_row){
            .source = comes_in ? peer : rank->rank,
            .destination = comes_in ? rank->rank : peer,
            .operation = operation,
            .messages = row.sum.messages,
            .bytes = row.sum.bytes,
            .time_ns = sp_rate_duration(&rank->timeline.rate, row.sum.ticks),
        };
    }
    return 0;
}

static const struct kind traffic = {{"traffic", sizeof(struct sp_traffic_row), compare_traffic, add_traffic}, collect_traffic};

static int compare_sizes(const void *a, const void *b)
{
    const struct sp_message_size *x = a, *y = b;
    int order = compare(x->region, y->region);
    order = order ? order : compare(y->direction, x->direction); /* sent, then received */
    return order ? order : compare(x->bin, y->bin);
}

static void add_size(void *into, const void *row)
{
    struct sp_message_size *sum = into;
    const struct sp_message_size *more = row;
    sum->messages += more->messages;
    sum->bytes = plus(sum->bytes, more->bytes);
    sum->time_ns = plus(sum->time_ns, more->time_ns);
}

static int collect_sizes(struct collection *collection, const struct source *source, const struct sp_part_lane *lane)
{
    size_t region_count;
    struct sp_spill_keyed rows;
    struct sp_spill_keyed_row row;
    struct region_row *regions = region_rows(lane, source->callpaths, &region_count);
    int status = regions ? 0 : -1;
    sp_spill_keyed_start(&rows, lane->spill, lane->lane, SP_SEGMENT_SIZES);
    while (status == 0 && sp_spill_keyed_next(&rows, &row)) {
        uint32_t bin = row.key[1] % SP_SIZE_RECEIVED;
        int32_t region = row_of(regions, region_count, row.key[0]);
        if (region < 0 || bin > 64)
            continue;
        if ((status = make_room(collection, 1)) == 0)
            *(struct sp_message_size *)next_row(collection) = (struct sp_message_size){
                .region = region,
                .direction = row.key[1] & SP_SIZE_RECEIVED ? -1 : 1,
                .bin = (int32_t)bin,
                .messages = row.sum.messages,
                .bytes = row.sum.bytes,
                .time_ns = sp_rate_duration(&rank_of(source, lane)->timeline.rate, row.sum.ticks),
            };
    }
    free(regions);
    return status;
}

static const struct kind sizes = {{"message sizes", sizeof(struct sp_message_size), compare_sizes, add_size}, collect_sizes};

/* The process's own rows, in order; malloc'ed. */
static int own_rows(const struct kind *kind, const struct source *source, void **rows, size_t *count)
{
    struct collection collection = {.kind = &kind->reduction};
    int status = make_room(&collection, 1);
    for (size_t i = 0; status == 0 && i < source->part->lane_count; i++)
        status = kind->collect(&collection, source, &source->part->lanes[i]);
    if (status < 0) {
        free(collection.rows);
        collection = (struct collection){.kind = &kind->reduction};
    }
    *count = sp_reduce_own(&kind->reduction, collection.rows, collection.count);
    *rows = collection.rows;
    return status;
}

static int unite(
    const struct sp_team *team, const struct kind *kind, const struct source *source, void **rows, size_t *count, struct sp_error *err)
{
    int status = own_rows(kind, source, rows, count);
    if (sp_agree(team, status < 0 ? sp_fail(err, "out of memory for %s", kind->reduction.name) : 0, err) < 0) {
        free(*rows);
        *rows = NULL;
        return -1;
    }
    return sp_reduce(team, &kind->reduction, rows, count, err);
}

/* Hardly a key of traffic is on two processes: the rows go to process 0 straight, and are put in order there. */
static int gather(const struct sp_team *team, const struct source *source, void **rows, size_t *count, struct sp_error *err)
{
    void *own = NULL;
    size_t own_count, bytes = 0;
    int status = own_rows(&traffic, source, &own, &own_count);
    *rows = NULL;
    status = sp_agree(team, status < 0 ? sp_fail(err, "out of memory for traffic") : 0, err);
    if (status == 0)
        status = sp_team_gather(team, own, own_count * traffic.reduction.row_bytes, rows, &bytes, err);
    free(own);
    *count = status == 0 && *rows ? sp_reduce_own(&traffic.reduction, *rows, bytes / traffic.reduction.row_bytes) : 0;
    return status;
}

int sp_keyed_rows_unite(const struct sp_team *team, const struct sp_part *part, const struct sp_callpath *callpaths, int of_ranks,
    struct sp_keyed_rows *rows, struct sp_error *err)
{
    const struct source source = {part, callpaths, of_ranks};
    void *united = NULL;
    *rows = (struct sp_keyed_rows){0};
    int status = unite(team, &histograms, &source, &united, &rows->histogram_count, err);
    rows->histograms = united;
    if (status == 0) {
        status = unite(team, &sizes, &source, &united, &rows->size_count, err);
        rows->sizes = united;
    }
    if (status == 0) {
        status = gather(team, &source, &united, &rows->traffic_count, err);
        rows->traffic = united;
    }
    return status;
}

void sp_keyed_rows_free(struct sp_keyed_rows *rows)
{
    free(rows->histograms);
    free(rows->traffic);
    free(rows->sizes);
    *rows = (struct sp_keyed_rows){0};
}
