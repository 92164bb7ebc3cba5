/* SPDX-License-Identifier: BSD-3-Clause */
#include "spill_fixture.h"
#include "sp_histogram.h"
#include "sp_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 64
#define NODES 4096
#define BINS 4096

struct spill_image {
    unsigned char *bytes;
    size_t used, room;
    uint64_t region_count, communicator_count;
    /* lane */
    size_t nodes_at; /* payload of the segment of nodes */
    struct {
        uint32_t node;
        uint64_t event, start;
    } stack[DEPTH];
    int depth;
    uint64_t last_event;
    uint32_t last_node;
    struct sp_spill_bin bins[BINS]; /* appended when the lane is finished */
    struct sp_spill_traffic traffic[16];
    struct sp_spill_size sizes[64];
    uint32_t bin_count, traffic_count, size_count;
    uint64_t last_duration, summed_event;
};

static void reserve(struct spill_image *image, size_t more)
{
    size_t room = image->room ? image->room : 1 << 16;
    while (image->used + more > room)
        room *= 2;
    if (room == image->room)
        return;
    image->bytes = realloc(image->bytes, room);
    if (!image->bytes)
        abort();
    memset(image->bytes + image->room, 0, room - image->room);
    image->room = room;
}

struct sp_spill_header *spill_image_header(struct spill_image *image)
{
    return (void *)image->bytes;
}

void *spill_image_bytes(const struct spill_image *image, size_t *bytes)
{
    *bytes = image->used;
    return image->bytes;
}

static struct spill_image *create(const char *run_id, int rank, int rank_count, uint32_t kind, uint32_t head)
{
    struct spill_image *image = calloc(1, sizeof *image);
    if (!image)
        abort();
    reserve(image, head);
    image->used = head;
    struct sp_spill_header *header = spill_image_header(image);
    memcpy(header->magic, SP_SPILL_MAGIC, sizeof header->magic);
    header->version = SP_SPILL_VERSION;
    header->endian = SP_SPILL_ENDIAN;
    header->kind = kind;
    header->head_bytes = head;
    header->published_bytes = head;
    snprintf(header->run_id, sizeof header->run_id, "%s", run_id);
    snprintf(header->host, sizeof header->host, "node%d", rank / 2);
    snprintf(header->boot_id, sizeof header->boot_id, "boot%d", rank / 2);
    header->rank = rank;
    header->rank_count = rank_count;
    header->pid = 1000 + rank;
    header->clock = (struct sp_spill_clock){.source = SP_CLOCK_TSC, .first = {1000, 0}, .last = {{1000 + 2000000000, 1000000000}}};
    return image;
}

struct spill_image *spill_image_process(const char *run_id, int rank, int rank_count)
{
    return create(run_id, rank, rank_count, SP_SPILL_PROCESS, SP_SPILL_PAGE);
}

static struct sp_spill_node *node_of(struct spill_image *image, uint32_t id)
{
    return (struct sp_spill_node *)(void *)(image->bytes + image->nodes_at) + id;
}

static uint32_t add_node(struct spill_image *image, uint32_t parent, uint32_t region)
{
    uint32_t id = spill_image_header(image)->node_count++;
    if (id >= NODES)
        abort();
    *node_of(image, id) = (struct sp_spill_node){.parent = parent, .region = region, .first_start = UINT64_MAX};
    node_of(image, id)->sums[0].min = node_of(image, id)->sums[1].min = UINT64_MAX;
    return id;
}

struct spill_image *spill_image_lane(const char *run_id, int rank, int rank_count, int lane)
{
    static const unsigned char zeros[NODES * sizeof(struct sp_spill_node)];
    struct spill_image *image = create(run_id, rank, rank_count, SP_SPILL_LANE, SP_SPILL_LANE_HEAD);
    spill_image_append(image, SP_SEGMENT_NODES, 0, NODES, zeros, sizeof zeros);
    image->nodes_at = image->used - sizeof zeros;
    add_node(image, SP_NODE_NONE, SP_NODE_NONE);
    struct sp_spill_header *header = spill_image_header(image);
    header->lane = lane;
    header->lane_kind = lane == 0 ? SP_LANE_MAIN : SP_LANE_THREAD;
    header->lane_start = 1000;
    header->events_kept = header->messages_kept = UINT64_MAX;
    snprintf(header->lane_name, sizeof header->lane_name, "lane %d", lane);
    return image;
}

void spill_image_free(struct spill_image *image)
{
    if (!image)
        return;
    free(image->bytes);
    free(image);
}

void spill_image_append(struct spill_image *image, uint32_t type, uint64_t first, uint64_t count, const void *payload, size_t bytes)
{
    size_t padded = (bytes + 7) / 8 * 8;
    struct sp_spill_segment segment = {.type = type, .payload_bytes = padded, .first = first, .count = count};
    reserve(image, sizeof segment + padded);
    memcpy(image->bytes + image->used, &segment, sizeof segment);
    if (bytes > 0)
        memcpy(image->bytes + image->used + sizeof segment, payload, bytes);
    image->used += sizeof segment + padded;
    spill_image_header(image)->published_bytes = image->used;
}

void spill_image_region(struct spill_image *image, const char *name, int kind, int group)
{
    unsigned char record[4096] = {0};
    size_t length = strlen(name), bytes = (sizeof(struct sp_spill_region) + length + 7) / 8 * 8;
    struct sp_spill_region head = {
        .record_bytes = (uint32_t)bytes, .kind = (uint16_t)kind, .group = (uint16_t)group, .line = -1, .name_bytes = (uint32_t)length};
    memcpy(record, &head, sizeof head);
    memcpy(record + sizeof head, name, length);
    spill_image_append(image, SP_SEGMENT_REGIONS, image->region_count++, 1, record, bytes);
}

void spill_image_communicator(
    struct spill_image *image, uint64_t identity, uint64_t parent, const char *name, int size, const int32_t *members, int member_count)
{
    unsigned char record[4096] = {0};
    size_t length = strlen(name), name_room = (length + 7) / 8 * 8, member_bytes = (size_t)member_count * sizeof *members;
    size_t bytes = (sizeof(struct sp_spill_communicator) + name_room + member_bytes + 7) / 8 * 8;
    struct sp_spill_communicator head = {.record_bytes = (uint32_t)bytes,
        .name_bytes = (uint32_t)length,
        .identity = identity,
        .parent = parent,
        .size = size,
        .member_count = member_count};
    memcpy(record, &head, sizeof head);
    memcpy(record + sizeof head, name, length);
    if (member_bytes > 0)
        memcpy(record + sizeof head + name_room, members, member_bytes);
    spill_image_append(image, SP_SEGMENT_COMMUNICATORS, image->communicator_count++, 1, record, bytes);
}

void spill_image_rank(struct spill_image *image, const struct sp_spill_rank *rank)
{
    spill_image_append(image, SP_SEGMENT_RANK, 0, 1, rank, sizeof *rank);
}

void spill_image_metadata(struct spill_image *image, const char *json)
{
    spill_image_append(image, SP_SEGMENT_METADATA, 0, 1, json, strlen(json));
}

static uint32_t find_node(struct spill_image *image, uint32_t parent, uint32_t region)
{
    for (uint32_t id = 1; id < spill_image_header(image)->node_count; id++)
        if (node_of(image, id)->parent == parent && node_of(image, id)->region == region)
            return id;
    return add_node(image, parent, region);
}

static struct sp_spill_event *event_ring(struct spill_image *image)
{
    return (void *)(image->bytes + SP_SPILL_EVENTS_AT);
}

/* A tick is half a ns. */
static void add_to_bin(struct spill_image *image, uint32_t region, uint64_t duration)
{
    uint32_t bin = sp_histogram_bin((double)duration / 2), i = 0;
    while (i < image->bin_count && (image->bins[i].region != region || image->bins[i].bin != bin))
        i++;
    if (i == BINS)
        abort();
    image->bin_count += i == image->bin_count;
    image->bins[i].region = region;
    image->bins[i].bin = bin;
    image->bins[i].count[0]++;
}

static void add_call(struct spill_image *image, struct sp_spill_node *node, struct sp_spill_sums *sums, uint64_t start, uint64_t duration)
{
    add_to_bin(image, node->region, duration);
    sums->calls++;
    sums->total += duration;
    sums->min = duration < sums->min ? duration : sums->min;
    sums->max = duration > sums->max ? duration : sums->max;
    sp_squares_add(&sums->squares_low, &sums->squares_high, duration);
    if (start < node->first_start) {
        node->first_start = start;
        node->first = duration;
    }
    if (start >= node->last_start) {
        node->last_start = start;
        node->last = duration;
    }
}

/* Calls that are open are in no batch to come. */
static void list_open(struct spill_image *image)
{
    struct sp_spill_open *open = (void *)(image->bytes + SP_SPILL_OPEN_AT);
    for (int i = 0; i < image->depth; i++)
        open[i] = (struct sp_spill_open){.event = image->stack[i].event, .start = image->stack[i].start, .node = image->stack[i].node};
    spill_image_header(image)->open_count = (uint32_t)image->depth;
}

static void batch(struct spill_image *image)
{
    struct sp_spill_header *header = spill_image_header(image);
    list_open(image);
    for (uint32_t id = 0; id < header->node_count; id++) {
        struct sp_spill_node *node = node_of(image, id);
        int valid = sp_spill_valid_copy(node->batch, header->batches);
        node->sums[1 - valid] = node->sums[valid];
        node->batch[1 - valid] = header->batches + 1;
    }
    for (uint32_t i = 0; i < header->events_used; i++) {
        const struct sp_spill_event *event = &event_ring(image)[i];
        struct sp_spill_node *node = node_of(image, event->node);
        if (event->duration < SP_DURATION_LONG && header->events_first + i >= sp_spill_batched_until(header))
            add_call(image, node, &node->sums[sp_spill_valid_copy(node->batch, header->batches + 1)], event->start, event->duration);
    }
    header->batched_until[0] = header->batched_until[1] = header->events_first + header->events_used;
    header->batches++;
}

static void add_to_traffic(struct spill_image *image, const struct sp_spill_message *message, uint64_t ticks)
{
    uint32_t i = 0;
    while (
        i < image->traffic_count && (image->traffic[i].peer != message->peer || image->traffic[i].operation != (int32_t)message->operation))
        i++;
    image->traffic_count += i == image->traffic_count;
    image->traffic[i].peer = message->peer;
    image->traffic[i].operation = (int32_t)message->operation;
    image->traffic[i].sums[0].messages++;
    image->traffic[i].sums[0].bytes += message->bytes;
    image->traffic[i].sums[0].ticks += ticks;
}

static void add_to_sizes(struct spill_image *image, uint32_t region, const struct sp_spill_message *message, uint64_t ticks)
{
    uint32_t bin = sp_spill_direction((int)message->operation) < 0 ? SP_SIZE_RECEIVED : 0, i = 0;
    for (int64_t bytes = message->bytes; bytes > 0; bytes /= 2)
        bin++;
    while (i < image->size_count && (image->sizes[i].region != region || image->sizes[i].bin != bin))
        i++;
    image->size_count += i == image->size_count;
    image->sizes[i].region = region;
    image->sizes[i].bin = bin;
    image->sizes[i].sums[0].messages++;
    image->sizes[i].sums[0].bytes += message->bytes;
    image->sizes[i].sums[0].ticks += ticks;
}

/* A call's time goes to its first message of a kind; here calls differ in their number or in the messages between. */
static void sum_up_message(struct spill_image *image, const struct sp_spill_message *message)
{
    struct sp_spill_node *node = node_of(image, message->node);
    struct sp_spill_sums *sums = &node->sums[sp_spill_valid_copy(node->batch, spill_image_header(image)->batches)];
    int is_new = message->event + 1 != image->summed_event;
    if (message->operation == SP_OPERATION_SEND || message->operation == SP_OPERATION_COLLECTIVE)
        sums->bytes_sent += message->bytes;
    else
        sums->bytes_received += message->bytes;
    add_to_sizes(image, node->region, message, is_new ? message->ticks : 0);
    if (message->peer >= 0 && sp_spill_is_traffic((int)message->operation))
        add_to_traffic(image, message, is_new ? message->ticks : 0);
    image->summed_event = message->event + 1;
}

static void sum_up_messages(struct spill_image *image)
{
    struct sp_spill_header *header = spill_image_header(image);
    const struct sp_spill_message *ring = (const void *)(image->bytes + SP_SPILL_MESSAGES_AT);
    for (uint32_t i = 0; i < header->messages_used; i++)
        sum_up_message(image, &ring[i]);
    for (int copy = 0; copy < 2; copy++)
        header->summed[copy] =
            (struct sp_spill_summed){header->messages_first + header->messages_used, image->summed_event, image->summed_event};
}

static void flush_messages(struct spill_image *image)
{
    struct sp_spill_header *header = spill_image_header(image);
    uint32_t count = header->messages_used;
    sum_up_messages(image);
    void *copy = malloc(count * sizeof(struct sp_spill_message) + 1);
    if (!copy)
        abort();
    memcpy(copy, image->bytes + SP_SPILL_MESSAGES_AT, count * sizeof(struct sp_spill_message));
    spill_image_append(image, SP_SEGMENT_MESSAGES, header->messages_first, count, copy, count * sizeof(struct sp_spill_message));
    free(copy);
    header = spill_image_header(image);
    header->messages_first += count;
    header->messages_used = 0;
}

void spill_image_turn_over(struct spill_image *image)
{
    batch(image);
    struct sp_spill_header *header = spill_image_header(image);
    uint32_t count = header->events_used;
    void *copy = malloc(count * sizeof(struct sp_spill_event) + 1);
    if (!copy)
        abort();
    memcpy(copy, event_ring(image), count * sizeof(struct sp_spill_event));
    spill_image_append(image, SP_SEGMENT_EVENTS, header->events_first, count, copy, count * sizeof(struct sp_spill_event));
    free(copy);
    header = spill_image_header(image);
    header->events_first += count;
    header->events_used = 0;
    event_ring(image)[0].start = 0;
}

void spill_image_begin(struct spill_image *image, uint32_t region, uint64_t ticks)
{
    uint32_t parent = image->depth > 0 ? image->stack[image->depth - 1].node : 0, node = find_node(image, parent, region);
    if (spill_image_header(image)->events_used == SP_SPILL_RING_EVENTS)
        spill_image_turn_over(image);
    struct sp_spill_header *header = spill_image_header(image);
    event_ring(image)[header->events_used] = (struct sp_spill_event){ticks, SP_DURATION_OPEN, node};
    event_ring(image)[header->events_used + 1].start = 0;
    image->stack[image->depth].node = node;
    image->stack[image->depth].event = header->events_first + header->events_used++;
    image->stack[image->depth++].start = ticks;
}

static void close_late(struct spill_image *image, uint64_t number, uint64_t start, uint64_t duration, struct sp_spill_node *node)
{
    struct sp_spill_header *header = spill_image_header(image);
    struct sp_spill_close *closes = (void *)(image->bytes + SP_SPILL_CLOSES_AT);
    if (header->closes_used == SP_SPILL_RING_CLOSES)
        abort();
    closes[header->closes_used++] = (struct sp_spill_close){number, duration};
    if (number >= header->events_first)
        event_ring(image)[number - header->events_first].duration = SP_DURATION_LONG;
    add_call(image, node, &node->sums[sp_spill_valid_copy(node->batch, header->batches)], start, duration);
}

void spill_image_end(struct spill_image *image, uint64_t ticks)
{
    struct sp_spill_header *header = spill_image_header(image);
    image->depth--;
    uint64_t number = image->stack[image->depth].event, start = image->stack[image->depth].start, duration = ticks - start;
    struct sp_spill_node *node = node_of(image, image->stack[image->depth].node);
    if (number >= sp_spill_batched_until(header) && duration < SP_DURATION_LONG)
        event_ring(image)[number - header->events_first].duration = (uint32_t)duration;
    else
        close_late(image, number, start, duration, node);
    if (header->open_count > (uint32_t)image->depth)
        header->open_count = (uint32_t)image->depth;
    image->last_duration = duration;
    image->last_event = number;
    image->last_node = image->stack[image->depth].node;
}

void spill_image_message(struct spill_image *image, struct sp_spill_message message)
{
    message.event = image->last_event;
    message.node = image->last_node & 0xfffffff;
    message.ticks = image->last_duration;
    if (spill_image_header(image)->messages_used == SP_SPILL_RING_MESSAGES)
        flush_messages(image);
    struct sp_spill_message *ring = (void *)(image->bytes + SP_SPILL_MESSAGES_AT);
    ring[spill_image_header(image)->messages_used++] = message;
}

void spill_image_finish(struct spill_image *image, uint64_t ticks)
{
    batch(image);
    sum_up_messages(image);
    spill_image_append(image, SP_SEGMENT_BINS, 0, image->bin_count, image->bins, image->bin_count * sizeof *image->bins);
    spill_image_append(image, SP_SEGMENT_TRAFFIC, 0, image->traffic_count, image->traffic, image->traffic_count * sizeof *image->traffic);
    spill_image_append(image, SP_SEGMENT_SIZES, 0, image->size_count, image->sizes, image->size_count * sizeof *image->sizes);
    spill_image_header(image)->bin_count = image->bin_count;
    spill_image_header(image)->traffic_count = image->traffic_count;
    spill_image_header(image)->size_count = image->size_count;
    spill_image_header(image)->open_count = 0;
    spill_image_header(image)->lane_end = ticks;
}

int spill_image_save(const struct spill_image *image, const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return -1;
    size_t written = fwrite(image->bytes, 1, image->used, file);
    return fclose(file) == 0 && written == image->used ? 0 : -1;
}

/* Regions of a rank of the run, by id. */
enum { R_STEP, R_COMPUTE, R_SENDRECV, R_ALLREDUCE, R_OWN, R_UNUSED };

static void add_rank_regions(struct spill_image *process, int rank)
{
    char own[32];
    snprintf(own, sizeof own, "own of %d", rank % 3);
    spill_image_region(process, "step", SP_REGION_USER, 0);
    spill_image_region(process, "compute", SP_REGION_USER, 0);
    spill_image_region(process, "MPI_Sendrecv", SP_REGION_MPI, SP_GROUP_P2P);
    spill_image_region(process, "MPI_Allreduce", SP_REGION_MPI, SP_GROUP_COLLECTIVE);
    spill_image_region(process, own, SP_REGION_USER, 0);
    spill_image_region(process, "never entered", SP_REGION_USER, 0);
}

static void add_rank_communicators(struct spill_image *process, int rank, int rank_count)
{
    int32_t members[256];
    int count = rank_count < 256 ? rank_count : 256;
    for (int i = 0; i < count; i++)
        members[i] = i;
    spill_image_communicator(process, 11, 0, "MPI_COMM_WORLD", rank_count, members, rank == 0 ? count : 0);
    spill_image_communicator(process, 12, 11, rank == 0 ? "grid" : "", rank_count, NULL, 0);
}

/* One step of 1000 ns (2000 ticks) and one of Allreduce; returns when it ends. */
static uint64_t record_step(struct spill_image *lane, uint64_t at, uint64_t i, int rank, int rank_count)
{
    uint64_t jitter = i * 2654435761u % 64 * 2;
    spill_image_begin(lane, R_STEP, at);
    spill_image_begin(lane, R_COMPUTE, at + 20);
    if (i % 100 == 0) {
        spill_image_begin(lane, R_OWN, at + 30);
        spill_image_end(lane, at + 40);
    }
    spill_image_end(lane, at + 1000 + jitter);
    spill_image_begin(lane, R_SENDRECV, at + 1200);
    spill_image_end(lane, at + 1800);
    spill_image_message(lane,
        (struct sp_spill_message){
            .bytes = 800, .peer = (rank + 1) % rank_count, .tag = 7, .communicator = 1, .operation = SP_OPERATION_SEND});
    spill_image_message(lane,
        (struct sp_spill_message){
            .bytes = 640, .peer = (rank + rank_count - 1) % rank_count, .tag = 7, .communicator = 1, .operation = SP_OPERATION_RECEIVE});
    spill_image_end(lane, at + 2000);
    spill_image_begin(lane, R_ALLREDUCE, at + 2100);
    spill_image_end(lane, at + 2200);
    spill_image_message(
        lane, (struct sp_spill_message){.bytes = 8, .peer = -1, .tag = -1, .communicator = 0, .operation = SP_OPERATION_COLLECTIVE});
    return at + 2400;
}

void spill_run_rank(const char *run_id, int rank, int rank_count, uint64_t steps, struct spill_image **process, struct spill_image **lane)
{
    struct sp_spill_rank record = {.start = 1000,
        .mpi_init_end = 3000,
        .offset_ns = 100,
        .offset_last_ns = 100,
        .offset_error_ns = 50,
        .region_cost_ns = 25000,
        .state = SP_RANK_FINALIZED,
        .thread_level = 0,
        .max_rss_bytes = 1 << 20};
    uint64_t at = 4000;
    *process = spill_image_process(run_id, rank, rank_count);
    *lane = NULL;
    add_rank_regions(*process, rank);
    add_rank_communicators(*process, rank, rank_count);
    if (rank % 5 != 4) {
        *lane = spill_image_lane(run_id, rank, rank_count, 0);
        for (uint64_t i = 0; i < steps * (uint64_t)(rank + 1); i++)
            at = record_step(*lane, at, i, rank, rank_count);
        spill_image_finish(*lane, at);
    }
    record.finalize_begin = at;
    record.end = at + 1000;
    spill_image_rank(*process, &record);
    spill_image_metadata(*process, rank == 0 ? "{\"mpi_size\": 0, \"label\": \"fixture\"}" : "{}");
}

int spill_run_save(const char *directory, const char *run_id, int rank_count, uint64_t steps)
{
    int status = 0;
    for (int rank = 0; rank < rank_count; rank++) {
        struct spill_image *process, *lane;
        char name[64];
        spill_run_rank(run_id, rank, rank_count, steps, &process, &lane);
        snprintf(name, sizeof name, "r%06d-process", rank);
        status |= spill_image_save(process, directory, name);
        snprintf(name, sizeof name, "r%06d-lane0", rank);
        if (lane)
            status |= spill_image_save(lane, directory, name);
        spill_image_free(process);
        spill_image_free(lane);
    }
    return status;
}
