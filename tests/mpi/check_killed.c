/* SPDX-License-Identifier: BSD-3-Clause */
/* check_killed RUN.h5 COUNTERS [LEAST]: the recovered file holds every step that victim.c noted, and at most the one it was in besides; in
 * the statistics and, event by event, in the trace. With LEAST: statistics of an earlier moment, when so many steps were done. */
#include "scope_profiler_file.h"
#include "sp_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t noted(const char *path)
{
    uint64_t steps = 0;
    FILE *file = fopen(path, "rb");
    if (!file || fread(&steps, sizeof steps, 1, file) != 1)
        exit(2);
    fclose(file);
    return steps;
}

static uint64_t counted(struct sp_file *file, const char *region)
{
    const struct sp_file_info *info = sp_file_info(file);
    struct sp_statistic *rows = calloc(info->statistic_count + 1, sizeof *rows);
    uint64_t calls = 0;
    if (!rows || sp_file_read_statistics(file, 0, info->statistic_count, rows, NULL) < 0)
        exit(2);
    for (uint64_t i = 0; i < info->statistic_count; i++)
        if (strcmp(sp_file_region_name(file, sp_file_callpaths(file)[rows[i].callpath].region, NULL), region) == 0)
            calls += rows[i].calls;
    free(rows);
    return calls;
}

static uint64_t traced(struct sp_file *file, const char *region)
{
    const struct sp_file_info *info = sp_file_info(file);
    uint64_t calls = 0;
    for (uint64_t b = 0; b < info->event_block_count; b++) {
        uint64_t count = sp_file_event_blocks(file)[b].event_count;
        int32_t *paths = calloc(count + 1, sizeof *paths);
        if (!paths || sp_file_read_events(file, b, NULL, NULL, paths, NULL) < 0)
            exit(2);
        for (uint64_t i = 0; i < count; i++)
            calls += strcmp(sp_file_region_name(file, sp_file_callpaths(file)[paths[i]].region, NULL), region) == 0;
        free(paths);
    }
    return calls;
}

int main(int argc, char **argv)
{
    struct sp_file *file = NULL;
    struct sp_error err = {0};
    if (argc < 3 || argc > 4 || sp_file_open(argv[1], &file, &err) < 0) {
        fprintf(stderr, "check_killed: %s\n", argc >= 3 ? err.text : "usage: check_killed RUN.h5 COUNTERS [LEAST]");
        return 2;
    }
    uint64_t steps = noted(argv[2]), in_statistics = counted(file, "step"), in_trace = traced(file, "step");
    sp_file_close(file);
    if (argc == 4 && in_statistics >= strtoull(argv[3], NULL, 10) && in_statistics <= steps + 1)
        return 0;
    if (argc == 3 && in_statistics >= steps && in_statistics <= steps + 1 && in_trace >= steps && in_trace <= steps + 1)
        return 0;
    fprintf(stderr, "%llu steps were done; statistics hold %llu, the trace %llu\n", (unsigned long long)steps,
        (unsigned long long)in_statistics, (unsigned long long)in_trace);
    return 1;
}
