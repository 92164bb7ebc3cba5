/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* syscall */
#include "sp_message.h"
#include "sp_process.h"
#include "sp_snapshot.h"
#include "sp_record.h"
#include "sp_spill_dir.h"
#include "sp_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MEMORY_BUDGET ((uint64_t)16 << 20)

int sp_process_gate;

static struct sp_process the_process;
static int is_usable;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void sp_process_set_gate(int set, int clear)
{
    __atomic_fetch_or(&sp_process_gate, set, __ATOMIC_SEQ_CST);
    int gate = __atomic_and_fetch(&sp_process_gate, ~clear, __ATOMIC_SEQ_CST);
    sp_table_choose_pair(gate, the_process.clock.source);
}

/* A forked child writes nothing and joins nothing; its memory still holds the parent's mapped rings. */
static void switch_off_child(void)
{
    /* the pairs stay: another thread may have held their lock, and without a lane they record nothing */
    __atomic_fetch_or(&sp_process_gate, SP_GATE_OFF, __ATOMIC_SEQ_CST);
    sp_record_forget_lane();
}

static void read_boot_id(char *id, size_t room)
{
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, id, room - 1);
    if (fd >= 0)
        close(fd);
    id[n > 0 ? n : 0] = '\0';
    id[strcspn(id, "\n")] = '\0';
}

static void fill_identity(struct sp_process *process)
{
    struct sp_spill_header *head = sp_store_head(process->store);
    head->kind = SP_SPILL_PROCESS;
    head->pid = (int32_t)getpid();
    head->clock = process->clock;
    gethostname(head->host, sizeof head->host - 1);
    read_boot_id(head->boot_id, sizeof head->boot_id);
}

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static int prepare(struct sp_process *process)
{
    pthread_mutex_init(&process->lock, NULL);
    sp_clock_read_skew();
    process->clock.source = sp_clock_choose(process->config.clock);
    process->clock.first = sp_clock_read_point((enum sp_clock_source)process->clock.source, &process->clock_error_ns);
    process->clock.last[0] = process->clock.first;
    process->rank_record.start = process->clock.first.ticks;
    process->budget.limit = strcmp(process->config.mode, "trace") == 0 ? MEMORY_BUDGET : 0;
    process->store = sp_store_create(SP_SPILL_PAGE);
    if (!process->store)
        return -1;
    fill_identity(process);
    process->metadata = sp_metadata_create();
    process->registry = sp_registry_create(process->store, NULL, NULL);
    if (!process->metadata || !process->registry)
        return -1;
    struct sp_registry_filter filter = {or_null(process->config.include), or_null(process->config.exclude), or_null(process->config.tags),
        or_null(process->config.enable_tags)};
    sp_registry_set_filter(process->registry, &filter);
    return 0;
}

static void initialise(void)
{
    struct sp_process *process = &the_process;
    if (sp_config_read(&process->config, sp_message_say) < 0 || strcmp(process->config.enable, "0") == 0 || prepare(process) < 0) {
        sp_process_set_gate(SP_GATE_OFF, 0);
        return;
    }
    if (process->config.help)
        sp_config_explain(&process->config, sp_message_say);
    sp_process_set_gate(strcmp(process->config.start, "off") == 0 ? SP_GATE_PAUSED : 0, 0);
    pthread_atfork(NULL, NULL, switch_off_child);
    is_usable = 1;
}

struct sp_process *sp_process_get(void)
{
    pthread_once(&once, initialise);
    return is_usable ? &the_process : NULL;
}

/* What a lane's header says beside its own: whose it is. */
static void stamp(struct sp_process *process, struct sp_spill_header *head)
{
    const struct sp_spill_header *own = sp_store_head(process->store);
    memcpy(head->host, own->host, sizeof head->host);
    memcpy(head->boot_id, own->boot_id, sizeof head->boot_id);
    memcpy(head->run_id, own->run_id, sizeof head->run_id);
    head->pid = own->pid;
    head->rank = own->rank;
    head->rank_count = own->rank_count;
}

static enum sp_nesting nesting_of(const char *word)
{
    if (strcmp(word, "ignore") == 0)
        return SP_NESTING_IGNORE;
    return strcmp(word, "strict") == 0 ? SP_NESTING_STRICT : SP_NESTING_UNWIND;
}

static void tell_crossing(const struct sp_lane *lane)
{
    const struct sp_process *process = sp_process_get();
    if (process)
        sp_message_say("rank %d, %s: an end of \"%.200s\", which is not the innermost open region, was passed over", lane->head.rank,
            lane->head.lane_name, sp_registry_name(process->registry, lane->crossed_region));
}

/* Moves a lane to its spill file; where that fails it stays in memory and keeps no further events. */
static int attach_lane(struct sp_process *process, struct sp_lane *lane, struct sp_error *err)
{
    char path[4200];
    lane->nesting = nesting_of(process->config.nesting); /* the program may have said so meanwhile */
    stamp(process, &lane->head);
    if (process->in_memory)
        return 0;
    snprintf(path, sizeof path, "%s/rank%06d-%d.lane%d.spill", process->spill_directory, lane->head.rank, lane->head.pid, lane->head.lane);
    int status = sp_store_attach(lane->store, path, err);
    if (status == 0)
        sp_snapshot_arm(process, lane);
    return status;
}

static void move_locked(struct sp_process *process, struct sp_lane *lane)
{
    if (__atomic_exchange_n(&lane->is_to_move, 0, __ATOMIC_ACQ_REL))
        attach_lane(process, lane, NULL);
}

static void move_lane(struct sp_lane *lane)
{
    struct sp_process *process = sp_process_get();
    if (!process)
        return;
    pthread_mutex_lock(&process->lock);
    move_locked(process, lane);
    pthread_mutex_unlock(&process->lock);
}

struct sp_lane *sp_process_take_lane(struct sp_process *process)
{
    pthread_mutex_lock(&process->lock);
    struct sp_lane *lane = process->idle_lanes;
    if (lane) {
        process->idle_lanes = lane->next_idle;
    } else if ((lane = sp_lane_create(&process->clock, &process->budget))) {
        lane->head.lane = process->lane_count++;
        lane->head.lane_kind = getpid() == (pid_t)syscall(SYS_gettid) ? SP_LANE_MAIN : SP_LANE_THREAD;
        snprintf(lane->head.lane_name, sizeof lane->head.lane_name, lane->head.lane_kind == SP_LANE_MAIN ? "main" : "thread %d",
            lane->head.lane);
        lane->nesting = nesting_of(process->config.nesting);
        lane->tell_crossing = tell_crossing;
        lane->move = move_lane;
        lane->next = process->lanes;
        process->lanes = lane;
        if (process->started)
            attach_lane(process, lane, NULL);
    }
    pthread_mutex_unlock(&process->lock);
    return lane;
}

void sp_process_leave_lane(struct sp_process *process, struct sp_lane *lane)
{
    pthread_mutex_lock(&process->lock);
    move_locked(process, lane);
    lane->next_idle = process->idle_lanes;
    process->idle_lanes = lane;
    pthread_mutex_unlock(&process->lock);
}

static void take_over_run(struct sp_process *process, const struct sp_run *run)
{
    struct sp_spill_header *head = sp_store_head(process->store);
    process->run = *run;
    snprintf(process->run_id, sizeof process->run_id, "%s", run->run_id);
    snprintf(process->output_path, sizeof process->output_path, "%s", run->output_path);
    snprintf(process->work_path, sizeof process->work_path, "%s", run->work_path);
    memcpy(head->run_id, process->run_id, sizeof head->run_id);
    head->rank = run->rank;
    head->rank_count = run->rank_count;
    process->rank_record.mpi_init_end = run->init_end_ticks;
    process->rank_record.offset_ns = process->rank_record.offset_last_ns = run->offset_ns;
    process->rank_record.offset_error_ns = run->offset_error_ns;
    process->rank_record.thread_level = run->thread_level;
    if (run->start_ticks)
        process->rank_record.start = run->start_ticks;
}

static void append_rank_record(struct sp_process *process)
{
    struct sp_spill_segment segment = {.type = SP_SEGMENT_RANK, .count = 1};
    sp_registry_append(process->registry, &segment, &process->rank_record, sizeof process->rank_record);
}

static void append_metadata(struct sp_process *process)
{
    struct sp_spill_segment segment = {.type = SP_SEGMENT_METADATA, .count = 1};
    char *text = sp_metadata_text(process->metadata, &process->config);
    if (text)
        sp_registry_append(process->registry, &segment, text, strlen(text));
    free(text);
}

/* The rank's share of what may be written here: the trace limit, and a quarter of what is free shared by the host's ranks. */
static uint64_t trace_budget(const struct sp_process *process, const struct sp_run *run)
{
    uint64_t limit = process->config.trace_limit ? process->config.trace_limit : UINT64_MAX;
    uint64_t room = sp_spill_dir_room(process->spill_directory) / (uint64_t)(run->local_count > 0 ? run->local_count : 1);
    if (process->budget.limit == 0)
        return 0;
    if (room < limit && limit != UINT64_MAX)
        sp_message_say("%s has room for %llu MiB of events a rank; the trace ends there, statistics go on", process->spill_directory,
            (unsigned long long)(room >> 20));
    return room < limit ? room : limit;
}

static int is_in_use_elsewhere(const struct sp_process *process, const struct sp_lane *lane)
{
    for (const struct sp_lane *idle = process->idle_lanes; idle; idle = idle->next_idle)
        if (idle == lane)
            return 0;
    return lane != sp_hot.lane;
}

static int move_to_disk(struct sp_process *process, const struct sp_run *run, struct sp_error *err)
{
    char path[4200];
    if (sp_spill_dir_make(process->config.spill_dir, run->run_id, process->spill_directory, sizeof process->spill_directory, err) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/rank%06d-%d.process.spill", process->spill_directory, run->rank, (int)getpid());
    if (sp_registry_attach(process->registry, path, err) < 0)
        return -1;
    __atomic_store_n(&process->budget.limit, trace_budget(process, run), __ATOMIC_RELAXED);
    for (struct sp_lane *lane = process->lanes; lane; lane = lane->next)
        if (is_in_use_elsewhere(process, lane))
            __atomic_store_n(&lane->is_to_move, 1, __ATOMIC_RELEASE);
        else if (attach_lane(process, lane, err) < 0)
            return -1;
    return 0;
}

/* ns since the program's MPI_Init was done, and before it: what our start cost. */
static int64_t start_cost_ns(struct sp_process *process, const struct sp_run *run)
{
    if (!run->init_end_ticks)
        return 0;
    sp_clock_renew(&process->clock);
    return run->announce_ns + sp_clock_to_ns(&process->clock, sp_clock_now(process->clock.source)) -
        sp_clock_to_ns(&process->clock, run->init_end_ticks);
}

int sp_process_start(const struct sp_run *run, struct sp_error *err)
{
    struct sp_process *process = sp_process_get();
    if (!process)
        return sp_fail(err, "recording is off");
    pthread_mutex_lock(&process->lock);
    take_over_run(process, run);
    sp_message_set_speaker(run->speaks);
    int status = move_to_disk(process, run, err);
    if (status < 0) {
        process->in_memory = 1;
        process->budget.limit = 0;
        for (struct sp_lane *lane = process->lanes; lane; lane = lane->next)
            stamp(process, &lane->head);
    }
    process->started = 1;
    process->rank_record.init_ns = start_cost_ns(process, run);
    append_rank_record(process);
    append_metadata(process);
    pthread_mutex_unlock(&process->lock);
    return status;
}

void sp_process_set_offsets(int64_t first_ns, int64_t last_ns, int64_t error_ns)
{
    struct sp_process *process = sp_process_get();
    if (!process)
        return;
    pthread_mutex_lock(&process->lock);
    process->rank_record.offset_ns = first_ns;
    process->rank_record.offset_last_ns = last_ns;
    process->rank_record.offset_error_ns += error_ns - process->run.offset_error_ns;
    process->run.offset_error_ns = error_ns;
    append_rank_record(process);
    pthread_mutex_unlock(&process->lock);
}

static int64_t max_rss_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * 1024 : 0;
}

uint64_t sp_process_events_dropped(void)
{
    struct sp_process *process = sp_process_get();
    uint64_t dropped = 0;
    if (process && strcmp(process->config.mode, "trace") != 0)
        return 0; /* none was to be kept */
    for (struct sp_lane *lane = process ? process->lanes : NULL; lane; lane = lane->next) {
        uint64_t events = lane->head.events_first + sp_lane_events_used(lane);
        if (lane->head.events_kept < events)
            dropped += events - lane->head.events_kept;
    }
    return dropped;
}

/* Names the first end that did not match, once a process; say lets only one rank speak. */
static void report_unmatched(struct sp_process *process)
{
    for (struct sp_lane *lane = process->lanes; lane; lane = lane->next) {
        if (lane->head.unmatched_ends == 0)
            continue;
        sp_message_say("rank %d, %s: %llu end(s) did not match the innermost open region, the first one was of \"%.200s\"", lane->head.rank,
            lane->head.lane_name, (unsigned long long)lane->head.unmatched_ends, sp_registry_name(process->registry, lane->crossed_region));
        return;
    }
}

/* Largest residual of the points that were read during the run: at its start, and at each lane's last turn-over. */
static int64_t largest_residual_ns(const struct sp_process *process, const struct sp_spill_clock_point *start)
{
    int64_t largest = sp_clock_residual_ns(&process->clock, start);
    for (const struct sp_lane *lane = process->lanes; lane; lane = lane->next) {
        int64_t residual = sp_clock_residual_ns(&process->clock, &lane->head.clock.last[lane->head.clock.last_index & 1]);
        largest = residual > largest ? residual : largest;
    }
    return largest;
}

/* Sets the clock's last point and says how exact times are: what reading the two points left open, and how unevenly the ticks went. */
static void close_clock(struct sp_process *process)
{
    struct sp_spill_clock_point start = process->clock.last[process->clock.last_index & 1];
    int64_t reading_ns = process->clock_error_ns + sp_clock_renew(&process->clock);
    int64_t residual_ns = largest_residual_ns(process, &start);
    int64_t span_ns = process->clock.last[process->clock.last_index & 1].monotonic_ns - process->clock.first.monotonic_ns;
    process->rank_record.offset_error_ns += reading_ns + residual_ns;
    if (residual_ns > 50000 && residual_ns > span_ns / 10000)
        sp_message_say(
            "the processor's counter and CLOCK_MONOTONIC_RAW went apart by %lld us on the way: times are no more exact than that "
            "(SP_CLOCK=monotonic reads the other)",
            (long long)(residual_ns / 1000));
}

void sp_process_stop(uint64_t finalize_begin_ticks, int64_t offset_last_ns)
{
    struct sp_process *process = sp_process_get();
    if (!process)
        return;
    sp_process_set_gate(SP_GATE_OFF, 0);
    pthread_mutex_lock(&process->lock);
    uint64_t now = sp_clock_now(process->clock.source);
    close_clock(process);
    sp_store_head(process->store)->clock = process->clock;
    for (struct sp_lane *lane = process->lanes; lane; lane = lane->next) {
        move_locked(process, lane);
        sp_lane_finish(lane, now, &process->clock);
    }
    report_unmatched(process);
    process->rank_record.finalize_begin = finalize_begin_ticks;
    process->rank_record.end = now;
    process->rank_record.offset_last_ns = offset_last_ns;
    process->rank_record.events_dropped = sp_process_events_dropped();
    process->rank_record.max_rss_bytes = max_rss_bytes();
    process->rank_record.state = finalize_begin_ticks ? SP_RANK_FINALIZED : SP_RANK_EXITED;
    append_rank_record(process);
    append_metadata(process);
    pthread_mutex_unlock(&process->lock);
}

void sp_process_discard(void)
{
    struct sp_process *process = sp_process_get();
    if (!process || !process->spill_directory[0])
        return;
    for (struct sp_lane *lane = process->lanes; lane; lane = lane->next)
        if (sp_store_path(lane->store))
            unlink(sp_store_path(lane->store));
    if (sp_store_path(process->store))
        unlink(sp_store_path(process->store));
    rmdir(process->spill_directory);
    sp_snapshot_discard(process);
}

void sp_process_add_communicator(const struct sp_spill_communicator *record, const char *name, const int32_t *members)
{
    struct sp_process *process = sp_process_get();
    if (!process)
        return;
    struct sp_spill_communicator copy = *record;
    size_t name_room = (copy.name_bytes + 7) / 8 * 8;
    size_t member_room = ((size_t)copy.member_count * 4 + 7) / 8 * 8;
    copy.record_bytes = (uint32_t)(sizeof copy + name_room + member_room);
    char *buffer = calloc(1, copy.record_bytes);
    if (!buffer)
        return;
    memcpy(buffer, &copy, sizeof copy);
    memcpy(buffer + sizeof copy, name, copy.name_bytes);
    if (copy.member_count > 0)
        memcpy(buffer + sizeof copy + name_room, members, (size_t)copy.member_count * 4);
    sp_registry_append_communicator(process->registry, buffer, copy.record_bytes);
    free(buffer);
}
