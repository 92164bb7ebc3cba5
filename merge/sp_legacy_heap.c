/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_legacy_heap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 16 /* of a collection and of an object in it */

int sp_legacy_heap_open(struct sp_legacy_heap *heap, const char *path)
{
    struct stat status;
    *heap = (struct sp_legacy_heap){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (heap->fd < 0 || fstat(heap->fd, &status) < 0)
        return -1;
    heap->file_bytes = (uint64_t)status.st_size;
    return 0;
}

void sp_legacy_heap_close(struct sp_legacy_heap *heap)
{
    if (heap->fd >= 0)
        close(heap->fd);
    free(heap->collection);
    *heap = (struct sp_legacy_heap){.fd = -1};
}

/* What HDF5 calls to convert a text of variable length to opaque bytes: it has read the references, and they stay as they are. */
static herr_t keep_references(hid_t from, hid_t to, H5T_cdata_t *data, size_t count, size_t stride, size_t background_stride, void *values,
    void *background, hid_t transfer)
{
    (void)from;
    (void)count;
    (void)stride;
    (void)background_stride;
    (void)values;
    (void)background;
    (void)transfer;
    data->need_bkg = H5T_BKG_NO;
    return H5Tget_size(to) == SP_LEGACY_REFERENCE ? 0 : -1;
}

int sp_legacy_heap_references(hid_t object, hid_t type, int is_attribute, unsigned char *references)
{
    hid_t opaque = H5Tcreate(H5T_OPAQUE, SP_LEGACY_REFERENCE);
    herr_t status = -1;
    if (opaque < 0)
        return -1;
    if (H5Tregister(H5T_PERS_SOFT, "sp_references", type, opaque, keep_references) >= 0) {
        status = is_attribute ? H5Aread(object, opaque, references) : H5Dread(object, opaque, H5S_ALL, H5S_ALL, H5P_DEFAULT, references);
        H5Tunregister(H5T_PERS_SOFT, "sp_references", type, opaque, keep_references);
    }
    H5Tclose(opaque);
    return status < 0 ? -1 : 0;
}

static uint64_t number(const unsigned char *bytes, size_t count)
{
    uint64_t value = 0;
    while (count-- > 0)
        value = value << 8 | bytes[count];
    return value;
}

static int read_at(const struct sp_legacy_heap *heap, uint64_t address, void *bytes, size_t count)
{
    return count > heap->file_bytes || address > heap->file_bytes - count || pread(heap->fd, bytes, count, (off_t)address) != (ssize_t)count
        ? -1
        : 0;
}

static int load_collection(struct sp_legacy_heap *heap, uint64_t address)
{
    unsigned char head[HEAD];
    if (heap->collection && heap->address == address)
        return 0;
    if (read_at(heap, address, head, sizeof head) < 0 || memcmp(head, "GCOL\1", 5) != 0)
        return -1;
    uint64_t bytes = number(head + 8, 8);
    if (bytes < HEAD || bytes > heap->file_bytes - address)
        return -1;
    free(heap->collection);
    heap->collection = malloc((size_t)bytes);
    if (!heap->collection || read_at(heap, address, heap->collection, (size_t)bytes) < 0) {
        free(heap->collection);
        heap->collection = NULL;
        return -1;
    }
    heap->address = address;
    heap->collection_bytes = bytes;
    return 0;
}

/* Object of that number in the collection; each begins with its number (0: free space, the end), at 8 its size. */
static const unsigned char *find_object(const struct sp_legacy_heap *heap, uint64_t wanted, uint64_t *bytes)
{
    uint64_t at = HEAD;
    while (heap->collection_bytes - at >= HEAD) {
        const unsigned char *head = heap->collection + at;
        uint64_t left = heap->collection_bytes - at - HEAD, size = number(head + 8, 8), found = number(head, 2);
        if (found == 0 || size > left)
            return NULL;
        *bytes = size;
        if (found == wanted)
            return head + HEAD;
        size = (size + 7) / 8 * 8;
        if (size > left)
            return NULL;
        at += HEAD + size;
    }
    return NULL;
}

char *sp_legacy_heap_text(struct sp_legacy_heap *heap, const unsigned char *reference, size_t *bytes)
{
    uint64_t length = number(reference, 4), address = number(reference + 4, 8), size = 0;
    const unsigned char *object = NULL;
    *bytes = 0;
    if (length > 0 &&
        (load_collection(heap, address) < 0 || !(object = find_object(heap, number(reference + 12, 4), &size)) || length > size))
        return NULL;
    char *text = malloc((size_t)length + 1);
    if (!text)
        return NULL;
    if (length > 0)
        memcpy(text, object, (size_t)length);
    text[length] = 0;
    *bytes = strlen(text);
    return text;
}
