/* SPDX-License-Identifier: BSD-3-Clause */
/* list_calls RUN.h5 [WHAT]: what a run file says of the MPI calls of each rank, a line each, sorted by rank and name:
 *     rank function calls sent received
 * bytes from the messages where there is a trace, which must add up to those of the statistics; else their sum and "-".
 * WHAT communicators: a line each, size, members and name. WHAT peers: rank, peer, bytes sent to and received from it.
 * WHAT events: rank, function and how many events it left.
 * WHAT times: rank, function and the time of its calls in ns.
 * WHAT requests: of each rank how many messages carry a request number, and how many different ones. */
#include "scope_profiler_file.h"
#include "sp_error.h"
#include "sp_file_internal.h"
#include "sp_spill.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    int32_t rank;
    const char *name;
    uint64_t calls;
    int64_t sent, received, posted, counted;
};

static struct sp_file *file;
static struct row *rows;
static size_t row_count;

static void stop(const char *why)
{
    fprintf(stderr, "list_calls: %s\n", why);
    exit(2);
}

static struct row *row_at(int32_t rank, int32_t callpath)
{
    int32_t region = sp_file_callpaths(file)[callpath].region;
    const char *name = sp_file_region_name(file, region, NULL);
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].rank == rank && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    rows[row_count] = (struct row){.rank = rank, .name = name};
    return &rows[row_count++];
}

static int is_mpi(int32_t callpath)
{
    return sp_file_regions(file)[sp_file_callpaths(file)[callpath].region].kind == 1;
}

static void add_statistics(void)
{
    uint64_t count = sp_file_info(file)->statistic_count;
    struct sp_statistic *statistics = calloc(count + 1, sizeof *statistics);
    if (!statistics || sp_file_read_statistics(file, 0, count, statistics, NULL) < 0)
        stop("no statistics");
    for (uint64_t i = 0; i < count; i++) {
        if (!is_mpi(statistics[i].callpath))
            continue;
        struct row *row = row_at(sp_file_lanes(file)[statistics[i].lane].rank, statistics[i].callpath);
        row->calls += statistics[i].calls;
        row->counted += statistics[i].bytes_sent + statistics[i].bytes_received;
    }
    free(statistics);
}

/* The call paths of all events, so that a message finds the call it belongs to. */
static int32_t *read_callpaths(void)
{
    const struct sp_file_info *info = sp_file_info(file);
    int32_t *callpaths = calloc(info->event_count + 1, sizeof *callpaths);
    for (uint64_t block = 0; callpaths && block < info->event_block_count; block++)
        if (sp_file_read_events(file, block, NULL, NULL, callpaths + sp_file_event_blocks(file)[block].first_event, NULL) < 0)
            stop("no events");
    return callpaths;
}

static struct sp_message *read_messages(void)
{
    uint64_t count = sp_file_info(file)->message_count;
    struct sp_message *messages = calloc(count + 1, sizeof *messages);
    if (!messages || sp_file_read_messages(file, 0, count, messages, NULL) < 0)
        stop("no messages");
    return messages;
}

static void add_messages(void)
{
    const struct sp_file_info *info = sp_file_info(file);
    struct sp_message *messages = read_messages();
    int32_t *callpaths = read_callpaths();
    if (!callpaths)
        stop("no memory");
    for (int32_t lane = 0; lane < info->lane_count; lane++) {
        const struct sp_lane *l = &sp_file_lanes(file)[lane];
        for (uint64_t i = l->first_message; i < l->first_message + l->message_count; i++) {
            struct row *row = row_at(l->rank, callpaths[messages[i].event]);
            if (sp_spill_direction(messages[i].operation) > 0)
                row->sent += messages[i].bytes;
            else if (messages[i].operation == SP_OPERATION_RECEIVE_POSTED)
                row->posted += messages[i].bytes;
            else
                row->received += messages[i].bytes;
        }
    }
    free(messages);
    free(callpaths);
}

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank) : strcmp(x->name, y->name);
}

static void print_calls(int has_trace)
{
    qsort(rows, row_count, sizeof *rows, compare);
    for (size_t i = 0; i < row_count; i++) {
        const struct row *r = &rows[i];
        if (has_trace && r->sent + r->received != r->counted)
            stop("messages and statistics differ");
        if (has_trace)
            printf("%d %s %" PRIu64 " %" PRId64 " %" PRId64 "\n", r->rank, r->name, r->calls, r->sent, r->received);
        else
            printf("%d %s %" PRIu64 " %" PRId64 " -\n", r->rank, r->name, r->calls, r->counted);
    }
}

static void print_posted(void)
{
    add_messages();
    qsort(rows, row_count, sizeof *rows, compare);
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].posted + rows[i].received > 0)
            printf("%d %s %" PRId64 " %" PRId64 "\n", rows[i].rank, rows[i].name, rows[i].posted, rows[i].received);
}

static void print_peers_of(int32_t rank, const struct sp_message *messages)
{
    int32_t ranks = sp_file_info(file)->rank_count;
    for (int32_t peer = 0; peer < ranks; peer++) {
        int64_t sent = 0, received = 0;
        for (int32_t lane = 0; lane < sp_file_info(file)->lane_count; lane++) {
            const struct sp_lane *l = &sp_file_lanes(file)[lane];
            for (uint64_t i = l->first_message; l->rank == rank && i < l->first_message + l->message_count; i++) {
                int direction = messages[i].peer == peer ? sp_spill_direction(messages[i].operation) : 0;
                sent += direction > 0 ? messages[i].bytes : 0;
                received += direction < 0 ? messages[i].bytes : 0;
            }
        }
        if (sent + received > 0)
            printf("%d %d %" PRId64 " %" PRId64 "\n", rank, peer, sent, received);
    }
}

static void print_peers(void)
{
    struct sp_message *messages = read_messages();
    for (int32_t rank = 0; rank < sp_file_info(file)->rank_count; rank++)
        print_peers_of(rank, messages);
    free(messages);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void print_requests(void)
{
    struct sp_message *messages = read_messages();
    uint64_t *numbers = calloc(sp_file_info(file)->message_count + 1, sizeof *numbers);
    for (int32_t lane = 0; numbers && lane < sp_file_info(file)->lane_count; lane++) {
        const struct sp_lane *l = &sp_file_lanes(file)[lane];
        size_t count = 0, different = 0;
        for (uint64_t i = l->first_message; i < l->first_message + l->message_count; i++)
            if (messages[i].request > 0)
                numbers[count++] = (uint64_t)messages[i].request;
        qsort(numbers, count, sizeof *numbers, compare_numbers);
        for (size_t i = 0; i < count; i++)
            different += i == 0 || numbers[i] != numbers[i - 1];
        printf("%d %zu %zu\n", l->rank, count, different);
    }
    free(numbers);
    free(messages);
}

static void print_events(void)
{
    int32_t *callpaths = read_callpaths();
    for (int32_t lane = 0; callpaths && lane < sp_file_info(file)->lane_count; lane++) {
        const struct sp_lane *l = &sp_file_lanes(file)[lane];
        for (uint64_t i = l->first_event; i < l->first_event + l->event_count; i++)
            if (is_mpi(callpaths[i]))
                row_at(l->rank, callpaths[i])->calls++;
    }
    for (size_t i = 0; i < row_count; i++)
        printf("%d %s %" PRIu64 "\n", rows[i].rank, rows[i].name, rows[i].calls);
    free(callpaths);
}

static void print_times(void)
{
    uint64_t count = sp_file_info(file)->statistic_count;
    struct sp_statistic *statistics = calloc(count + 1, sizeof *statistics);
    if (!statistics || sp_file_read_statistics(file, 0, count, statistics, NULL) < 0)
        stop("no statistics");
    for (uint64_t i = 0; i < count; i++)
        if (is_mpi(statistics[i].callpath))
            row_at(sp_file_lanes(file)[statistics[i].lane].rank, statistics[i].callpath)->counted += statistics[i].total_ns;
    for (size_t i = 0; i < row_count; i++)
        printf("%d %s %" PRId64 "\n", rows[i].rank, rows[i].name, rows[i].counted);
    free(statistics);
}

static void print_communicators(void)
{
    for (int32_t i = 0; i < sp_file_info(file)->communicator_count; i++) {
        const struct sp_communicator *c = &sp_file_communicators(file)[i];
        printf("%d", c->size);
        for (uint32_t k = 0; k < c->member_count; k++)
            printf("%c%d", k ? ',' : ' ', file->members[c->first_member + k]);
        printf(" '%.*s'\n", (int)c->name_bytes, file->strings + c->name_offset);
    }
}

static void print_other(const char *what)
{
    static const struct {
        const char *what;
        void (*print)(void);
    } others[] = {{"communicators", print_communicators}, {"events", print_events}, {"peers", print_peers}, {"posted", print_posted},
        {"requests", print_requests}, {"times", print_times}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(what, others[i].what) == 0) {
            others[i].print();
            return;
        }
    stop("unknown kind of list");
}

int main(int argc, char **argv)
{
    struct sp_error err = {0};
    if (argc < 2 || sp_file_open(argv[1], &file, &err) < 0)
        stop(argc < 2 ? "usage: list_calls RUN.h5 [communicators|events|peers|posted|requests|times]" : err.text);
    const struct sp_file_info *info = sp_file_info(file);
    rows = calloc(info->statistic_count + 1, sizeof *rows);
    if (!rows)
        stop("no memory");
    if (argc > 2) {
        print_other(argv[2]);
    } else {
        add_statistics();
        if (info->trace != SP_TRACE_OFF)
            add_messages();
        print_calls(info->trace != SP_TRACE_OFF);
    }
    sp_file_close(file);
    free(rows);
    return 0;
}
