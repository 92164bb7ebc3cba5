/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FUZZ_LEGACY_H
#define FUZZ_LEGACY_H

/* What happens to collected calls after parsing, as in sp_file_open, and that what comes out is a file that can be read. */

#include "sp_file_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void fuzz_finish(struct sp_legacy *legacy, int status)
{
    struct sp_error err = {0};
    struct sp_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup("input")))
        abort();
    file->file = -1;
    if (status == 0 && sp_legacy_build(legacy, file, &err) == 0) {
        if (sp_file_check_tables(file, &err) != 0)
            abort();
        int64_t *start = malloc(65536 * 8), *duration = malloc(65536 * 8);
        int32_t *callpath = malloc(65536 * 4);
        for (uint64_t i = 0; i < file->info.event_block_count; i++) {
            if (sp_file_read_events(file, i, start, duration, callpath, &err) != 0)
                abort();
            for (uint64_t k = 0; k < file->event_blocks[i].event_count; k++)
                if (callpath[k] < 0 || callpath[k] >= file->info.callpath_count || duration[k] < -1 || (k > 0 && start[k] < start[k - 1]))
                    abort();
        }
        free(start);
        free(duration);
        free(callpath);
    }
    sp_legacy_free(legacy);
    sp_file_close(file);
}

#endif
