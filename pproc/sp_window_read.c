/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_window.h"

#include "sp_error.h"

#include <stdlib.h>

#define MESSAGES 4096

__extension__ typedef unsigned __int128 wide;

/* A call path on the current lane. */
struct sum {
    uint64_t calls;
    int64_t total_ns, children_ns;
    int64_t min_ns, max_ns, first_ns, first_start_ns, last_ns, last_start_ns;
    wide squares;
    uint64_t short_calls; /* left out, as they last less than min_duration */
    int64_t short_ns;
    int64_t bytes_sent, bytes_received;
    int64_t counting; /* all bits set: the call met last is counted, and time of its children is not its own; else 0 */
    bool touched;
};

struct sp_window_reader {
    struct sp_file *file;
    struct sp_window window;
    struct sum *sums; /* of call path p at p + 1; 0: of what has no parent */
    int32_t *parents; /* of call path p at p: parent + 1 */
    int32_t *touched; /* call paths of the current lane, in the order met */
    size_t touched_count;
    struct sp_window_row *rows;
    uint64_t room; /* events that fit */
    int64_t *start_ns, *duration_ns;
    int32_t *callpath;
    struct sp_message *messages;
    uint64_t next_message, end_message; /* of the lane, not read yet */
    size_t message_at, message_count;   /* in memory */
    int64_t reach_ns;
};

void sp_window_reader_destroy(struct sp_window_reader *reader)
{
    if (!reader)
        return;
    free(reader->sums);
    free(reader->parents);
    free(reader->touched);
    free(reader->rows);
    free(reader->start_ns);
    free(reader->duration_ns);
    free(reader->callpath);
    free(reader->messages);
    free(reader);
}

int sp_window_reader_create(struct sp_file *file, const struct sp_window *window, struct sp_window_reader **out, struct sp_error *err)
{
    size_t paths = (size_t)sp_file_info(file)->callpath_count + 1;
    struct sp_window_reader *reader = *out = calloc(1, sizeof *reader);
    if (!reader)
        return sp_fail(err, "out of memory");
    *reader = (struct sp_window_reader){.file = file, .window = *window, .reach_ns = INT64_MAX};
    reader->sums = calloc(paths, sizeof *reader->sums);
    reader->parents = calloc(paths, sizeof *reader->parents);
    reader->touched = calloc(paths, sizeof *reader->touched);
    reader->rows = calloc(paths, sizeof *reader->rows);
    reader->messages = calloc(MESSAGES, sizeof *reader->messages);
    if (!reader->sums || !reader->parents || !reader->touched || !reader->rows || !reader->messages) {
        sp_window_reader_destroy(reader);
        *out = NULL;
        return sp_fail(err, "out of memory");
    }
    for (size_t i = 0; i + 1 < paths; i++)
        reader->parents[i] = sp_file_callpaths(file)[i].parent + 1;
    return 0;
}

/* ---- a call ---- */

/* Events of a lane come in the order of their starts. Of calls of a path that start together the longest counts as the first. */
static inline void add_call(struct sum *sum, int64_t start_ns, int64_t duration_ns)
{
    if (!sum->calls || (start_ns == sum->first_start_ns && duration_ns > sum->first_ns)) {
        sum->first_ns = duration_ns;
        sum->first_start_ns = start_ns;
        if (!sum->calls)
            sum->min_ns = sum->max_ns = duration_ns;
    }
    if (!sum->calls || start_ns != sum->last_start_ns || duration_ns <= sum->last_ns) {
        sum->last_ns = duration_ns;
        sum->last_start_ns = start_ns;
    }
    sum->min_ns = duration_ns < sum->min_ns ? duration_ns : sum->min_ns;
    sum->max_ns = duration_ns > sum->max_ns ? duration_ns : sum->max_ns;
    sum->calls++;
    sum->total_ns += duration_ns;
    sum->squares += (wide)(uint64_t)duration_ns * (uint64_t)duration_ns;
}

static inline struct sum *touch(struct sp_window_reader *reader, int32_t path)
{
    struct sum *sum = &reader->sums[path + 1];
    if (!sum->touched) {
        sum->touched = true;
        reader->touched[reader->touched_count++] = path;
    }
    return sum;
}

/* A call that lies in the window and has an end. The parent of a call is the one met last in the parent's path. */
static inline void take_whole(struct sp_window_reader *reader, int32_t path, int64_t start_ns, int64_t duration_ns)
{
    struct sum *sum = touch(reader, path), *parent = &reader->sums[reader->parents[path]];
    parent->children_ns += duration_ns & parent->counting;
    sum->counting = -1;
    add_call(sum, start_ns, duration_ns);
}

/* Any call, as it is in the file. Returns whether it is counted. */
static bool take(struct sp_window_reader *reader, int32_t path, int64_t start_ns, int64_t duration_ns, int64_t lane_end_ns)
{
    struct sum *sum = touch(reader, path), *parent = &reader->sums[reader->parents[path]];
    int64_t whole_ns = duration_ns < 0 ? lane_end_ns - start_ns : duration_ns;
    sum->counting = 0;
    if (!sp_window_clip(&reader->window, lane_end_ns, &start_ns, &duration_ns))
        return false;
    parent->children_ns += duration_ns & parent->counting;
    sum->short_calls += whole_ns < reader->window.min_duration_ns;
    sum->short_ns += whole_ns < reader->window.min_duration_ns ? duration_ns : 0;
    if (whole_ns < reader->window.min_duration_ns)
        return false;
    sum->counting = -1;
    add_call(sum, start_ns, duration_ns);
    return true;
}

/* ---- a block ---- */

static int make_room(struct sp_window_reader *reader, uint64_t events, struct sp_error *err)
{
    if (events <= reader->room)
        return 0;
    free(reader->start_ns);
    free(reader->duration_ns);
    free(reader->callpath);
    reader->start_ns = malloc(events * sizeof *reader->start_ns);
    reader->duration_ns = malloc(events * sizeof *reader->duration_ns);
    reader->callpath = malloc(events * sizeof *reader->callpath);
    reader->room = events;
    return reader->start_ns && reader->duration_ns && reader->callpath ? 0 : sp_fail(err, "out of memory");
}

/* The block may have something of the window; it has nothing else, and all of it counts. */
static bool is_near(const struct sp_window *window, const struct sp_event_block *block)
{
    return block->event_count && block->min_start_ns < window->end_ns && block->max_end_ns >= window->begin_ns;
}

static bool is_whole(const struct sp_window *window, const struct sp_event_block *block)
{
    return block->min_start_ns >= window->begin_ns && block->max_end_ns <= window->end_ns && window->min_duration_ns == 0;
}

static void count_block(struct sp_window_reader *reader, const struct sp_event_block *block, int64_t lane_end_ns)
{
    bool whole = is_whole(&reader->window, block);
    for (uint64_t i = 0; i < block->event_count; i++)
        if (whole && reader->duration_ns[i] >= 0)
            take_whole(reader, reader->callpath[i], reader->start_ns[i], reader->duration_ns[i]);
        else if (!take(reader, reader->callpath[i], reader->start_ns[i], reader->duration_ns[i], lane_end_ns))
            reader->callpath[i] = -1; /* its messages do not count */
}

/* ---- messages ---- */

/* The next message of the lane; NULL: none, or *status is -1. */
static const struct sp_message *peek_message(struct sp_window_reader *reader, int *status, struct sp_error *err)
{
    if (reader->message_at == reader->message_count) {
        uint64_t left = reader->end_message - reader->next_message;
        reader->message_at = 0;
        reader->message_count = left < MESSAGES ? (size_t)left : MESSAGES;
        if (!left)
            return NULL;
        *status = sp_file_read_messages(reader->file, reader->next_message, reader->message_count, reader->messages, err);
        reader->next_message += reader->message_count;
    }
    return *status ? NULL : &reader->messages[reader->message_at];
}

/* Completions of sends and postings of receives carry the bytes of another call. */
static void add_bytes(struct sum *sum, const struct sp_message *message)
{
    if (message->operation < 1 || message->operation > 10 || message->bytes < 0)
        return;
    if (message->operation % 2)
        sum->bytes_sent += message->bytes;
    else
        sum->bytes_received += message->bytes;
}

/* Messages of a block's events; those before it are of blocks that were left out. */
static int count_messages(struct sp_window_reader *reader, const struct sp_event_block *block, struct sp_error *err)
{
    const struct sp_message *message;
    int status = 0;
    while ((message = peek_message(reader, &status, err))) {
        uint64_t at = message->event - block->first_event;
        if (message->event >= block->first_event && message->event != UINT64_MAX && at >= block->event_count)
            break;
        if (message->event >= block->first_event && at < block->event_count && reader->callpath[at] >= 0)
            add_bytes(&reader->sums[reader->callpath[at] + 1], message);
        reader->message_at++;
    }
    return status;
}

/* ---- a lane ---- */

static struct sp_window_row row_of(const struct sum *sum, int32_t lane, int32_t path)
{
    return (struct sp_window_row){
        .of = {.lane = lane,
            .callpath = path,
            .calls = sum->calls,
            .total_ns = sum->total_ns,
            .self_ns = sum->total_ns - sum->children_ns,
            .min_ns = sum->min_ns,
            .max_ns = sum->max_ns,
            .first_ns = sum->first_ns,
            .last_ns = sum->last_ns,
            .first_start_ns = sum->first_start_ns,
            .last_end_ns = sum->last_start_ns + sum->last_ns,
            .squares_low = (uint64_t)sum->squares,
            .squares_high = (uint64_t)(sum->squares >> 64),
            .bytes_sent = sum->bytes_sent,
            .bytes_received = sum->bytes_received},
        .all_calls = sum->calls + sum->short_calls,
        .all_ns = sum->total_ns + sum->short_ns,
    };
}

/* Turns the sums of the lane into rows, and clears them for the next. */
static size_t flush(struct sp_window_reader *reader, int32_t lane)
{
    size_t used = 0;
    for (size_t i = 0; i < reader->touched_count; i++) {
        int32_t path = reader->touched[i];
        struct sum *sum = &reader->sums[path + 1];
        if (sum->calls || sum->short_calls)
            reader->rows[used++] = row_of(sum, lane, path);
        *sum = (struct sum){0};
    }
    reader->touched_count = 0;
    return used;
}

static uint64_t first_block_of(const struct sp_file *file, int32_t lane)
{
    const struct sp_event_block *blocks = sp_file_event_blocks(file);
    uint64_t low = 0, high = sp_file_info(file)->event_block_count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (blocks[middle].lane < lane)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where a lane's trace was cut, the window may reach beyond it. */
static void note_reach(struct sp_window_reader *reader, const struct sp_lane *lane, int64_t last_start_ns)
{
    if (lane->events_dropped && last_start_ns < reader->window.end_ns && last_start_ns < reader->reach_ns)
        reader->reach_ns = last_start_ns;
}

int sp_window_read_lane(
    struct sp_window_reader *reader, int32_t lane, const struct sp_window_row **rows, size_t *count, struct sp_error *err)
{
    const struct sp_event_block *blocks = sp_file_event_blocks(reader->file);
    const struct sp_lane *row = &sp_file_lanes(reader->file)[lane];
    uint64_t block_count = sp_file_info(reader->file)->event_block_count;
    int64_t last_start_ns = row->start_ns;
    reader->next_message = row->first_message;
    reader->end_message = row->first_message + row->message_count;
    reader->message_at = reader->message_count = 0;
    for (uint64_t i = first_block_of(reader->file, lane); i < block_count && blocks[i].lane == lane; i++) {
        last_start_ns = blocks[i].min_start_ns;
        if (!is_near(&reader->window, &blocks[i]))
            continue;
        if (make_room(reader, blocks[i].event_count, err) ||
            sp_file_read_events(reader->file, i, reader->start_ns, reader->duration_ns, reader->callpath, err))
            return -1;
        last_start_ns = reader->start_ns[blocks[i].event_count - 1];
        count_block(reader, &blocks[i], row->end_ns);
        if (row->message_count && count_messages(reader, &blocks[i], err))
            return -1;
    }
    note_reach(reader, row, last_start_ns);
    *rows = reader->rows;
    *count = flush(reader, lane);
    return 0;
}

int64_t sp_window_reach_ns(const struct sp_window_reader *reader)
{
    return reader->reach_ns;
}
