/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr */
#include "sp_writer_load.h"
#include "sp_process.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sp_writer *writer;

static int module_path(char *path, size_t room)
{
    Dl_info self;
    if (!dladdr((void *)&writer, &self) || !self.dli_fname)
        return -1;
    const char *slash = strrchr(self.dli_fname, '/');
    int directory = slash ? (int)(slash - self.dli_fname) + 1 : 0;
    int n = snprintf(path, room, "%.*slibsp_writer.so", directory, self.dli_fname);
    return n < 0 || (size_t)n >= room ? -1 : 0;
}

int sp_writer_load(struct sp_error *err)
{
    char path[4096];
    if (module_path(path, sizeof path) < 0)
        return sp_fail(err, "cannot tell where libsp.so lies, to find libsp_writer.so beside it");
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        return sp_fail(err, "%s", dlerror());
    writer = dlsym(module, SP_WRITER_SYMBOL);
    if (!writer || writer->version != SP_WRITER_VERSION)
        return sp_fail(err, "%s: not the writer of this build", path);
    return 0;
}

static struct sp_writer_source source_of(struct sp_store *store)
{
    return (struct sp_writer_source){.path = sp_store_path(store), .image = sp_store_head(store), .bytes = (uint64_t)sp_store_bytes(store)};
}

/* The process's file, then its lanes by index. NULL without memory. */
static struct sp_writer_source *list_sources(struct sp_process *process, uint32_t *count)
{
    *count = (uint32_t)process->lane_count + 1;
    struct sp_writer_source *sources = calloc(*count, sizeof *sources);
    if (!sources)
        return NULL;
    sources[0] = source_of(process->store);
    for (struct sp_lane *lane = process->lanes; lane; lane = lane->next)
        sources[lane->head.lane + 1] = source_of(lane->store);
    return sources;
}

int sp_writer_write(const void *communicator, struct sp_writer_result *result, struct sp_error *err)
{
    struct sp_process *process = sp_process_get();
    uint32_t count = 0;
    struct sp_writer_source *sources = list_sources(process, &count);
    struct sp_writer_job job = {
        .communicator = communicator,
        .output_path = process->output_path,
        .work_path = process->work_path,
        .sources = sources,
        .source_count = sources ? count : 0,
        .state = "complete",
        .compression = process->config.compression,
        .histograms = process->config.histograms,
        .io = process->config.io,
        .mpiio_hints = process->config.mpiio_hints[0] ? process->config.mpiio_hints : NULL,
        .checksum_readback = 1,
    };
    int status = writer->write(&job, result, err);
    free(sources);
    return status;
}
