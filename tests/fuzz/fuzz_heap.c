/* SPDX-License-Identifier: BSD-3-Clause */
/* A reference, then the file it points into. */
#include "sp_legacy_heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *file;
    size_t bytes;
    if (size < SP_LEGACY_REFERENCE || (!file && !(file = tmpfile())))
        return 0;
    struct sp_legacy_heap heap = {.fd = dup(fileno(file)), .file_bytes = size - SP_LEGACY_REFERENCE};
    if (ftruncate(heap.fd, (off_t)heap.file_bytes) < 0 ||
        pwrite(heap.fd, data + SP_LEGACY_REFERENCE, heap.file_bytes, 0) != (ssize_t)heap.file_bytes)
        abort();
    free(sp_legacy_heap_text(&heap, data, &bytes));
    sp_legacy_heap_close(&heap);
    return 0;
}
