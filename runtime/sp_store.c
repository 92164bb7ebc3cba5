/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "sp_store.h"
#include "sp_reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Address space kept for a store while it is in memory; only what is written becomes resident. */
#define RESERVE_BYTES ((size_t)64 << 20)

struct sp_store {
    struct sp_spill_header *head;
    size_t head_bytes;
    size_t reserved; /* bytes of address space from head on; 0 once attached */
    size_t end;      /* where the next segment goes */
    char *path;
    struct {
        size_t offset, bytes;
        void *address;
    } * maps;
    size_t map_count;
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

struct sp_store *sp_store_create(size_t head_bytes)
{
    struct sp_store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->head_bytes = store->end = round_up(head_bytes, SP_SPILL_PAGE);
    store->reserved = store->head_bytes + RESERVE_BYTES;
    store->head = sp_reserve(store->reserved);
    if (!store->head) {
        free(store);
        return NULL;
    }
    memcpy(store->head->magic, SP_SPILL_MAGIC, sizeof store->head->magic);
    store->head->version = SP_SPILL_VERSION;
    store->head->endian = SP_SPILL_ENDIAN;
    store->head->head_bytes = (uint32_t)store->head_bytes;
    store->head->published_bytes = store->end;
    return store;
}

void sp_store_destroy(struct sp_store *store)
{
    if (!store)
        return;
    if (store->path) {
        for (size_t i = 0; i < store->map_count; i++)
            munmap(store->maps[i].address, store->maps[i].bytes);
        munmap(store->head, store->head_bytes);
    } else {
        munmap(store->head, store->reserved);
    }
    free(store->maps);
    free(store->path);
    free(store);
}

struct sp_spill_header *sp_store_head(struct sp_store *store)
{
    return store->head;
}

const char *sp_store_path(const struct sp_store *store)
{
    return store->path;
}

size_t sp_store_bytes(const struct sp_store *store)
{
    return store->end;
}

static int write_all(int fd, const void *data, size_t bytes, size_t offset)
{
    const char *p = data;
    while (bytes > 0) {
        ssize_t n = pwrite(fd, p, bytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        p += n;
        offset += (size_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* Writes the segments that are in memory and puts shared mappings under the head and the mapped segments, in place. */
static int move_into(struct sp_store *store, int fd)
{
    const char *base = (const char *)store->head;
    if ((errno = posix_fallocate(fd, 0, (off_t)store->end)) != 0)
        return -1;
    if (write_all(fd, base, store->end, 0) < 0)
        return -1;
    for (size_t i = 0; i < store->map_count; i++)
        if (mmap(store->maps[i].address, store->maps[i].bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                (off_t)store->maps[i].offset) == MAP_FAILED)
            return -1;
    if (mmap(store->head, store->head_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
        return -1;
    return 0;
}

/* Gives back the reserved address space between and behind the mapped segments. */
static void release_reserve(struct sp_store *store)
{
    char *base = (char *)store->head;
    size_t at = store->head_bytes;
    for (size_t i = 0; i < store->map_count; i++) {
        size_t start = store->maps[i].offset;
        if (start > at)
            munmap(base + at, start - at);
        at = start + round_up(store->maps[i].bytes, SP_SPILL_PAGE);
    }
    munmap(base + at, store->reserved - at);
    store->reserved = 0;
}

int sp_store_attach(struct sp_store *store, const char *path, struct sp_error *err)
{
    char *name = strdup(path);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (!name || fd < 0) {
        sp_fail_as(err, SP_EXIT_OUTPUT, "%s: cannot create: %s", path, strerror(errno));
        goto fail;
    }
    if (move_into(store, fd) < 0) {
        sp_fail_as(err, SP_EXIT_OUTPUT, "%s: cannot write: %s", path, strerror(errno));
        unlink(path);
        goto fail;
    }
    close(fd);
    store->path = name;
    release_reserve(store);
    return 0;
fail:
    if (fd >= 0)
        close(fd);
    free(name);
    return -1;
}

static void publish(struct sp_store *store, size_t end)
{
    store->end = end;
    __atomic_store_n(&store->head->published_bytes, (uint64_t)end, __ATOMIC_RELEASE);
}

static int open_to_append(const struct sp_store *store)
{
    return open(store->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
}

static int append_to_file(struct sp_store *store, const struct sp_spill_segment *segment, const void *payload, size_t bytes)
{
    static const char padding[8];
    int fd = open_to_append(store);
    if (fd < 0)
        return -1;
    size_t at = store->end + sizeof *segment;
    int status = write_all(fd, segment, sizeof *segment, store->end);
    if (status == 0)
        status = write_all(fd, payload, bytes, at);
    if (status == 0)
        status = write_all(fd, padding, (size_t)segment->payload_bytes - bytes, at + bytes);
    close(fd);
    return status;
}

int sp_store_append(struct sp_store *store, const struct sp_spill_segment *segment, const void *payload, size_t bytes)
{
    struct sp_spill_segment header = *segment;
    header.payload_bytes = round_up(bytes, 8);
    size_t end = store->end + sizeof header + (size_t)header.payload_bytes;
    if (store->path) {
        if (append_to_file(store, &header, payload, bytes) < 0)
            return -1;
    } else {
        if (end > store->reserved)
            return -1;
        char *at = (char *)store->head + store->end;
        memcpy(at, &header, sizeof header);
        memcpy(at + sizeof header, payload, bytes);
    }
    publish(store, end);
    return 0;
}

/* A padding segment up to where a page-aligned payload can follow its segment header. */
static int pad_to_page(struct sp_store *store)
{
    static const char zeros[SP_SPILL_PAGE];
    size_t payload_at = round_up(store->end + sizeof(struct sp_spill_segment), SP_SPILL_PAGE);
    size_t gap = payload_at - sizeof(struct sp_spill_segment) - store->end;
    if (gap == 0)
        return 0;
    if (gap < sizeof(struct sp_spill_segment))
        gap += SP_SPILL_PAGE;
    struct sp_spill_segment pad = {.type = SP_SEGMENT_PAD};
    size_t bytes = gap - sizeof pad;
    if (bytes > sizeof zeros)
        return -1;
    return sp_store_append(store, &pad, zeros, bytes);
}

static void *map_in_file(struct sp_store *store, const struct sp_spill_segment *segment, size_t bytes)
{
    size_t payload_at = store->end + sizeof *segment;
    int fd = open_to_append(store);
    if (fd < 0)
        return NULL;
    void *p = MAP_FAILED;
    if (posix_fallocate(fd, (off_t)payload_at, (off_t)bytes) == 0 && write_all(fd, segment, sizeof *segment, store->end) == 0)
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)payload_at);
    close(fd);
    return p == MAP_FAILED ? NULL : p;
}

static void *map_in_reserve(struct sp_store *store, const struct sp_spill_segment *segment, size_t bytes)
{
    char *at = (char *)store->head + store->end;
    if (store->end + sizeof *segment + bytes > store->reserved)
        return NULL;
    memcpy(at, segment, sizeof *segment);
    return at + sizeof *segment;
}

void *sp_store_append_mapped(struct sp_store *store, struct sp_spill_segment segment, size_t bytes)
{
    bytes = round_up(bytes, SP_SPILL_PAGE);
    void *maps = realloc(store->maps, (store->map_count + 1) * sizeof *store->maps);
    if (!maps)
        return NULL;
    store->maps = maps;
    if (pad_to_page(store) < 0)
        return NULL;
    segment.payload_bytes = bytes;
    void *address = store->path ? map_in_file(store, &segment, bytes) : map_in_reserve(store, &segment, bytes);
    if (!address)
        return NULL;
    size_t offset = store->end + sizeof segment;
    store->maps[store->map_count].offset = offset;
    store->maps[store->map_count].bytes = bytes;
    store->maps[store->map_count].address = address;
    store->map_count++;
    publish(store, offset + bytes);
    return address;
}
