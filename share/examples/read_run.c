/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the regions of a run, and how long they took on all ranks together. Reads every format that sp-pproc reads.
 *
 *     cc -I PREFIX/include read_run.c -o read_run -L PREFIX/lib -lsp_file -Wl,-rpath,PREFIX/lib
 *     ./read_run sp_solver_4.h5
 */
#include <scope_profiler_file.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH 1024

struct sum {
    uint64_t calls;
    int64_t total_ns, self_ns;
};

/* The statistics stand by lane and call path; a call path is called from another one and ends in a region. */
static int add_up(struct sp_file *file, struct sum *sums, struct sp_error *err)
{
    struct sp_statistic rows[BATCH];
    const struct sp_callpath *callpaths = sp_file_callpaths(file);
    uint64_t count = sp_file_info(file)->statistic_count;
    for (uint64_t first = 0; first < count; first += BATCH) {
        size_t n = count - first < BATCH ? (size_t)(count - first) : BATCH;
        if (sp_file_read_statistics(file, first, n, rows, err))
            return -1;
        for (size_t i = 0; i < n; i++) {
            struct sum *sum = &sums[callpaths[rows[i].callpath].region];
            sum->calls += rows[i].calls;
            sum->total_ns += rows[i].total_ns;
            sum->self_ns += rows[i].self_ns;
        }
    }
    return 0;
}

static int list_regions(struct sp_file *file, struct sp_error *err)
{
    const struct sp_file_info *info = sp_file_info(file);
    struct sum *sums = calloc((size_t)info->region_count + 1, sizeof *sums);
    int status = sums ? add_up(file, sums, err) : -1;
    if (status == 0)
        printf("%s: %d ranks, %s\n%12s %14s %14s  region\n", info->path, (int)info->rank_count, info->format, "calls", "total s", "self s");
    for (int32_t i = 0; status == 0 && i < info->region_count; i++)
        printf("%12" PRIu64 " %14.9f %14.9f  %s\n", sums[i].calls, (double)sums[i].total_ns / 1e9, (double)sums[i].self_ns / 1e9,
            sp_file_region_name(file, i, NULL));
    free(sums);
    return status;
}

int main(int argc, char **argv)
{
    struct sp_error *err = sp_file_error_create();
    struct sp_file *file = NULL;
    int status = 0;
    if (argc != 2 || !err) {
        fprintf(stderr, "usage: read_run FILE\n");
        return 2;
    }
    if (sp_file_open(argv[1], &file, err) || list_regions(file, err)) {
        fprintf(stderr, "read_run: %s\n", sp_file_error_text(err));
        status = sp_file_error_code(err) ? sp_file_error_code(err) : 1;
    }
    sp_file_close(file);
    sp_file_error_destroy(err);
    return status;
}
