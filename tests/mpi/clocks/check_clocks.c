/* SPDX-License-Identifier: BSD-3-Clause */
/* check_clocks RUN.h5 measured|calendar AHEAD...: a run of token.c whose rank r read a clock that was AHEAD[r] seconds ahead. The offsets are what they were
 * set to, and no call ends before the one it waits for begins: each within the error that the file states. */
#include "scope_profiler_file.h"
#include "sp_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20 };

struct calls {
    int64_t start_ns[ROUNDS], end_ns[ROUNDS];
    int count;
};

static const int64_t second_ns = 1000000000; /* stated where clocks are compared by the calendar */
static int failures, by_calendar;

static void fail(const char *what, int rank, int64_t value, int64_t bound)
{
    fprintf(stderr, "rank %d: %s: %lld ns, allowed %lld\n", rank, what, (long long)value, (long long)bound);
    failures++;
}

static int read_calls(struct sp_file *file, int rank, const char *function, struct calls *calls)
{
    const struct sp_file_info *info = sp_file_info(file);
    calls->count = 0;
    for (uint64_t b = 0; b < info->event_block_count; b++) {
        const struct sp_event_block *block = &sp_file_event_blocks(file)[b];
        if (sp_file_lanes(file)[block->lane].rank != rank)
            continue;
        int64_t *starts = calloc(block->event_count, sizeof *starts), *durations = calloc(block->event_count, sizeof *durations);
        int32_t *paths = calloc(block->event_count, sizeof *paths);
        if (!starts || !durations || !paths || sp_file_read_events(file, b, starts, durations, paths, NULL) < 0)
            exit(2);
        for (uint64_t i = 0; i < block->event_count && calls->count < ROUNDS; i++) {
            if (strcmp(sp_file_region_name(file, sp_file_callpaths(file)[paths[i]].region, NULL), function) != 0)
                continue;
            calls->start_ns[calls->count] = starts[i];
            calls->end_ns[calls->count++] = starts[i] + durations[i];
        }
        free(starts);
        free(durations);
        free(paths);
    }
    return calls->count == ROUNDS ? 0 : -1;
}

static void check_offset(const struct sp_rank *first, const struct sp_rank *own, int rank, int64_t ahead_ns)
{
    int64_t off = own->offset_first_ns - first->offset_first_ns - ahead_ns,
            off_last = own->offset_last_ns - first->offset_last_ns - ahead_ns;
    if (llabs(off) > own->offset_error_ns + first->offset_error_ns)
        fail("the first offset is off", rank, off, own->offset_error_ns);
    if (llabs(off_last) > own->offset_error_ns + first->offset_error_ns)
        fail("the last offset is off", rank, off_last, own->offset_error_ns);
    if (by_calendar ? own != first && own->offset_error_ns < second_ns : own->offset_error_ns >= second_ns)
        fail("the error is not that of this way to compare clocks", rank, own->offset_error_ns, second_ns);
    printf("rank %d: %lld s ahead, off by %lld and %lld ns, error %lld ns\n", rank, (long long)(ahead_ns / second_ns), (long long)off,
        (long long)off_last, (long long)own->offset_error_ns);
}

/* The sender may not be done before the receiver was there, nor the receiver before the sender was. */
static void check_order(struct sp_file *file, int from, int to)
{
    const struct sp_rank *ranks = sp_file_ranks(file);
    struct calls sent, received;
    int64_t error_ns = ranks[from].offset_error_ns + ranks[to].offset_error_ns;
    if (read_calls(file, from, "MPI_Ssend", &sent) < 0 || read_calls(file, to, "MPI_Recv", &received) < 0) {
        fail("not all calls are there", from, sent.count, ROUNDS);
        return;
    }
    for (int i = 0; i < ROUNDS; i++) {
        if (received.end_ns[i] < sent.start_ns[i] - error_ns)
            fail("received before it was sent", to, received.end_ns[i] - sent.start_ns[i], -error_ns);
        if (sent.end_ns[i] < received.start_ns[i] - error_ns)
            fail("sent before it was received", from, sent.end_ns[i] - received.start_ns[i], -error_ns);
    }
}

int main(int argc, char **argv)
{
    struct sp_file *file = NULL;
    struct sp_error err = {0};
    if (argc < 4 || sp_file_open(argv[1], &file, &err) < 0) {
        fprintf(stderr, "check_clocks: %s\n", argc >= 4 ? err.text : "usage: check_clocks RUN.h5 measured|calendar AHEAD...");
        return 2;
    }
    by_calendar = strcmp(argv[2], "calendar") == 0;
    int rank_count = sp_file_info(file)->rank_count;
    if (rank_count != argc - 3)
        fail("the number of ranks", 0, rank_count, argc - 3);
    for (int r = 0; !failures && r < rank_count; r++)
        check_offset(
            sp_file_ranks(file), &sp_file_ranks(file)[r], r, (strtoll(argv[3 + r], NULL, 10) - strtoll(argv[3], NULL, 10)) * second_ns);
    for (int r = 0; !failures && r < rank_count; r++)
        check_order(file, r, (r + 1) % rank_count);
    sp_file_close(file);
    return failures > 0;
}
