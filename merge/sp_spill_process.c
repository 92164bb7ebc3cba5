/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_spill_process.h"

#include <stdlib.h>
#include <string.h>

static uint64_t padded(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* The region record at p, if bytes hold one whole. Returns its length, 0 if not. */
static uint64_t region_at(const unsigned char *p, uint64_t bytes, struct sp_region_view *view)
{
    const struct sp_spill_region *record = (const void *)p;
    if (bytes < sizeof *record || record->record_bytes > bytes || record->record_bytes % 8 != 0)
        return 0;
    uint64_t texts = (uint64_t)record->name_bytes + record->file_bytes + record->tags_bytes;
    if (sizeof *record + texts > record->record_bytes)
        return 0;
    const char *text = (const char *)(record + 1);
    *view = (struct sp_region_view){record, text, text + record->name_bytes, text + record->name_bytes + record->file_bytes};
    return record->record_bytes;
}

static uint64_t communicator_at(const unsigned char *p, uint64_t bytes, struct sp_communicator_view *view)
{
    const struct sp_spill_communicator *record = (const void *)p;
    if (bytes < sizeof *record || record->record_bytes > bytes || record->record_bytes % 8 != 0 || record->member_count < 0)
        return 0;
    uint64_t name = record->member_count > 0 ? padded(record->name_bytes) : record->name_bytes;
    if (sizeof *record + name + (uint64_t)record->member_count * sizeof(int32_t) > record->record_bytes)
        return 0;
    const char *text = (const char *)(record + 1);
    *view = (struct sp_communicator_view){record, text, record->member_count > 0 ? (const void *)(text + name) : NULL};
    return record->record_bytes;
}

/* Records of a segment, put under their ids; ids from limit on are damage. Returns the number of ids used. */
static uint32_t read_regions(const struct sp_segment *segment, struct sp_region_view *views, uint32_t limit)
{
    struct sp_region_view view;
    uint64_t at = 0, id = segment->first, length;
    for (uint64_t i = 0; i < segment->count && id < limit; i++, id++, at += length) {
        length = region_at(segment->payload + at, segment->payload_bytes - at, &view);
        if (length == 0)
            break;
        views[id] = view;
    }
    return id < limit ? (uint32_t)id : limit;
}

static uint32_t read_communicators(const struct sp_segment *segment, struct sp_communicator_view *views, uint32_t limit)
{
    struct sp_communicator_view view;
    uint64_t at = 0, id = segment->first, length;
    for (uint64_t i = 0; i < segment->count && id < limit; i++, id++, at += length) {
        length = communicator_at(segment->payload + at, segment->payload_bytes - at, &view);
        if (length == 0)
            break;
        views[id] = view;
    }
    return id < limit ? (uint32_t)id : limit;
}

/* The most records of a type that the file can hold. */
static uint32_t record_limit(const struct sp_spill *spill, uint32_t type, uint64_t smallest)
{
    struct sp_segment segment;
    uint64_t cursor = 0, limit = 0;
    while (sp_spill_next(spill, &cursor, &segment))
        if (segment.type == type) {
            uint64_t most = segment.payload_bytes / smallest;
            limit += segment.count < most ? segment.count : most;
        }
    return limit < INT32_MAX ? (uint32_t)limit : INT32_MAX;
}

static void read_segment(
    const struct sp_segment *segment, uint32_t region_limit, uint32_t communicator_limit, struct sp_spill_process *process)
{
    uint32_t used;
    switch (segment->type) {
    case SP_SEGMENT_REGIONS:
        used = read_regions(segment, process->regions, region_limit);
        if (used > process->region_count)
            process->region_count = used;
        break;
    case SP_SEGMENT_COMMUNICATORS:
        used = read_communicators(segment, process->communicators, communicator_limit);
        if (used > process->communicator_count)
            process->communicator_count = used;
        break;
    case SP_SEGMENT_RANK:
        if (segment->count > 0)
            process->rank = (const void *)segment->payload;
        break;
    case SP_SEGMENT_METADATA:
        process->metadata = (const char *)segment->payload;
        process->metadata_bytes = strnlen(process->metadata, (size_t)segment->payload_bytes);
        break;
    default: break;
    }
}

int sp_spill_process_read(const struct sp_spill *spill, struct sp_spill_process *process, struct sp_error *err)
{
    struct sp_segment segment;
    uint64_t cursor = 0;
    uint32_t regions = record_limit(spill, SP_SEGMENT_REGIONS, sizeof(struct sp_spill_region));
    uint32_t communicators = record_limit(spill, SP_SEGMENT_COMMUNICATORS, sizeof(struct sp_spill_communicator));

    memset(process, 0, sizeof *process);
    process->regions = calloc((size_t)regions + 1, sizeof *process->regions);
    process->communicators = calloc((size_t)communicators + 1, sizeof *process->communicators);
    if (!process->regions || !process->communicators) {
        sp_spill_process_free(process);
        return sp_fail(err, "%s: out of memory", sp_spill_name(spill));
    }
    while (sp_spill_next(spill, &cursor, &segment))
        read_segment(&segment, regions, communicators, process);
    return 0;
}

void sp_spill_process_free(struct sp_spill_process *process)
{
    free(process->regions);
    free(process->communicators);
    memset(process, 0, sizeof *process);
}
