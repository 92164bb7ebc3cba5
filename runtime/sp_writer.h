/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_WRITER_H
#define SP_WRITER_H

/* The joint between the recording process and the writer module (libsp_writer.so), which is loaded only at the end of a
 * run: dlopen("libsp_writer.so" beside libsp.so, RTLD_NOW | RTLD_LOCAL), then dlsym(SP_WRITER_SYMBOL).
 * sp-merge calls the same code. */

#include "sp_error.h"

#include <stdint.h>

#define SP_WRITER_SYMBOL "scope_profiler_writer_1"
#define SP_WRITER_VERSION 1u

/* One spill file: a path, or (path NULL) its image in memory, without holes. */
struct sp_writer_source {
    const char *path;
    const void *image;
    uint64_t bytes;
};

struct sp_writer_job {
    const void *communicator;  /* MPI_Comm *, or NULL: alone, MPI never touched, serial driver */
    const char *output_path;   /* the file's final name (process 0 decides) */
    const char *work_path;     /* what is written and then renamed to it, without replacing (process 0 decides) */
    const struct sp_writer_source *sources; /* spill files of one or more ranks: all lanes of a rank by one process, */
    uint32_t source_count;                  /* ranks ascending with the process; none is fine */
    const char *metadata;      /* JSON object about the whole run (process 0's counts); NULL: from the spill files */
    const char *state;         /* "complete" or "recovered" */
    const char *compression;   /* SP_COMPRESSION, NULL: auto */
    const char *io;            /* SP_IO, NULL: auto */
    const char *histograms;    /* SP_HISTOGRAMS, NULL: auto */
    const char *mpiio_hints;   /* SP_MPIIO_HINTS, NULL: none */
    int checksum_readback;     /* 1: every process reads its data back and compares before the file is published */
};

struct sp_writer_result {
    int64_t file_bytes;
    uint64_t event_count;
    int32_t rank_count, lane_count, region_count;
    char path[4096]; /* final name */
    char note[512];  /* what the user should know though the file is complete, "" nothing */
};

struct sp_writer {
    uint32_t version;
    /* Collective over the communicator: 0, or -1 with the same text on every process, nothing under output_path and the
     * spill files untouched. Never exits, aborts or hangs because one process failed. On success the file is complete. */
    int (*write)(const struct sp_writer_job *job, struct sp_writer_result *result, struct sp_error *err);
};

#endif
