/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr */
#include "sp_alone.h"
#include "sp_message.h"
#include "sp_output_name.h"
#include "sp_process.h"
#include "sp_record.h"
#include "sp_writer_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_running;

/* Is libsp_pmpi.so in the process? It exports MPI_Init, and nothing but it bears its name. */
static int mpi_is_watched(void)
{
    Dl_info info;
    void *entry = dlsym(RTLD_DEFAULT, "MPI_Init");
    if (!entry || !dladdr(entry, &info) || !info.dli_fname)
        return 0;
    const char *slash = strrchr(info.dli_fname, '/');
    return strncmp(slash ? slash + 1 : info.dli_fname, "libsp_pmpi", 10) == 0;
}

static void finish_at_exit(void)
{
    sp_alone_finish();
}

/* Names the file, makes the spill files, and has the run finished at exit. */
static int start(const char *prefix, int rank)
{
    struct sp_process *process = sp_process_get();
    char pattern[4096], run_id[40];
    struct sp_output_name name = {{0}, {0}, {0}};
    struct sp_error err = {0};
    snprintf(pattern, sizeof pattern, "%s", process->config.output);
    if (prefix && *prefix)
        snprintf(pattern, sizeof pattern, "%.3900s_rank%05d.h5", prefix, rank);
    sp_output_name_run_id(run_id, sizeof run_id);
    if (sp_output_name_reserve(&name, pattern, 1, &err) < 0)
        sp_message_say("%s; the profile stays in its spill files", err.text);
    struct sp_run run = {.rank = 0,
        .rank_count = 1,
        .speaks = 1,
        .local_count = 1,
        .run_id = run_id,
        .output_path = name.output,
        .work_path = name.work,
        .offset_ns = process->clock.first.monotonic_ns,
        .thread_level = -1};
    process->rank_record.region_cost_ns = sp_record_calibrate();
    if (sp_process_start(&run, &err) < 0)
        sp_message_say("%s; only statistics are kept", err.text);
    sp_output_name_describe(&name, run_id, process->spill_directory, 1);
    is_running = 1;
    atexit(finish_at_exit);
    return SP_OK;
}

/* A program that libsp_pmpi.so watches and that has not called MPI_Init by its end was to be recorded all the same. */
static void start_and_finish_at_exit(void)
{
    struct sp_process *process = sp_process_get();
    if (!process || process->started || (__atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED) & SP_GATE_OFF))
        return;
    start(NULL, 0);
    sp_alone_finish();
}

static int wait_for_mpi(const struct sp_process *process)
{
    static int is_waiting;
    if (strcmp(process->config.enable, "1") == 0 && !__atomic_exchange_n(&is_waiting, 1, __ATOMIC_RELAXED))
        atexit(start_and_finish_at_exit);
    return SP_OK;
}

int sp_alone_start(const char *prefix, int rank)
{
    struct sp_process *process = sp_process_get();
    if (!process) /* switched off, which the program must not notice */
        return SP_OK;
    if (process->started)
        return SP_OK;
    if (mpi_is_watched())
        return wait_for_mpi(process);
    return start(prefix, rank);
}

/* Writes the file; the spill files stay where that fails. */
static int write_file(struct sp_process *process)
{
    struct sp_error err = {0};
    struct sp_writer_result *result = calloc(1, sizeof *result);
    int status = -1;
    if (result && sp_writer_load(&err) == 0)
        status = sp_writer_write(NULL, result, &err);
    if (status == 0) {
        if (result->note[0])
            sp_message_say("%s", result->note);
        if (process->config.summary)
            sp_message_say("wrote %s (%d rank(s), %d region(s), %llu event(s), %lld bytes)", result->path, result->rank_count,
                result->region_count, (unsigned long long)result->event_count, (long long)result->file_bytes);
        if (sp_process_events_dropped() > 0)
            sp_message_say(SP_SAY_DROPPED, (long long)sp_process_events_dropped());
        sp_process_discard();
        sp_output_name_release(process->output_path);
    } else {
        sp_message_say("%s; the profile stays in %s: run sp-merge on it", err.text, process->spill_directory);
    }
    free(result);
    return status;
}

int sp_alone_finish(void)
{
    struct sp_process *process = sp_process_get();
    if (!process || !is_running || __atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED) & SP_GATE_OFF)
        return SP_OK;
    is_running = 0;
    sp_process_stop(0, process->rank_record.offset_ns);
    if (!process->output_path[0])
        return SP_OK;
    return write_file(process) == 0 ? SP_OK : SP_ERR_IO;
}
