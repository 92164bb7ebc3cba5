/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_world.h"
#include "sp_barrier.h"
#include "sp_call.h"
#include "sp_comms.h"
#include "sp_mpi.h"
#include "sp_participants.h"
#include "sp_sync.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OUR_TAG 32701

/* What the first participant tells the others at the start. */
struct opening {
    char run_id[40];
    struct sp_sync_host host;
    struct sp_output_name name;
    int64_t origin_monotonic_ns, origin_real_ns;
    uint64_t sync; /* sp_barrier_wanted */
};

static struct {
    MPI_Comm comm; /* of the participants; valid where is_joined */
    int is_joined, is_started;
    int rank, size;
    char output[4096];
    struct sp_sync sync;
    struct sp_offset clock;         /* host's minus global, by the first comparison */
    int64_t init_end_ns, origin_ns; /* of this clock; of the first participant's */
} world;

static int64_t real_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Our communicator over the participants; -1: none. */
static int join(const char *is_participant)
{
    int *ranks = malloc(sizeof *ranks * (size_t)sp_mpi.world_size), count = 0, status = -1;
    MPI_Group group;
    for (int i = 0; ranks && i < sp_mpi.world_size; i++)
        if (is_participant[i])
            ranks[count++] = i;
    if (ranks && sp_mpi.Group_incl(sp_mpi.world_group, count, ranks, &group) == MPI_SUCCESS) {
        status = sp_mpi.Comm_create_group(sp_mpi.comm_world, group, OUR_TAG, &world.comm) == MPI_SUCCESS ? 0 : -1;
        sp_mpi.Group_free(&group);
    }
    free(ranks);
    if (status < 0)
        return -1;
    sp_mpi.Comm_set_errhandler(world.comm, sp_mpi.errors_return);
    sp_mpi.Comm_rank(world.comm, &world.rank);
    sp_mpi.Comm_size(world.comm, &world.size);
    world.is_joined = 1;
    return 0;
}

static void find_participants(void)
{
    char *is_participant = malloc((size_t)sp_mpi.world_size);
    world.size = 1;
    sp_mpi.participants = NULL;
    if (!is_participant)
        return;
    if (sp_participants_find(sp_mpi.world_rank, sp_mpi.world_size, is_participant) < 0)
        sp_call_runtime->say("cannot tell which processes of this job are recorded: each leaves its spill file, run sp-merge on them");
    else if (join(is_participant) < 0)
        sp_call_runtime->say("the MPI refused a communicator: each process leaves its spill file, run sp-merge on them");
    if (world.is_joined)
        sp_mpi.participants = is_participant; /* for as long as there are communicators */
    else
        free(is_participant);
}

static void open_run(struct opening *opening)
{
    struct sp_error err = {0};
    sp_call_runtime->naming->run_id(opening->run_id, sizeof opening->run_id);
    sp_sync_host_read(&opening->host);
    opening->origin_monotonic_ns = sp_clock_monotonic_ns();
    opening->origin_real_ns = real_ns();
    opening->sync = sp_barrier_wanted();
    if (!world.is_joined && sp_mpi.world_size > 1)
        return; /* no file can be written together */
    if (sp_call_runtime->naming->reserve(&opening->name, sp_call_runtime->config()->output, world.size, &err) < 0)
        sp_call_runtime->say("%s; the profile stays in its spill files, for sp-merge", err.text);
}

/* By the calendar clocks, whose difference is unknown: the stated error is a second. */
static struct sp_offset calendar_offset(const struct opening *opening)
{
    int64_t now = sp_clock_monotonic_ns();
    return (struct sp_offset){.offset_ns = now - (real_ns() - opening->origin_real_ns), .error_ns = 1000000000, .at_ns = now};
}

/* The run's global clock is the first participant's CLOCK_MONOTONIC_RAW since the opening. On its host the offset is exact; on
 * another one it is measured. */
static struct sp_offset find_offset(const struct opening *opening)
{
    struct sp_sync_host own;
    sp_sync_host_read(&own);
    struct sp_offset measured = {.error_ns = -1};
    if (world.is_joined && sp_sync_open(&world.sync, world.comm, &own, &opening->host) == 0 && world.sync.is_needed)
        measured = sp_sync_measure(&world.sync);
    if (sp_sync_host_is_same(&own, &opening->host))
        return (struct sp_offset){.offset_ns = opening->origin_monotonic_ns, .at_ns = sp_clock_monotonic_ns()};
    if (measured.error_ns < 0)
        return calendar_offset(opening);
    measured.offset_ns += opening->origin_monotonic_ns;
    return measured;
}

/* At the end, once more: clocks drift. */
static void compare_again(void)
{
    int64_t end_ns = sp_clock_monotonic_ns();
    struct sp_offset last = sp_sync_measure(&world.sync), settled[2];
    if (world.clock.error_ns == 0)
        return; /* of the reference host */
    last.offset_ns += world.origin_ns;
    sp_offset_settle(&world.clock, &last, world.init_end_ns, end_ns, settled);
    sp_call_runtime->set_offsets(settled[0].offset_ns, settled[1].offset_ns, settled[0].error_ns);
}

static int count_on_host(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value && atoi(value) > 0)
            return atoi(value);
    }
    return world.size;
}

static void describe_mpi(void)
{
    char *text = calloc(1, 8192 + 1); /* MPICH wants that much whatever the constant says */
    char number[16];
    int length = 0, major = 0, minor = 0;
    snprintf(number, sizeof number, "%d", world.size);
    sp_call_runtime->metadata("mpi_size", number);
    if (sp_mpi.Get_version(&major, &minor) == MPI_SUCCESS) {
        snprintf(number, sizeof number, "%d.%d", major, minor);
        sp_call_runtime->metadata("mpi_version", number);
    }
    if (text && sp_mpi.Get_library_version(text, &length) == MPI_SUCCESS) {
        text[strcspn(text, "\n")] = '\0';
        sp_call_runtime->metadata("mpi_library", text);
    }
    free(text);
}

static int thread_level(void)
{
    int level = -1;
    return sp_mpi.Query_thread(&level) == MPI_SUCCESS ? level : -1;
}

static void start_run(const struct opening *opening, uint64_t init_end_ticks, int64_t announce_ns)
{
    struct sp_error err = {0};
    struct sp_run run = {.rank = sp_mpi.world_rank,
        .rank_count = sp_mpi.world_size,
        .speaks = world.is_joined ? world.rank == 0 : sp_mpi.world_rank == 0,
        .local_count = count_on_host(),
        .run_id = opening->run_id,
        .output_path = opening->name.output,
        .work_path = opening->name.work,
        .init_end_ticks = init_end_ticks,
        .announce_ns = announce_ns,
        .thread_level = thread_level()};
    snprintf(world.output, sizeof world.output, "%s", opening->name.output);
    world.clock = find_offset(opening);
    world.origin_ns = opening->origin_monotonic_ns;
    run.offset_ns = world.clock.offset_ns;
    run.offset_error_ns = world.clock.error_ns;
    describe_mpi();
    if (sp_call_runtime->start(&run, &err) < 0)
        sp_call_runtime->say("%s; only statistics are kept", err.text);
    if (world.rank == 0)
        sp_call_runtime->naming->describe(&opening->name, opening->run_id, sp_call_runtime->spill_directory(), world.size);
    world.is_started = 1;
}

/* Do all participants say 0? */
static int all_ready(int status)
{
    int worst = -1;
    if (sp_mpi.Allreduce(&status, &worst, 1, sp_mpi.int32_type, sp_mpi.min, world.comm) != MPI_SUCCESS)
        return 0;
    return worst == 0;
}

/* A barrier that only some make would hang: all must want it, under the same settings. */
static void agree_on_sync(uint64_t wanted)
{
    if (wanted == 0 || !world.is_joined)
        return;
    sp_barrier_is_on = all_ready(sp_barrier_wanted() == wanted ? 0 : -1);
    if (!sp_barrier_is_on && world.rank == 0)
        sp_call_runtime->say("SP_SYNC, SP_MPI_GROUPS, SP_INCLUDE or SP_EXCLUDE differ between processes: no barriers before collectives");
}

void sp_world_start(uint64_t init_end_ticks, int64_t announce_ns)
{
    struct opening *opening = calloc(1, sizeof *opening);
    if (!opening)
        return;
    world.init_end_ns = sp_clock_monotonic_ns();
    sp_mpi.Comm_rank(sp_mpi.comm_world, &sp_mpi.world_rank);
    sp_mpi.Comm_size(sp_mpi.comm_world, &sp_mpi.world_size);
    sp_mpi.Comm_group(sp_mpi.comm_world, &sp_mpi.world_group);
    find_participants();
    if (world.rank == 0)
        open_run(opening);
    if (world.is_joined && sp_mpi.Bcast(opening, (int)sizeof *opening, sp_mpi.byte, 0, world.comm) != MPI_SUCCESS)
        world.is_joined = 0;
    agree_on_sync(opening->sync);
    start_run(opening, init_end_ticks, announce_ns);
    sp_comms_find(sp_mpi.comm_world);
    free(opening);
}

static void report(const struct sp_writer_result *result, long long dropped)
{
    if (result->note[0])
        sp_call_runtime->say("%s", result->note);
    char of_all[32] = "";
    if (world.size < result->rank_count)
        snprintf(of_all, sizeof of_all, " of %d", result->rank_count);
    if (sp_call_runtime->config()->summary)
        sp_call_runtime->say("wrote %s (%d%s rank(s), %d region(s), %llu event(s), %lld bytes)", result->path, world.size, of_all,
            result->region_count, (unsigned long long)result->event_count, (long long)result->file_bytes);
    if (dropped > 0)
        sp_call_runtime->say(SP_SAY_DROPPED, dropped);
}

/* Events that no rank's trace holds, over all ranks. */
static long long count_dropped(void)
{
    int64_t own = (int64_t)sp_call_runtime->events_dropped(), all = own;
    sp_mpi.Allreduce(&own, &all, 1, sp_mpi.int64_type, sp_mpi.sum, world.comm);
    return (long long)all;
}

/* The file, by all participants together. */
static void write_file(void)
{
    struct sp_error err = {0};
    struct sp_writer_result *result = calloc(1, sizeof *result);
    int status = result && sp_call_runtime->load_writer(&err) == 0 ? 0 : -1;
    if (!all_ready(status))
        status = -1;
    else
        status = sp_call_runtime->write(&world.comm, result, &err);
    if (status == 0) {
        long long dropped = count_dropped();
        if (world.rank == 0)
            report(result, dropped);
        sp_call_runtime->discard();
        if (world.rank == 0)
            sp_call_runtime->naming->release(world.output);
    } else {
        sp_call_runtime->say("%s; the profile stays in %s: run sp-merge on it",
            err.text[0] ? err.text : "the writer does not load everywhere", sp_call_runtime->spill_directory());
    }
    free(result);
}

void sp_world_finish(uint64_t finalize_begin_ticks)
{
    if (!world.is_started)
        return;
    sp_call_runtime->stop(finalize_begin_ticks, world.clock.offset_ns);
    if (world.sync.is_needed)
        compare_again();
    if (world.is_joined && world.output[0])
        write_file();
    else if (strcmp(sp_call_runtime->config()->output, "none") != 0)
        sp_call_runtime->say("there is no file: the profile is in %s, run sp-merge on it", sp_call_runtime->spill_directory());
    if (world.is_joined) {
        sp_sync_close(&world.sync);
        sp_mpi.Comm_free(&world.comm);
    }
    world.is_joined = world.is_started = 0;
}
