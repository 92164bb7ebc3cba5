/* SPDX-License-Identifier: BSD-3-Clause */
/* Spill files. The rings at the head of a lane's file are nearly 2 MB: the input has 512 bytes of header, 64 entries of each ring one after
 * another, then the segments. */
#include "sp_spill_lane.h"
#include "sp_spill_process.h"

#include <stdlib.h>
#include <string.h>

#define HEADER 512
_Static_assert(sizeof(struct sp_spill_header) <= HEADER, "the header fits");

struct part {
    size_t at, bytes;
};

static const struct part parts[] = {{0, HEADER}, {SP_SPILL_EVENTS_AT, 64 * 16}, {SP_SPILL_MESSAGES_AT, 64 * 48},
    {SP_SPILL_CLOSES_AT, 64 * 16}, {SP_SPILL_OPEN_AT, 64 * 24}};

static void read_lane(const struct sp_spill *spill)
{
    struct sp_spill_lane *lane;
    struct sp_error err = {0};
    size_t runs, message_runs;
    volatile uint64_t sum = 0;
    if (sp_spill_lane_open(spill, &lane, &err) < 0)
        return;
    const struct sp_event_run *events = sp_spill_lane_events(lane, &runs);
    const struct sp_message_run *messages = sp_spill_lane_messages(lane, &message_runs);
    for (size_t i = 0; i < runs; i++)
        for (uint64_t k = 0; k < events[i].count; k++) {
            sum += sp_spill_lane_duration(lane, events[i].first + k, &events[i].events[k]);
            if (!sp_spill_lane_node(lane, events[i].events[k].node))
                abort();
        }
    for (size_t i = 0; i < message_runs; i++)
        for (uint64_t k = 0; k < messages[i].count; k++)
            sum += sp_spill_lane_row(lane, messages[i].messages[k].event);
    for (uint32_t i = 0; i < sp_spill_lane_node_count(lane); i++) {
        struct sp_stats stats;
        if (sp_spill_lane_node(lane, i))
            sp_spill_lane_stats(lane, i, &stats);
    }
    sum += sp_spill_lane_end(lane) + sp_spill_lane_dropped(lane);
    sp_spill_lane_close(lane);
}

static void read_process(const struct sp_spill *spill)
{
    struct sp_spill_process process;
    struct sp_error err = {0};
    volatile unsigned sum = 0;
    if (sp_spill_process_read(spill, &process, &err) < 0)
        return;
    for (uint32_t i = 0; i < process.region_count; i++)
        if (process.regions[i].record && process.regions[i].record->name_bytes > 0)
            sum += (unsigned char)process.regions[i].name[process.regions[i].record->name_bytes - 1];
    if (process.metadata && process.metadata_bytes > 0)
        sum += (unsigned char)process.metadata[process.metadata_bytes - 1];
    sp_spill_process_free(&process);
}

/* The image that the input stands for, malloc'ed. */
static unsigned char *unfold(const uint8_t *data, size_t size, size_t *bytes)
{
    struct sp_spill_header header;
    memset(&header, 0, sizeof header);
    memcpy(&header, data, size < sizeof header ? size : sizeof header);
    int is_lane = header.kind == SP_SPILL_LANE;
    size_t head = is_lane ? SP_SPILL_LANE_HEAD : SP_SPILL_PAGE;
    unsigned char *image = calloc(1, head + size);
    for (size_t i = 0; image && i < (is_lane ? sizeof parts / sizeof parts[0] : 1); i++) {
        size_t take = size < parts[i].bytes ? size : parts[i].bytes;
        memcpy(image + parts[i].at, data, take);
        data += take;
        size -= take;
    }
    if (image)
        memcpy(image + head, data, size);
    *bytes = head + size;
    return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sp_spill *spill;
    struct sp_error err = {0};
    struct sp_segment segment;
    uint64_t cursor = 0;
    size_t bytes;
    unsigned char *image = unfold(data, size, &bytes);
    if (image && sp_spill_open_image(image, bytes, "input", &spill, &err) == 0) {
        while (sp_spill_next(spill, &cursor, &segment))
            if (segment.payload + segment.payload_bytes > image + bytes)
                abort();
        if (sp_spill_header(spill)->kind == SP_SPILL_LANE)
            read_lane(spill);
        else
            read_process(spill);
        sp_spill_close(spill);
    }
    free(image);
    return 0;
}
