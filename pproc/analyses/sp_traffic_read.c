/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_traffic.h"

#include "sp_error.h"

#include <stdio.h>
#include <stdlib.h>

#define BATCH 4096

/* All that the file has is asked for: only then do its sums by key answer. */
static bool is_whole(const struct sp_run *run)
{
    if (sp_window_is_part(&run->window) || run->rank_count != run->info->rank_count)
        return false;
    for (int32_t i = 0; i < run->info->region_count; i++)
        if (run->regions[i].kind == SP_REGION_MPI && !run->regions[i].selected)
            return false;
    return true;
}

/* ---- from the tables ---- */

static int add_tables(const struct sp_run *run, struct sp_traffic_sums *sums, struct sp_error *err)
{
    const struct sp_traffic_row *peers = run->info->traffic_count ? sp_file_traffic(run->file, err) : NULL;
    const struct sp_message_size *sizes = run->info->message_size_count ? sp_file_message_sizes(run->file, err) : NULL;
    if ((run->info->traffic_count && !peers) || (run->info->message_size_count && !sizes))
        return -1;
    for (uint64_t i = 0; i < run->info->traffic_count; i++) {
        struct sp_sum sum = {
            {peers[i].source, peers[i].destination, peers[i].operation}, peers[i].messages, peers[i].bytes, peers[i].time_ns};
        if (sp_sums_add(&sums->peers, &sum, err))
            return -1;
    }
    for (uint64_t i = 0; i < run->info->message_size_count; i++) {
        struct sp_sum sum = {{sizes[i].region, sizes[i].direction, sizes[i].bin}, sizes[i].messages, sizes[i].bytes, sizes[i].time_ns};
        if (sp_sums_add(&sums->sizes, &sum, err))
            return -1;
    }
    return 0;
}

/* ---- from the trace ---- */

struct walk {
    const struct sp_run *run;
    struct sp_traffic_sums *sums;
    uint64_t block; /* the first one that is not behind the current lane */
    uint64_t room;
    int64_t *start_ns, *duration_ns;
    int32_t *callpath;
    struct sp_message *messages; /* BATCH */
    uint64_t next, end;          /* messages of the lane, not read yet */
    size_t at, count;            /* in memory */
};

static int load_block(struct walk *walk, const struct sp_event_block *block, struct sp_error *err)
{
    if (block->event_count > walk->room) {
        free(walk->start_ns);
        free(walk->duration_ns);
        free(walk->callpath);
        walk->start_ns = malloc(block->event_count * sizeof *walk->start_ns);
        walk->duration_ns = malloc(block->event_count * sizeof *walk->duration_ns);
        walk->callpath = malloc(block->event_count * sizeof *walk->callpath);
        walk->room = block->event_count;
        if (!walk->start_ns || !walk->duration_ns || !walk->callpath)
            return sp_fail(err, "out of memory");
    }
    return sp_file_read_events(walk->run->file, walk->block, walk->start_ns, walk->duration_ns, walk->callpath, err);
}

/* The next message of the lane; NULL: none, or *status is -1. */
static const struct sp_message *peek(struct walk *walk, int *status, struct sp_error *err)
{
    if (walk->at == walk->count) {
        uint64_t left = walk->end - walk->next;
        walk->at = 0;
        walk->count = left < BATCH ? (size_t)left : BATCH;
        if (!left)
            return NULL;
        *status = sp_file_read_messages(walk->run->file, walk->next, walk->count, walk->messages, err);
        walk->next += walk->count;
    }
    return *status ? NULL : &walk->messages[walk->at];
}

/* The message of event `at` of the block in memory, if that is selected. */
static int add_message(struct walk *walk, const struct sp_message *message, uint64_t at, const struct sp_lane *lane, struct sp_error *err)
{
    const struct sp_run *run = walk->run;
    int32_t region = sp_file_callpaths(run->file)[walk->callpath[at]].region;
    int64_t start_ns = walk->start_ns[at], duration_ns = walk->duration_ns[at];
    if (!run->regions[region].selected || !sp_window_takes(&run->window, lane->end_ns, start_ns, duration_ns))
        return 0;
    if (sp_window_is_part(&run->window))
        sp_window_clip(&run->window, lane->end_ns, &start_ns, &duration_ns);
    else if (duration_ns < 0) /* open until the record ended */
        duration_ns = lane->end_ns - start_ns;
    return sp_traffic_add(walk->sums, message, lane->rank, region, duration_ns, err);
}

static int walk_block(struct walk *walk, const struct sp_event_block *block, const struct sp_lane *lane, struct sp_error *err)
{
    const struct sp_message *message;
    int status = 0;
    if (load_block(walk, block, err))
        return -1;
    while (!status && (message = peek(walk, &status, err))) {
        if (message->event != UINT64_MAX && message->event >= block->first_event + block->event_count)
            break;
        if (message->event != UINT64_MAX && message->event >= block->first_event)
            status = add_message(walk, message, message->event - block->first_event, lane, err);
        walk->at++;
    }
    return status;
}

static int walk_lane(struct walk *walk, int32_t number, struct sp_error *err)
{
    const struct sp_file_info *info = walk->run->info;
    const struct sp_event_block *blocks = sp_file_event_blocks(walk->run->file);
    const struct sp_lane *lane = &sp_file_lanes(walk->run->file)[number];
    walk->next = lane->first_message;
    walk->end = lane->first_message + lane->message_count;
    walk->at = walk->count = 0;
    while (walk->block < info->event_block_count && blocks[walk->block].lane < number)
        walk->block++;
    for (; walk->block < info->event_block_count && blocks[walk->block].lane == number; walk->block++)
        if (lane->message_count && walk_block(walk, &blocks[walk->block], lane, err))
            return -1;
    return 0;
}

/* This process's share of the lanes. */
static int walk_share(const struct sp_crew *crew, struct walk *walk, struct sp_error *err)
{
    const struct sp_run *run = walk->run;
    const struct sp_lane *lanes = sp_file_lanes(run->file);
    size_t lane_count = (size_t)run->info->lane_count, first, end;
    uint64_t *weights = calloc(lane_count + 1, sizeof *weights);
    walk->messages = calloc(BATCH, sizeof *walk->messages);
    int status = weights && walk->messages ? 0 : sp_fail(err, "out of memory");
    for (size_t i = 0; weights && i < lane_count; i++)
        weights[i] = run->ranks[lanes[i].rank] ? lanes[i].message_count : 0;
    if (!status)
        sp_crew_split(weights, lane_count, crew->rank, crew->size, &first, &end);
    for (size_t i = first; !status && i < end; i++)
        if (weights[i])
            status = walk_lane(walk, (int32_t)i, err);
    free(weights);
    free(walk->messages);
    free(walk->start_ns);
    free(walk->duration_ns);
    free(walk->callpath);
    return status;
}

/* Sums of all processes on process 0. Collective. */
static int gather(const struct sp_crew *crew, struct sp_sums *sums, struct sp_error *err)
{
    void *all;
    size_t count;
    int status = 0;
    if (sp_crew_gather(crew, sums->items, sizeof *sums->items, sums->count, &all, &count, err))
        return -1;
    sp_sums_free(sums);
    for (size_t i = 0; !status && i < count; i++)
        status = sp_sums_add(sums, &((struct sp_sum *)all)[i], err);
    free(all);
    return sp_crew_agree(crew, status, err);
}

static int gather_all(const struct sp_crew *crew, struct sp_traffic_sums *sums, struct sp_error *err)
{
    return gather(crew, &sums->peers, err) || gather(crew, &sums->sizes, err) || gather(crew, &sums->usages, err) ? -1 : 0;
}

static void say(char *note, size_t size, const struct sp_run *run)
{
    const char *why = run->info->trace == SP_TRACE_OFF ? "the run recorded statistics only"
        : run->info->trace == SP_TRACE_TRUNCATED       ? "the trace was cut; what it holds is counted"
                                                       : "";
    snprintf(note, size, "%s", why);
}

static int make_rows(struct sp_traffic_sums *sums, struct sp_traffic *traffic, struct sp_error *err)
{
    sp_sums_sort(&sums->peers);
    sp_sums_sort(&sums->sizes);
    sp_sums_sort(&sums->usages);
    if (sp_peers_make(&sums->peers, &traffic->peers, &traffic->peer_count, err))
        return -1;
    if (sp_sizes_make(&sums->sizes, &traffic->sizes, &traffic->size_count, err))
        return -1;
    return sp_usages_make(&sums->usages, &traffic->usages, &traffic->usage_count, err);
}

int sp_traffic_read(
    const struct sp_crew *crew, const struct sp_run *run, bool communicators, struct sp_traffic *traffic, struct sp_error *err)
{
    struct sp_traffic_sums sums = {0};
    bool tables = is_whole(run) && (run->info->message_size_count || !run->info->message_count);
    int status = 0;
    *traffic = (struct sp_traffic){0};
    if (!tables || communicators) {
        struct walk walk = {.run = run, .sums = &sums};
        status = sp_crew_agree(crew, walk_share(crew, &walk, err), err);
        if (!status)
            status = gather_all(crew, &sums, err);
    }
    if (!tables)
        say(traffic->note, sizeof traffic->note, run);
    if (communicators)
        say(traffic->usage_note, sizeof traffic->usage_note, run);
    if (!status && tables) {
        sp_sums_free(&sums.peers);
        sp_sums_free(&sums.sizes);
        if (crew->rank == 0)
            status = add_tables(run, &sums, err);
    }
    if (!status && crew->rank == 0)
        status = make_rows(&sums, traffic, err);
    sp_traffic_sums_free(&sums);
    if (!sp_crew_agree(crew, status, err))
        return 0;
    sp_traffic_free(traffic);
    return -1;
}
