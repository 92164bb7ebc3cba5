/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_spill_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct sp_spill {
    const unsigned char *image;
    uint64_t bytes;
    void *mapping; /* NULL: the image is the caller's */
    char *name;
    struct sp_spill_header header;
};

/* Maps a regular file; an empty one gives no mapping and no failure. */
static int map_file(const char *path, void **mapping, uint64_t *bytes, struct sp_error *err)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return sp_fail_as(err, SP_EXIT_INPUT, "%s: %s", path, strerror(errno));
    *mapping = NULL;
    if (fstat(fd, &status) < 0) {
        sp_fail_as(err, SP_EXIT_INPUT, "%s: %s", path, strerror(errno));
        goto fail;
    }
    if (!S_ISREG(status.st_mode)) {
        sp_fail_as(err, SP_EXIT_CORRUPT, "%s: not a regular file", path);
        goto fail;
    }
    *bytes = (uint64_t)status.st_size;
    if (*bytes > 0) {
        *mapping = mmap(NULL, (size_t)*bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        if (*mapping == MAP_FAILED) {
            sp_fail_as(err, SP_EXIT_INPUT, "%s: cannot map: %s", path, strerror(errno));
            goto fail;
        }
    }
    close(fd);
    return 0;
fail:
    close(fd);
    return -1;
}

static uint32_t at_most(uint32_t count, uint64_t limit)
{
    return count < limit ? count : (uint32_t)limit;
}

/* Entries of a ring at an offset that the file can hold. */
static uint64_t room(uint64_t bytes, uint64_t at, uint64_t entry, uint64_t ring)
{
    uint64_t entries = bytes > at ? (bytes - at) / entry : 0;
    return entries < ring ? entries : ring;
}

static void tidy_texts(struct sp_spill_header *header)
{
    header->run_id[sizeof header->run_id - 1] = 0;
    header->host[sizeof header->host - 1] = 0;
    header->boot_id[sizeof header->boot_id - 1] = 0;
    header->lane_name[sizeof header->lane_name - 1] = 0;
}

/* Entries of the event ring: those before the first whose start is 0. */
static uint32_t count_events(const unsigned char *image, uint64_t bytes)
{
    const struct sp_spill_event *ring = (const void *)(image + SP_SPILL_EVENTS_AT);
    uint64_t limit = room(bytes, SP_SPILL_EVENTS_AT, sizeof *ring, SP_SPILL_RING_EVENTS);
    uint32_t count = 0;
    while (count < limit && ring[count].start != 0)
        count++;
    return count;
}

static void tidy_counts(struct sp_spill_header *header, const unsigned char *image, uint64_t bytes)
{
    if (header->published_bytes > bytes)
        header->published_bytes = bytes;
    if (header->kind == SP_SPILL_LANE) {
        header->events_used = count_events(image, bytes);
        header->messages_used = at_most(header->messages_used, room(bytes, SP_SPILL_MESSAGES_AT, 48, SP_SPILL_RING_MESSAGES));
        header->closes_used = at_most(header->closes_used, room(bytes, SP_SPILL_CLOSES_AT, 16, SP_SPILL_RING_CLOSES));
        header->open_count = at_most(header->open_count, room(bytes, SP_SPILL_OPEN_AT, 24, SP_SPILL_OPEN_CALLS));
        header->node_count = at_most(header->node_count, bytes / sizeof(struct sp_spill_node));
    } else {
        header->events_used = header->messages_used = header->closes_used = header->node_count = 0;
    }
}

static int check_header(struct sp_spill *spill, struct sp_error *err)
{
    const struct sp_spill_header *header = &spill->header;
    const char *name = spill->name;
    if (memcmp(header->magic, SP_SPILL_MAGIC, sizeof header->magic) != 0)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: not a spill file of scope-profiler", name);
    if (header->endian != SP_SPILL_ENDIAN)
        return sp_fail_as(err, SP_EXIT_COMBINE, "%s: written by a machine of another byte order", name);
    if (header->version != SP_SPILL_VERSION)
        return sp_fail_as(err, SP_EXIT_COMBINE,
            "%s: is a spill file of version %u, this program reads version %u: use the sp-merge of the "
            "profiler that recorded it",
            name, header->version, SP_SPILL_VERSION);
    if (header->kind != SP_SPILL_PROCESS && header->kind != SP_SPILL_LANE)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is neither of a process nor of a lane", name);
    if (header->head_bytes % 8 != 0 || header->head_bytes < (header->kind == SP_SPILL_LANE ? SP_SPILL_LANE_HEAD : SP_SPILL_PAGE))
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: its header is damaged (head of %u bytes)", name, header->head_bytes);
    if (header->rank < 0 || header->rank_count <= header->rank)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: its header is damaged (rank %d of %d)", name, header->rank, header->rank_count);
    if (header->lane < 0 || header->lane_kind < 0 || header->lane_kind > SP_LANE_OPENMP)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: its header is damaged (lane %d)", name, header->lane);
    return 0;
}

static int adopt(struct sp_spill *spill, struct sp_error *err)
{
    if (spill->bytes < sizeof spill->header)
        return sp_fail_as(
            err, SP_EXIT_CORRUPT, "%s: too short for a spill file (%llu bytes)", spill->name, (unsigned long long)spill->bytes);
    memcpy(&spill->header, spill->image, sizeof spill->header);
    if (check_header(spill, err) < 0)
        return -1;
    tidy_texts(&spill->header);
    tidy_counts(&spill->header, spill->image, spill->bytes);
    return 0;
}

static struct sp_spill *create(const char *name)
{
    struct sp_spill *spill = calloc(1, sizeof *spill);
    if (spill && !(spill->name = strdup(name))) {
        free(spill);
        return NULL;
    }
    return spill;
}

int sp_spill_open(const char *path, struct sp_spill **out, struct sp_error *err)
{
    *out = NULL;
    struct sp_spill *spill = create(path);
    if (!spill)
        return sp_fail(err, "%s: out of memory", path);
    if (map_file(path, &spill->mapping, &spill->bytes, err) < 0) {
        spill->mapping = NULL;
        goto fail;
    }
    spill->image = spill->mapping;
    if (adopt(spill, err) < 0)
        goto fail;
    *out = spill;
    return 0;
fail:
    sp_spill_close(spill);
    return -1;
}

int sp_spill_open_image(const void *image, uint64_t bytes, const char *name, struct sp_spill **out, struct sp_error *err)
{
    *out = NULL;
    struct sp_spill *spill = create(name);
    if (!spill)
        return sp_fail(err, "%s: out of memory", name);
    spill->image = image;
    spill->bytes = bytes;
    if (adopt(spill, err) < 0) {
        sp_spill_close(spill);
        return -1;
    }
    *out = spill;
    return 0;
}

void sp_spill_close(struct sp_spill *spill)
{
    if (!spill)
        return;
    if (spill->mapping)
        munmap(spill->mapping, (size_t)spill->bytes);
    free(spill->name);
    free(spill);
}

const struct sp_spill_header *sp_spill_header(const struct sp_spill *spill)
{
    return &spill->header;
}

const char *sp_spill_name(const struct sp_spill *spill)
{
    return spill->name;
}

const unsigned char *sp_spill_bytes(const struct sp_spill *spill)
{
    return spill->image;
}

static uint64_t entry_bytes(uint32_t type)
{
    switch (type) {
    case SP_SEGMENT_NODES: return sizeof(struct sp_spill_node);
    case SP_SEGMENT_EVENTS: return sizeof(struct sp_spill_event);
    case SP_SEGMENT_MESSAGES: return sizeof(struct sp_spill_message);
    case SP_SEGMENT_CLOSES: return sizeof(struct sp_spill_close);
    case SP_SEGMENT_RANK: return sizeof(struct sp_spill_rank);
    case SP_SEGMENT_BINS: return sizeof(struct sp_spill_bin);
    case SP_SEGMENT_TRAFFIC: return sizeof(struct sp_spill_traffic);
    case SP_SEGMENT_SIZES: return sizeof(struct sp_spill_size);
    default: return 0;
    }
}

int sp_spill_next(const struct sp_spill *spill, uint64_t *cursor, struct sp_segment *segment)
{
    struct sp_spill_segment head;
    uint64_t at = *cursor ? *cursor : spill->header.head_bytes, end = spill->header.published_bytes;
    if (at >= end || end - at < sizeof head)
        return 0;
    memcpy(&head, spill->image + at, sizeof head);
    at += sizeof head;
    if (head.payload_bytes > end - at || head.payload_bytes % 8 != 0)
        return 0;
    *segment = (struct sp_segment){head.type, head.first, head.count, spill->image + at, head.payload_bytes};
    uint64_t entry = entry_bytes(head.type);
    if (entry && segment->count > head.payload_bytes / entry)
        segment->count = head.payload_bytes / entry;
    if (segment->first > UINT64_MAX - segment->count)
        segment->count = 0;
    *cursor = at + head.payload_bytes;
    return 1;
}
