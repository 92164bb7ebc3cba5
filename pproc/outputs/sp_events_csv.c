/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_events_csv.h"

#include "sp_error.h"
#include "sp_rank_calls.h"
#include "sp_utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGES 4096 /* read at a time */

const char sp_events_csv_header[] = "file,rank,lane,call_index,region,call_path,start,end,duration,peer,bytes,tag,communicator\r\n";

/* A text of a cell: quotes doubled, the quotes around it not yet there. */
struct text {
    char *escaped;
    bool needs_quotes;
};

/* The messages of a lane, in the order of its events. */
struct messages {
    uint64_t next, end; /* rows still to be read */
    struct sp_message *rows;
    size_t at, count;
};

struct line {
    char *text;
    size_t used, room;
    bool failed;
};

struct sp_events_csv {
    const struct sp_run *run;
    struct text file, *regions, *communicators;
    uint64_t *call_indices; /* by region, of the current rank */
    struct messages *lanes; /* of the current rank */
    int32_t first_lane, lane_count;
    struct line line;
};

static int make_text(const char *plain, struct text *text, struct sp_error *err)
{
    size_t quotes = 0;
    for (const char *c = plain; *c; c++)
        quotes += *c == '"';
    char *to = text->escaped = malloc(strlen(plain) + quotes + 1);
    if (!to)
        return sp_fail(err, "out of memory");
    text->needs_quotes = strpbrk(plain, "\",\r\n") != NULL;
    for (; *plain; plain++) {
        if (*plain == '"')
            *to++ = '"';
        *to++ = *plain;
    }
    *to = 0;
    return 0;
}

/* Its name, else its number. */
static int make_communicator(const struct sp_run *run, int32_t i, struct text *text, struct sp_error *err)
{
    const struct sp_communicator *row = &sp_file_communicators(run->file)[i];
    char number[16];
    snprintf(number, sizeof number, "%d", (int)i);
    if (!row->name_bytes)
        return make_text(number, text, err);
    char *name = sp_utf8_valid(sp_file_strings(run->file) + row->name_offset, row->name_bytes);
    int status = name ? make_text(name, text, err) : sp_fail(err, "out of memory");
    free(name);
    return status;
}

static int make_texts(struct sp_events_csv *csv, struct sp_error *err)
{
    const struct sp_run *run = csv->run;
    csv->regions = calloc((size_t)run->info->region_count + 1, sizeof *csv->regions);
    csv->communicators = calloc((size_t)run->info->communicator_count + 1, sizeof *csv->communicators);
    csv->call_indices = calloc((size_t)run->info->region_count + 1, sizeof *csv->call_indices);
    if (!csv->regions || !csv->communicators || !csv->call_indices)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->region_count; i++)
        if (make_text(run->regions[i].name, &csv->regions[i], err))
            return -1;
    for (int32_t i = 0; i < run->info->communicator_count; i++)
        if (make_communicator(run, i, &csv->communicators[i], err))
            return -1;
    return make_text(run->label, &csv->file, err);
}

int sp_events_csv_create(const struct sp_run *run, struct sp_events_csv **out, struct sp_error *err)
{
    *out = NULL;
    struct sp_events_csv *csv = calloc(1, sizeof *csv);
    if (!csv)
        return sp_fail(err, "out of memory");
    csv->run = run;
    if (make_texts(csv, err)) {
        sp_events_csv_destroy(csv);
        return -1;
    }
    *out = csv;
    return 0;
}

static void close_lanes(struct sp_events_csv *csv)
{
    for (int32_t i = 0; csv->lanes && i < csv->lane_count; i++)
        free(csv->lanes[i].rows);
    free(csv->lanes);
    csv->lanes = NULL;
}

void sp_events_csv_destroy(struct sp_events_csv *csv)
{
    if (!csv)
        return;
    for (int32_t i = 0; csv->regions && i < csv->run->info->region_count; i++)
        free(csv->regions[i].escaped);
    for (int32_t i = 0; csv->communicators && i < csv->run->info->communicator_count; i++)
        free(csv->communicators[i].escaped);
    close_lanes(csv);
    free(csv->regions);
    free(csv->communicators);
    free(csv->call_indices);
    free(csv->file.escaped);
    free(csv->line.text);
    free(csv);
}

static int open_lanes(struct sp_events_csv *csv, int32_t rank, struct sp_error *err)
{
    int32_t end;
    sp_rank_lanes(csv->run->file, rank, &csv->first_lane, &end);
    csv->lane_count = end - csv->first_lane;
    csv->lanes = calloc((size_t)csv->lane_count + 1, sizeof *csv->lanes);
    if (!csv->lanes)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < csv->lane_count; i++) {
        const struct sp_lane *lane = &sp_file_lanes(csv->run->file)[csv->first_lane + i];
        csv->lanes[i] = (struct messages){.next = lane->first_message, .end = lane->first_message + lane->message_count};
        if (lane->message_count && !(csv->lanes[i].rows = malloc(MESSAGES * sizeof *csv->lanes[i].rows)))
            return sp_fail(err, "out of memory");
    }
    return 0;
}

/* ---- a line ---- */

static void put(struct line *line, const char *text, size_t bytes)
{
    if (bytes == 0)
        return;
    if (bytes > line->room - line->used) {
        size_t room = 2 * line->room + bytes + 256;
        char *moved = realloc(line->text, room);
        if (!moved) {
            line->failed = true;
            return;
        }
        line->text = moved;
        line->room = room;
    }
    memcpy(line->text + line->used, text, bytes);
    line->used += bytes;
}

static void put_string(struct line *line, const char *text)
{
    put(line, text, strlen(text));
}

static void put_text(struct line *line, const struct text *text)
{
    put_string(line, text->needs_quotes ? "\"" : "");
    put_string(line, text->escaped);
    put_string(line, text->needs_quotes ? "\"" : "");
}

static void put_number(struct line *line, int64_t number)
{
    char text[24];
    put(line, text, (size_t)snprintf(text, sizeof text, "%" PRId64, number));
}

/* Seconds, exactly. */
static void put_time(struct line *line, int64_t ns)
{
    char text[40];
    uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    put(line, text,
        (size_t)snprintf(text, sizeof text, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000, size % 1000000000));
}

static const struct sp_callpath *path_of(const struct sp_events_csv *csv, int32_t callpath)
{
    return &sp_file_callpaths(csv->run->file)[callpath];
}

/* From the root on. The way up is kept in a list on the side. */
static void put_path(struct sp_events_csv *csv, int32_t callpath)
{
    int32_t depth = path_of(csv, callpath)->depth, near[64], *way = depth < 64 ? near : malloc(((size_t)depth + 1) * sizeof *way);
    bool quotes = false;
    if (!way) {
        csv->line.failed = true;
        return;
    }
    for (int32_t i = depth, path = callpath; i >= 0; i--, path = path_of(csv, path)->parent) {
        way[i] = path_of(csv, path)->region;
        quotes = quotes || csv->regions[way[i]].needs_quotes;
    }
    put_string(&csv->line, quotes ? "\"" : "");
    for (int32_t i = 0; i <= depth; i++) {
        put_string(&csv->line, i ? " > " : "");
        put_string(&csv->line, csv->regions[way[i]].escaped);
    }
    put_string(&csv->line, quotes ? "\"" : "");
    if (way != near)
        free(way);
}

/* ---- messages ---- */

/* The lane's next message; NULL after the last. */
static int peek(struct sp_events_csv *csv, struct messages *messages, const struct sp_message **message, struct sp_error *err)
{
    *message = NULL;
    if (messages->at == messages->count && messages->next < messages->end) {
        uint64_t left = messages->end - messages->next;
        messages->count = left < MESSAGES ? (size_t)left : MESSAGES;
        messages->at = 0;
        if (sp_file_read_messages(csv->run->file, messages->next, messages->count, messages->rows, err))
            return -1;
        messages->next += messages->count;
    }
    if (messages->at < messages->count)
        *message = &messages->rows[messages->at];
    return 0;
}

/* What the messages of one call have in common; -1: nothing, or not known. */
struct traffic {
    uint64_t count;
    int64_t bytes;
    int32_t peer, tag, communicator;
};

static void add_message(struct traffic *traffic, const struct sp_message *message)
{
    bool first = !traffic->count++;
    if (message->operation < 11) /* what was exchanged, not what there was room for */
        traffic->bytes += message->bytes;
    traffic->peer = first || traffic->peer == message->peer ? message->peer : -1;
    traffic->tag = first || traffic->tag == message->tag ? message->tag : -1;
    traffic->communicator = first || traffic->communicator == message->communicator ? message->communicator : -1;
}

static int take_messages(struct sp_events_csv *csv, const struct sp_rank_call *call, struct traffic *traffic, struct sp_error *err)
{
    struct messages *messages = &csv->lanes[call->lane - csv->first_lane];
    const struct sp_message *message;
    *traffic = (struct traffic){.peer = -1, .tag = -1, .communicator = -1};
    for (;;) {
        if (peek(csv, messages, &message, err))
            return -1;
        if (!message || message->event > call->event)
            return 0;
        if (message->event == call->event)
            add_message(traffic, message);
        messages->at++;
    }
}

static void put_traffic(struct sp_events_csv *csv, const struct traffic *traffic)
{
    struct line *line = &csv->line;
    if (traffic->count && traffic->peer >= 0)
        put_number(line, traffic->peer);
    put_string(line, ",");
    if (traffic->count)
        put_number(line, traffic->bytes);
    put_string(line, ",");
    if (traffic->count && traffic->tag >= 0)
        put_number(line, traffic->tag);
    put_string(line, ",");
    if (traffic->count && traffic->communicator >= 0)
        put_text(line, &csv->communicators[traffic->communicator]);
    put_string(line, "\r\n");
}

/* ---- a rank ---- */

static int make_line(
    struct sp_events_csv *csv, int32_t rank, const struct sp_rank_call *call, const struct traffic *traffic, struct sp_error *err)
{
    struct line *line = &csv->line;
    int32_t region = path_of(csv, call->callpath)->region;
    line->used = 0;
    put_text(line, &csv->file);
    put_string(line, ",");
    put_number(line, rank);
    put_string(line, ",");
    put_number(line, sp_file_lanes(csv->run->file)[call->lane].index);
    put_string(line, ",");
    put_number(line, (int64_t)csv->call_indices[region]++);
    put_string(line, ",");
    put_text(line, &csv->regions[region]);
    put_string(line, ",");
    put_path(csv, call->callpath);
    put_string(line, ",");
    put_time(line, call->start_ns);
    put_string(line, ",");
    if (call->duration_ns >= 0)
        put_time(line, call->start_ns + call->duration_ns);
    put_string(line, ",");
    if (call->duration_ns >= 0)
        put_time(line, call->duration_ns);
    put_string(line, ",");
    put_traffic(csv, traffic);
    return line->failed ? sp_fail(err, "out of memory") : 0;
}

static int write_call(
    struct sp_events_csv *csv, int32_t rank, const struct sp_rank_call *call, FILE *out, uint64_t *bytes, struct sp_error *err)
{
    struct traffic traffic;
    if (take_messages(csv, call, &traffic, err))
        return -1;
    if (!csv->run->regions[path_of(csv, call->callpath)->region].selected)
        return 0;
    if (!sp_window_takes(&csv->run->window, sp_file_lanes(csv->run->file)[call->lane].end_ns, call->start_ns, call->duration_ns)) {
        csv->call_indices[path_of(csv, call->callpath)->region]++;
        return 0;
    }
    if (make_line(csv, rank, call, &traffic, err))
        return -1;
    *bytes += csv->line.used;
    if (out)
        fwrite(csv->line.text, 1, csv->line.used, out);
    return 0;
}

int sp_events_csv_rank(struct sp_events_csv *csv, int32_t rank, FILE *out, uint64_t *bytes, struct sp_error *err)
{
    struct sp_rank_calls *calls = NULL;
    struct sp_rank_call call;
    memset(csv->call_indices, 0, (size_t)csv->run->info->region_count * sizeof *csv->call_indices);
    int status = open_lanes(csv, rank, err) || sp_rank_calls_open(csv->run->file, rank, &calls, err) ? -1 : 0, more = status ? 0 : 1;
    while (!status && (more = sp_rank_calls_next(calls, &call, err)) > 0)
        status = write_call(csv, rank, &call, out, bytes, err);
    sp_rank_calls_close(calls);
    close_lanes(csv);
    return status || more < 0 ? -1 : 0;
}
