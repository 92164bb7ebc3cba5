/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_rows.h"
#include "sp_crc.h"

#include <stdlib.h>
#include <string.h>

struct sp_rows {
    const struct sp_table *kind;
    const struct sp_part *part;
    struct sp_rows_place place;
    int (*some)(struct sp_rows *rows, size_t max, void *const *columns, size_t *count, struct sp_error *err);
    uint64_t count, made;

    /* where the next row comes from */
    size_t lane, run;
    uint64_t in_run, in_lane;
    uint64_t lane_first; /* row of the lane's first event */
    int64_t previous_start;
    uint32_t crcs[SP_COLUMNS_MAX]; /* of the rows made by the call of sp_rows_next at hand; events only */

    struct sp_event_block *event_blocks;
    struct sp_message_block *message_blocks;
    uint32_t column_crcs[SP_COLUMNS_MAX]; /* of the open message block */
    size_t block_count;

    struct sp_statistic *statistics; /* of the lane at hand */
    size_t statistic_count;
};

static uint64_t blocks_of(uint64_t rows)
{
    return rows / SP_BLOCK_ROWS + (rows % SP_BLOCK_ROWS != 0);
}

uint64_t sp_rows_event_blocks(const struct sp_part *part)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < part->lane_count; i++)
        blocks += blocks_of(sp_spill_lane_event_count(part->lanes[i].lane));
    return blocks;
}

uint64_t sp_rows_message_blocks(const struct sp_part *part)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < part->lane_count; i++)
        blocks += blocks_of(sp_spill_lane_message_count(part->lanes[i].lane));
    return blocks;
}

static void next_lane(struct sp_rows *rows)
{
    rows->lane_first += sp_spill_lane_event_count(rows->part->lanes[rows->lane].lane);
    rows->lane++;
    rows->run = 0;
    rows->in_run = rows->in_lane = 0;
}

static const struct sp_timeline *timeline_of(const struct sp_rows *rows)
{
    return &rows->part->ranks[rows->part->lanes[rows->lane].owner].timeline;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* So few rows at once that they stay in the cache until they are summed. */
#define STRETCH 4096

/* Rows from a run that fit the caller's room and the block at hand. */
static size_t stretch(const struct sp_rows *rows, uint64_t run_count, size_t max)
{
    uint64_t in_block = SP_BLOCK_ROWS - rows->in_lane % SP_BLOCK_ROWS;
    return (size_t)smaller(smaller(run_count - rows->in_run, max), smaller(in_block, STRETCH));
}

static void start_event_block(struct sp_rows *rows, int64_t start)
{
    rows->event_blocks[rows->block_count++] = (struct sp_event_block){
        .lane = (int32_t)(rows->place.first_lane + rows->lane),
        .first_event = rows->place.first_event + rows->made,
        .min_start_ns = start,
        .max_end_ns = INT64_MIN,
    };
    rows->previous_start = 0;
}

static int64_t end_of(int64_t start, int64_t duration, int64_t lane_end)
{
    if (duration < 0)
        return lane_end;
    return start > INT64_MAX - duration ? INT64_MAX : start + duration;
}

/* Of an event that does not hold its duration; -1: it never ended. */
static int64_t late_duration(const struct sp_rows *rows, uint64_t number, const struct sp_spill_event *event)
{
    uint64_t ticks = sp_spill_lane_duration(rows->part->lanes[rows->lane].lane, number, event);
    return ticks == SP_TICKS_OPEN ? -1 : sp_timeline_duration(timeline_of(rows), event->start, ticks);
}

/* One pass for both: that of the block and that of what is written at once. */
static void add_crc(uint32_t *block, uint32_t *piece, const void *data, size_t bytes)
{
    uint32_t crc = sp_crc(0, data, bytes);
    *block = sp_crc_combine(*block, crc, bytes);
    *piece = sp_crc_combine(*piece, crc, bytes);
}

/* A stretch of one run within one block. */
static void make_events(
    struct sp_rows *rows, const struct sp_event_run *run, size_t count, int64_t *delta, int64_t *duration, int32_t *callpath)
{
    const struct sp_part_lane *lane = &rows->part->lanes[rows->lane];
    const struct sp_timeline *timeline = timeline_of(rows);
    const struct sp_spill_event *events = run->events + rows->in_run;
    int64_t lane_end = sp_timeline_time(timeline, sp_spill_lane_end(lane->lane));

    if (rows->in_lane % SP_BLOCK_ROWS == 0)
        start_event_block(rows, sp_timeline_time(timeline, events[0].start));
    struct sp_event_block *block = &rows->event_blocks[rows->block_count - 1];
    sp_timeline_events(timeline, events, count, delta, duration);
    for (size_t i = 0; i < count; i++) {
        int64_t start = delta[i];
        if (__builtin_expect(events[i].duration >= SP_DURATION_LONG, 0))
            duration[i] = late_duration(rows, run->first + rows->in_run + i, &events[i]);
        delta[i] = (int64_t)((uint64_t)start - (uint64_t)rows->previous_start);
        callpath[i] = lane->callpaths[events[i].node];
        rows->previous_start = start;
        int64_t end = end_of(start, duration[i], lane_end);
        block->max_end_ns = end > block->max_end_ns ? end : block->max_end_ns;
        block->min_start_ns = start < block->min_start_ns ? start : block->min_start_ns;
    }
    block->event_count += count;
    add_crc(&block->crc_start_delta, &rows->crcs[0], delta, count * sizeof *delta);
    add_crc(&block->crc_duration, &rows->crcs[1], duration, count * sizeof *duration);
    add_crc(&block->crc_callpath, &rows->crcs[2], callpath, count * sizeof *callpath);
}

static int some_events(struct sp_rows *rows, size_t max, void *const *columns, size_t *count, struct sp_error *err)
{
    size_t run_count;
    (void)err;
    const struct sp_event_run *runs = sp_spill_lane_events(rows->part->lanes[rows->lane].lane, &run_count);
    *count = 0;
    if (rows->run == run_count) {
        next_lane(rows);
        return 0;
    }
    *count = stretch(rows, runs[rows->run].count, max);
    make_events(rows, &runs[rows->run], *count, columns[0], columns[1], columns[2]);
    rows->in_run += *count;
    rows->in_lane += *count;
    if (rows->in_run == runs[rows->run].count) {
        rows->run++;
        rows->in_run = 0;
    }
    return 0;
}

static void make_message(const struct sp_rows *rows, const struct sp_spill_message *from, struct sp_message *row)
{
    const struct sp_part_lane *lane = &rows->part->lanes[rows->lane];
    const struct sp_part_rank *rank = &rows->part->ranks[lane->owner];
    uint64_t event = sp_spill_lane_row(lane->lane, from->event);
    *row = (struct sp_message){
        .event = event == UINT64_MAX ? UINT64_MAX : rows->place.first_event + rows->lane_first + event,
        .bytes = from->bytes,
        .request = from->request,
        .peer = from->peer,
        .tag = from->tag,
        .communicator = -1,
        .operation = (int32_t)from->operation,
    };
    if (from->communicator >= 0 && (uint32_t)from->communicator < rank->communicator_count)
        row->communicator = rank->communicators[from->communicator];
}

/* Spreads one row over the columns at index. */
static void put_row(const struct sp_table *kind, const void *row, void *const *columns, size_t index)
{
    for (size_t c = 0; c < kind->field_count; c++) {
        size_t bytes = kind->fields[c].bytes;
        memcpy((char *)columns[c] + index * bytes, (const char *)row + kind->fields[c].offset, bytes);
    }
}

/* CRC of a block: of its columns one after another. */
static void close_message_block(struct sp_rows *rows)
{
    struct sp_message_block *block = &rows->message_blocks[rows->block_count - 1];
    for (size_t c = 0; c < rows->kind->field_count; c++)
        block->crc = sp_crc_combine(block->crc, rows->column_crcs[c], block->message_count * rows->kind->fields[c].bytes);
}

static void add_to_message_block(struct sp_rows *rows, size_t count, void *const *columns)
{
    if (rows->in_lane % SP_BLOCK_ROWS == 0) {
        rows->message_blocks[rows->block_count++] = (struct sp_message_block){
            .lane = (int32_t)(rows->place.first_lane + rows->lane),
            .first_message = rows->place.first_message + rows->made,
        };
        memset(rows->column_crcs, 0, sizeof rows->column_crcs);
    }
    for (size_t c = 0; c < rows->kind->field_count; c++)
        rows->column_crcs[c] = sp_crc(rows->column_crcs[c], columns[c], count * rows->kind->fields[c].bytes);
    rows->message_blocks[rows->block_count - 1].message_count += count;
}

static int some_messages(struct sp_rows *rows, size_t max, void *const *columns, size_t *count, struct sp_error *err)
{
    size_t run_count;
    (void)err;
    const struct sp_spill_lane *lane = rows->part->lanes[rows->lane].lane;
    const struct sp_message_run *runs = sp_spill_lane_messages(lane, &run_count);
    *count = 0;
    if (rows->run == run_count) {
        next_lane(rows);
        return 0;
    }
    *count = stretch(rows, runs[rows->run].count, max);
    for (size_t i = 0; i < *count; i++) {
        struct sp_message row;
        make_message(rows, &runs[rows->run].messages[rows->in_run + i], &row);
        put_row(rows->kind, &row, columns, i);
    }
    add_to_message_block(rows, *count, columns);
    rows->in_run += *count;
    rows->in_lane += *count;
    if (rows->in_lane % SP_BLOCK_ROWS == 0 || rows->in_lane == sp_spill_lane_message_count(lane))
        close_message_block(rows);
    if (rows->in_run == runs[rows->run].count) {
        rows->run++;
        rows->in_run = 0;
    }
    return 0;
}

static int some_statistics(struct sp_rows *rows, size_t max, void *const *columns, size_t *count, struct sp_error *err)
{
    *count = 0;
    if (!rows->statistics &&
        sp_part_statistics(
            rows->part, rows->lane, (int32_t)(rows->place.first_lane + rows->lane), &rows->statistics, &rows->statistic_count, err) < 0)
        return -1;
    while (*count < max && rows->in_run < rows->statistic_count)
        put_row(rows->kind, &rows->statistics[rows->in_run++], columns, (*count)++);
    if (rows->in_run == rows->statistic_count) {
        free(rows->statistics);
        rows->statistics = NULL;
        next_lane(rows);
    }
    return 0;
}

static uint64_t total_of(const struct sp_table *kind, const struct sp_part *part)
{
    uint64_t total = 0;
    for (size_t i = 0; i < part->lane_count; i++) {
        const struct sp_part_lane *lane = &part->lanes[i];
        if (kind == &sp_columns_events)
            total += sp_spill_lane_event_count(lane->lane);
        else if (kind == &sp_columns_messages)
            total += sp_spill_lane_message_count(lane->lane);
        else
            total += lane->statistic_count;
    }
    return total;
}

struct sp_rows *sp_rows_create(const struct sp_table *kind, const struct sp_part *part, const struct sp_rows_place *place)
{
    struct sp_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return NULL;
    rows->kind = kind;
    rows->part = part;
    rows->place = *place;
    rows->count = total_of(kind, part);
    rows->some = kind == &sp_columns_events ? some_events : kind == &sp_columns_messages ? some_messages : some_statistics;
    rows->event_blocks = calloc((size_t)sp_rows_event_blocks(part) + 1, sizeof *rows->event_blocks);
    rows->message_blocks = calloc((size_t)sp_rows_message_blocks(part) + 1, sizeof *rows->message_blocks);
    if (!rows->event_blocks || !rows->message_blocks) {
        sp_rows_destroy(rows);
        return NULL;
    }
    return rows;
}

void sp_rows_destroy(struct sp_rows *rows)
{
    if (!rows)
        return;
    free(rows->event_blocks);
    free(rows->message_blocks);
    free(rows->statistics);
    free(rows);
}

const struct sp_table *sp_rows_kind(const struct sp_rows *rows)
{
    return rows->kind;
}

uint64_t sp_rows_first(const struct sp_rows *rows)
{
    if (rows->kind == &sp_columns_events)
        return rows->place.first_event;
    return rows->kind == &sp_columns_messages ? rows->place.first_message : rows->place.first_statistic;
}

uint64_t sp_rows_count(const struct sp_rows *rows)
{
    return rows->count;
}

int sp_rows_next(struct sp_rows *rows, size_t max, void *const *columns, size_t *count, struct sp_error *err)
{
    *count = 0;
    memset(rows->crcs, 0, sizeof rows->crcs);
    while (*count < max && rows->made < rows->count) {
        void *at[SP_COLUMNS_MAX] = {NULL};
        size_t more;
        for (size_t c = 0; c < rows->kind->field_count; c++)
            at[c] = (char *)columns[c] + *count * rows->kind->fields[c].bytes;
        if (rows->some(rows, max - *count, at, &more, err) < 0)
            return -1;
        *count += more;
        rows->made += more;
    }
    return 0;
}

const uint32_t *sp_rows_crcs(const struct sp_rows *rows)
{
    return rows->kind == &sp_columns_events ? rows->crcs : NULL;
}

const void *sp_rows_blocks(const struct sp_rows *rows, size_t *count)
{
    *count = rows->block_count;
    if (rows->kind == &sp_columns_events)
        return rows->event_blocks;
    return rows->kind == &sp_columns_messages ? rows->message_blocks : NULL;
}
