/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_INTERNAL_H
#define SP_INTERNAL_H

/* What libsp.so offers libsp_pmpi.so of the same build, beyond the public table. */

#include "scope_profiler.h"
#include "sp_config.h"
#include "sp_error.h"
#include "sp_output_name.h"
#include "sp_registry.h"
#include "sp_spill.h"
#include "sp_writer.h"

#define SP_INTERNAL_VERSION 4u

/* What is said once, at the end, of events that were not kept. */
#define SP_SAY_DROPPED "%lld event(s) did not fit (SP_TRACE_LIMIT, room for spill files): they are in the statistics only"

/* Who this process is in the run, once MPI says so (rank 0 of 1 without MPI). */
struct sp_run {
    int rank, rank_count;
    int speaks;              /* for the run: the first recorded process does */
    int local_count;         /* processes of the run on this host */
    const char *run_id;      /* equal on all ranks, a safe file name */
    const char *output_path; /* final name; "" where there is to be no file */
    const char *work_path;
    int64_t offset_ns, offset_error_ns; /* CLOCK_MONOTONIC_RAW of this host minus the run's global clock */
    uint64_t start_ticks;
    uint64_t init_end_ticks;
    int64_t announce_ns; /* what our work before PMPI_Init took */
    int thread_level;
};

struct sp_output_naming {
    void (*run_id)(char *run_id, size_t room);
    int (*reserve)(struct sp_output_name *name, const char *pattern, int rank_count, struct sp_error *err);
    void (*describe)(const struct sp_output_name *name, const char *run_id, const char *spill_directory, int rank_count);
    void (*release)(const char *output);
};

struct sp_runtime_internal {
    uint32_t version;

    uint32_t (*clock_source)(void); /* enum sp_clock_source of every reading */

    /* Recording; any thread. end takes the reading at which the call ended; message speaks of the call that end closed
     * (struct sp_spill_message; its members one by one, since six go in registers).
     * end_unrecorded: the call is in the statistics and leaves no event. */
    void (*begin)(int region);
    void (*begin_in)(int outer, int inner); /* both, at one reading */
    void (*end)(int region, uint64_t now);
    void (*end_unrecorded)(int region, uint64_t now);
    void (*message)(int64_t bytes, uint64_t request, int32_t peer, int32_t tag, int32_t communicator, int operation);

    int (*region)(const struct sp_region_key *key);
    const struct sp_config *(*config)(void);
    const struct sp_spill_header *(*identity)(void); /* host, boot and process; NULL where there is no tool object */
    int (*is_off)(void);                             /* SP_ENABLE=0, or a forked child */

    /* One line on stderr, "scope-profiler: ...", by the process that speaks for the run (sp_message.h). */
    void (*say)(const char *format, ...);

    /* Local: makes the spill files; on failure the record stays in memory, statistics only, and err says why. */
    int (*start)(const struct sp_run *run, struct sp_error *err);
    const char *(*spill_directory)(void); /* "" while in memory */
    void (*snapshot)(void); /* Local: what sp_flush does and, with SP_SNAPSHOT, a copy beside the output now; trouble is told */
    void (*communicator)(const struct sp_spill_communicator *record, const char *name, const int32_t *members);
    int (*metadata)(const char *key, const char *value);

    /* Local: ends the record (nothing is recorded afterwards) and completes the spill files. */
    void (*stop)(uint64_t finalize_begin_ticks, int64_t offset_last_ns);
    /* Local: after stop, what the comparison of clocks at the end says of the offsets at both ends. */
    void (*set_offsets)(int64_t first_ns, int64_t last_ns, int64_t error_ns);

    /* Local: loads the writer module. */
    int (*load_writer)(struct sp_error *err);
    /* Collective as struct sp_writer: writes the file from the spill files of all processes. */
    int (*write)(const void *communicator, struct sp_writer_result *result, struct sp_error *err);
    /* Local: removes this process's spill files. */
    void (*discard)(void);
    uint64_t (*events_dropped)(void); /* by this process */
    /* Name of the run's file, reserved by one process (sp_output_name.h). */
    const struct sp_output_naming *naming;
};

#endif
