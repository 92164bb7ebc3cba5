/* SPDX-License-Identifier: BSD-3-Clause */
/* The one symbol libsp.so exports: the table through which programs and libsp_pmpi.so reach the runtime. */
#include "sp_alone.h"
#include "sp_checked.h"
#include "sp_context.h"
#include "sp_message.h"
#include "sp_pairs.h"
#include "sp_process.h"
#include "sp_record.h"
#include "sp_settings.h"
#include "sp_snapshot.h"
#include "sp_table.h"
#include "sp_tally.h"
#include "sp_writer_load.h"

#include <string.h>

__attribute__((visibility("default"))) extern struct scope_profiler_runtime scope_profiler_runtime_1;

/* The run has ended, or this is a forked child, which must not touch what it shares with its parent: files, and locks that another
 * thread held at the fork. */
static int is_off(void)
{
    return (__atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED) & SP_GATE_OFF) != 0;
}

/* What a program that uses regions and no MPI is asked to be by SP_ENABLE=1. */
static void start_if_wanted(const struct sp_process *process)
{
    if (!process->started && strcmp(process->config.enable, "1") == 0)
        sp_alone_start(NULL, 0);
}

static int region_of(const struct sp_region_key *key)
{
    struct sp_process *process = sp_process_get();
    if (!process)
        return SP_INVALID_REGION;
    if (key->kind == SP_REGION_FUNCTION)
        start_if_wanted(process);
    return is_off() ? SP_INVALID_REGION : sp_registry_id(process->registry, key);
}

static int table_region(const char *name, const char *file, int line, const char *tags)
{
    struct sp_process *process = sp_process_get();
    if (!process || !name)
        return SP_INVALID_REGION;
    start_if_wanted(process);
    struct sp_region_key key = {.name = name, .name_bytes = strlen(name), .file = file, .line = line, .tags = tags, .kind = SP_REGION_USER};
    return is_off() ? SP_INVALID_REGION : sp_registry_id(process->registry, &key);
}

static int table_phase(const char *name, int64_t index)
{
    const struct sp_process *process = sp_process_get();
    if (!process || !name)
        return SP_OK;
    start_if_wanted(process);
    return sp_checked_next_phase(name, index);
}

static int table_opt_in_tag(const char *tag)
{
    struct sp_process *process = sp_process_get();
    return process && tag && !is_off() && sp_registry_add_opt_in(process->registry, tag) < 0 ? SP_ERR_NO_MEMORY : SP_OK;
}

static int table_region_count(void)
{
    struct sp_process *process = sp_process_get();
    return process ? sp_registry_count(process->registry) : 0;
}

static const char *table_region_name(int region)
{
    struct sp_process *process = sp_process_get();
    return region >= 0 && region < table_region_count() ? sp_registry_name(process->registry, region) : NULL;
}

static void table_pause(void)
{
    if (sp_process_get())
        sp_process_set_gate(SP_GATE_PAUSED, 0);
}

static void table_resume(void)
{
    if (sp_process_get())
        sp_process_set_gate(0, SP_GATE_PAUSED);
}

static int table_metadata(const char *key, const char *value)
{
    struct sp_process *process = sp_process_get();
    if (!process || !key || !value || is_off())
        return SP_OK;
    return sp_metadata_set(process->metadata, key, value) < 0 ? SP_ERR_NO_MEMORY : SP_OK;
}

static int table_is_active(void)
{
    return sp_process_get() && __atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED) == 0;
}

static const char *table_output_path(void)
{
    const struct sp_process *process = sp_process_get();
    return process ? process->output_path : "";
}

static const struct sp_config *internal_config(void)
{
    return &sp_process_get()->config;
}

/* A handle comes first, and with it the process: a pair that is attached without one has nothing to record. */
static void table_attach(struct sp_pair_ *pair)
{
    if (sp_process_get())
        sp_pairs_attach(pair);
}

static int internal_is_off(void)
{
    return !sp_process_get() || is_off();
}

static int internal_start(const struct sp_run *run, struct sp_error *err)
{
    struct sp_process *process = sp_process_get();
    if (process)
        process->rank_record.region_cost_ns = sp_record_calibrate();
    return sp_process_start(run, err);
}

static const char *internal_spill_directory(void)
{
    const struct sp_process *process = sp_process_get();
    return process && !process->in_memory ? process->spill_directory : "";
}

static void internal_snapshot(void)
{
    const struct sp_process *process = sp_process_get();
    int status = sp_tally_flush();
    if (status == SP_ERR_IO || status == SP_ERR_NO_MEMORY)
        sp_message_say("the record could not be brought to disk; recording goes on");
    if (process && !is_off())
        sp_snapshot_take_now(process);
}

static const struct sp_spill_header *internal_identity(void)
{
    const struct sp_process *process = sp_process_get();
    return process ? sp_store_head(process->store) : NULL;
}

static uint32_t internal_clock_source(void)
{
    const struct sp_process *process = sp_process_get();
    return process ? process->clock.source : (uint32_t)SP_CLOCK_MONOTONIC;
}

static const struct sp_output_naming naming = {
    .run_id = sp_output_name_run_id,
    .reserve = sp_output_name_reserve,
    .describe = sp_output_name_describe,
    .release = sp_output_name_release,
};

static struct sp_runtime_internal internal = {
    .version = SP_INTERNAL_VERSION,
    .clock_source = internal_clock_source,
    .begin = sp_record_begin,
    .begin_in = sp_record_begin_in,
    .end = sp_record_end_call,
    .end_unrecorded = sp_record_end_unrecorded,
    .message = sp_record_message,
    .region = region_of,
    .config = internal_config,
    .identity = internal_identity,
    .is_off = internal_is_off,
    .say = sp_message_say,
    .start = internal_start,
    .spill_directory = internal_spill_directory,
    .snapshot = internal_snapshot,
    .communicator = sp_process_add_communicator,
    .metadata = table_metadata,
    .stop = sp_process_stop,
    .set_offsets = sp_process_set_offsets,
    .load_writer = sp_writer_load,
    .write = sp_writer_write,
    .discard = sp_process_discard,
    .events_dropped = sp_process_events_dropped,
    .naming = &naming,
};

struct scope_profiler_runtime scope_profiler_runtime_1 = {
    .version = 1,
    .bytes = sizeof scope_profiler_runtime_1,
    .begin = sp_record_begin,
    .end = sp_record_end,
    .region = table_region,
    .init = sp_context_init,
    .finalize = sp_context_finish,
    .pause = table_pause,
    .resume = table_resume,
    .metadata = table_metadata,
    .now_ns = sp_clock_monotonic_ns,
    .num_calls = sp_tally_calls,
    .is_active = table_is_active,
    .output_path = table_output_path,
    .end_last = sp_record_end_last,
    .attach = table_attach,
    .internal = &internal,
    .opt_in_tag = table_opt_in_tag,
    .work = sp_settings_work,
    .phase = table_phase,
    .set = sp_settings_set,
    .region_stats = sp_tally_stats,
    .flush = sp_tally_flush,
    .reset = sp_tally_reset,
    .region_count = table_region_count,
    .region_name = table_region_name,
    .checked_end = sp_checked_end,
    .scope_begin = sp_checked_begin,
    .scope_end = sp_checked_end_of,
    .open_context = sp_context_open,
    .finalize_context = sp_context_finalize,
    .close_context = sp_context_close,
};

void sp_table_choose_pair(int gate, uint32_t source)
{
    sp_record_function *begin = sp_record_begin_for(gate, source), *end = sp_record_end_for(gate, source);
    __atomic_store_n(&internal.begin, begin, __ATOMIC_RELAXED);
    __atomic_store_n(&internal.begin_in, sp_record_begin_in_for(gate, source), __ATOMIC_RELAXED);
    __atomic_store_n(&scope_profiler_runtime_1.begin, begin, __ATOMIC_RELAXED);
    __atomic_store_n(&scope_profiler_runtime_1.end, end, __ATOMIC_RELAXED);
    sp_pairs_set(begin, end);
}
