/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run file holds, a line each, for scripts to compare: lang_dump paths FILE prints "LANE CALLS PATH" of every call path,
 * lang_dump regions FILE "CALLS KIND NAME [FILE:LINE] {TAGS}" of every region. Bytes that do not print appear as \xHH. */
#include "scope_profiler_file.h"
#include "sp_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sp_file *file;

static void print_bytes(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~' || text[i] == '\\')
            printf("\\x%02x", (unsigned char)text[i]);
        else
            putchar(text[i]);
}

static void print_path(int32_t callpath)
{
    const struct sp_callpath *row = &sp_file_callpaths(file)[callpath];
    size_t bytes;
    if (row->parent >= 0 && sp_file_callpaths(file)[row->parent].region >= 0) {
        print_path(row->parent);
        printf(" > ");
    }
    const char *name = sp_file_region_name(file, row->region, &bytes);
    print_bytes(name, bytes);
}

static void print_paths(const struct sp_statistic *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf("%d %llu ", sp_file_lanes(file)[rows[i].lane].index, (unsigned long long)rows[i].calls);
        print_path(rows[i].callpath);
        putchar('\n');
    }
}

static void print_regions(const struct sp_statistic *rows, size_t count)
{
    const char *strings = sp_file_strings(file);
    for (int32_t r = 0; r < sp_file_info(file)->region_count; r++) {
        const struct sp_region_row *row = &sp_file_regions(file)[r];
        const char *path = strings + row->file_offset, *slash = path;
        unsigned long long calls = 0;
        for (size_t i = 0; i < count; i++)
            if (sp_file_callpaths(file)[rows[i].callpath].region == r)
                calls += rows[i].calls;
        for (uint32_t i = 0; i < row->file_bytes; i++)
            if (path[i] == '/')
                slash = path + i + 1;
        printf("%llu %d ", calls, row->kind);
        print_bytes(strings + row->name_offset, row->name_bytes);
        if (row->file_bytes > 0)
            printf(" [%.*s:%d]", (int)(path + row->file_bytes - slash), slash, row->line);
        if (row->tags_bytes > 0)
            printf(" {%.*s}", (int)row->tags_bytes, strings + row->tags_offset);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    struct sp_error err = {0};
    if (argc != 3 || sp_file_open(argv[2], &file, &err) < 0) {
        fprintf(stderr, "lang_dump: %s\n", argc == 3 ? err.text : "paths|regions FILE");
        return 1;
    }
    size_t count = (size_t)sp_file_info(file)->statistic_count;
    struct sp_statistic *rows = calloc(count + 1, sizeof *rows);
    if (!rows || sp_file_read_statistics(file, 0, count, rows, &err) < 0) {
        fprintf(stderr, "lang_dump: %s\n", err.text);
        return 1;
    }
    if (strcmp(argv[1], "paths") == 0)
        print_paths(rows, count);
    else
        print_regions(rows, count);
    free(rows);
    sp_file_close(file);
    return 0;
}
