/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_export_schema3.h"

#include "sp_error.h"
#include "sp_rank_calls.h"
#include "sp_schema3.h"

#include <stdlib.h>
#include <string.h>

#define SESSION "scope_profiler.session"
#define BUFFER ((size_t)1 << 19) /* calls sorted by region at a time */

/* What is known of a region while a rank is written. */
struct slot {
    struct sp_stats stats;
    int64_t end_maximum;
    uint64_t next;      /* row of /events its next call goes to */
    int64_t last_start; /* of the call written last */
    uint64_t buffered, place;
};

struct call {
    int64_t start, duration;
    int32_t region, thread;
};

struct exporting {
    const struct sp_run *run;
    struct sp_schema3 *out;
    struct sp_export_losses *losses;
    int32_t region_count; /* with the session */
    int32_t session;      /* region of the session; -1: the run has a region of that name already */
    const char **names;
    char **tags, **files;                  /* of regions */
    struct slot *slots;                    /* by region */
    struct call *calls;                    /* as they come */
    int64_t *deltas, *durations, *threads; /* by region */
    size_t call_count;
    bool has_threads;
    uint64_t next_event;
    struct sp_schema3_row *rows; /* of a rank */
};

static void exporting_free(struct exporting *e)
{
    for (int32_t i = 0; i < e->region_count; i++) {
        if (e->tags)
            free(e->tags[i]);
        if (e->files)
            free(e->files[i]);
    }
    free(e->names);
    free(e->tags);
    free(e->files);
    free(e->slots);
    free(e->calls);
    free(e->deltas);
    free(e->durations);
    free(e->threads);
    free(e->rows);
}

static char *slice(const struct sp_run *run, uint64_t offset, uint32_t bytes)
{
    return strndup(sp_file_strings(run->file) + offset, bytes);
}

/* JSON list of the comma-separated tags; MPI functions are recognised by theirs. */
static char *tag_list(const struct sp_run *run, int32_t region)
{
    const struct sp_region_row *row = &sp_file_regions(run->file)[region];
    char *tags = slice(run, row->tags_offset, row->tags_bytes), *next, *rest = tags;
    json_t *list = json_array();
    for (next = tags ? strtok_r(tags, ",", &rest) : NULL; next; next = strtok_r(NULL, ",", &rest))
        json_array_append_new(list, json_string(next));
    if (row->kind == SP_REGION_MPI && json_array_size(list) == 0)
        json_array_append_new(list, json_string("mpi"));
    char *text = tags ? json_dumps(list, JSON_COMPACT) : NULL;
    json_decref(list);
    free(tags);
    return text;
}

static int describe_regions(struct exporting *e, struct sp_error *err)
{
    const struct sp_run *run = e->run;
    e->session = run->info->region_count;
    for (int32_t i = 0; i < run->info->region_count; i++) {
        const struct sp_region_row *row = &sp_file_regions(run->file)[i];
        e->names[i] = run->regions[i].name;
        e->tags[i] = tag_list(run, i);
        e->files[i] = slice(run, row->file_offset, row->file_bytes);
        if (!e->tags[i] || !e->files[i])
            return sp_fail(err, "out of memory");
        if (!strcmp(e->names[i], SESSION))
            e->session = -1;
    }
    if (e->session < 0)
        e->region_count--;
    else if (!(e->tags[e->session] = strdup("[]")) || !(e->files[e->session] = strdup("")))
        return sp_fail(err, "out of memory");
    else
        e->names[e->session] = SESSION;
    return 0;
}

static int exporting_init(struct exporting *e, const struct sp_run *run, struct sp_export_losses *losses, struct sp_error *err)
{
    size_t regions = (size_t)run->info->region_count + 1;
    *losses = (struct sp_export_losses){.sums_only = run->info->event_count == 0 && run->entry_count > 0};
    *e = (struct exporting){.run = run, .losses = losses, .region_count = (int32_t)regions};
    e->names = calloc(regions, sizeof *e->names);
    e->tags = calloc(regions, sizeof *e->tags);
    e->files = calloc(regions, sizeof *e->files);
    e->slots = calloc(regions, sizeof *e->slots);
    e->rows = calloc(regions, sizeof *e->rows);
    e->calls = malloc(BUFFER * sizeof *e->calls);
    e->deltas = malloc(BUFFER * sizeof *e->deltas);
    e->durations = malloc(BUFFER * sizeof *e->durations);
    e->threads = malloc(BUFFER * sizeof *e->threads);
    if (!e->names || !e->tags || !e->files || !e->slots || !e->rows || !e->calls || !e->deltas || !e->durations || !e->threads)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->lane_count; i++)
        e->has_threads = e->has_threads || (sp_file_lanes(run->file)[i].index > 0 && run->ranks[sp_file_lanes(run->file)[i].rank]);
    return describe_regions(e, err);
}

/* The session reaches from the rank's start to its end, and around every call of it. */
static struct call session_of(const struct exporting *e, int32_t rank)
{
    const struct sp_rank *row = &sp_file_ranks(e->run->file)[rank];
    int64_t start = row->start_ns, end = row->end_ns;
    for (int32_t i = 0; i < e->run->info->region_count; i++) {
        const struct slot *slot = &e->slots[i];
        if (!slot->stats.calls)
            continue;
        start = slot->stats.first_start < start ? slot->stats.first_start : start;
        end = slot->end_maximum > end ? slot->end_maximum : end;
    }
    return (struct call){start, end < start ? 0 : end - start, e->session, 0};
}

static void add_call(struct slot *slot, int64_t start, int64_t duration)
{
    if (!slot->stats.calls || start + duration > slot->end_maximum)
        slot->end_maximum = start + duration;
    sp_stats_add(&slot->stats, start, duration, 0);
}

/* A call that is written: of a selected region, with an end. */
static bool takes(const struct exporting *e, const struct sp_rank_call *call, struct call *taken)
{
    int32_t region = sp_file_callpaths(e->run->file)[call->callpath].region;
    *taken = (struct call){call->start_ns, call->duration_ns, region, sp_file_lanes(e->run->file)[call->lane].index};
    return e->run->regions[region].selected && call->duration_ns >= 0 &&
        sp_window_takes(&e->run->window, sp_file_lanes(e->run->file)[call->lane].end_ns, call->start_ns, call->duration_ns);
}

/* Statistics of a rank's calls by region, the session's too. */
static int count_rank(struct exporting *e, int32_t rank, uint64_t *open_calls, struct sp_error *err)
{
    struct sp_rank_calls *calls;
    struct sp_rank_call next;
    struct call call;
    int status;
    memset(e->slots, 0, (size_t)e->region_count * sizeof *e->slots);
    if (sp_rank_calls_open(e->run->file, rank, &calls, err))
        return -1;
    while ((status = sp_rank_calls_next(calls, &next, err)) > 0) {
        if (takes(e, &next, &call))
            add_call(&e->slots[call.region], call.start, call.duration);
        *open_calls += next.duration_ns < 0;
    }
    sp_rank_calls_close(calls);
    if (e->session >= 0) {
        call = session_of(e, rank);
        add_call(&e->slots[e->session], call.start, call.duration);
    }
    return status;
}

/* What the statistics say of the region on the rank; NULL: nothing. */
static const struct sp_entry *find_entry(const struct sp_run *run, int32_t region, int32_t rank)
{
    size_t low = 0, high = run->entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sp_entry *entry = &run->entries[middle];
        if (entry->region < region || (entry->region == region && entry->rank < rank))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < run->entry_count && run->entries[low].region == region && run->entries[low].rank == rank;
    return found ? &run->entries[low] : NULL;
}

/* The same without events. */
static void sum_rank(struct exporting *e, int32_t rank)
{
    memset(e->slots, 0, (size_t)e->region_count * sizeof *e->slots);
    for (int32_t i = 0; i < e->run->info->region_count; i++) {
        const struct sp_entry *entry = find_entry(e->run, i, rank);
        if (entry)
            e->slots[i] = (struct slot){.stats = entry->stats, .end_maximum = entry->stats.last_end};
    }
    if (e->session >= 0) {
        struct call call = session_of(e, rank);
        add_call(&e->slots[e->session], call.start, call.duration);
    }
}

static int measure_rank(struct exporting *e, int32_t rank, uint64_t *open_calls, struct sp_error *err)
{
    if (!e->losses->sums_only)
        return count_rank(e, rank, open_calls, err);
    sum_rank(e, rank);
    return 0;
}

/* Rows of the rank's regions, the session first; their events follow each other in that order. */
static int write_rows(struct exporting *e, int32_t rank, struct sp_error *err)
{
    size_t count = 0;
    for (int32_t k = 0; k < e->region_count; k++) {
        int32_t region = e->session < 0 ? k : k == 0 ? e->session : k - 1;
        struct slot *slot = &e->slots[region];
        const struct sp_entry *entry = find_entry(e->run, region, rank);
        if (!slot->stats.calls)
            continue;
        struct sp_schema3_row *row = &e->rows[count++];
        *row = (struct sp_schema3_row){.region = (uint32_t)region,
            .rank = (uint32_t)rank,
            .event_offset = e->next_event,
            .source_file = e->files[region],
            .tags = e->tags[region],
            .source_line = region == e->session ? -1 : sp_file_regions(e->run->file)[region].line,
            .has_exclusive = entry && entry->stats.calls == slot->stats.calls && !e->run->window.timed,
            .end_maximum = slot->end_maximum,
            .stats = slot->stats};
        row->stats.self = row->has_exclusive ? entry->stats.self : -1;
        slot->next = e->next_event;
        e->next_event += slot->stats.calls;
    }
    return sp_schema3_add_rows(e->out, e->rows, count, err);
}

/* Writes what is buffered, region by region; slices that follow each other in the file are one. */
static int flush(struct exporting *e, struct sp_error *err)
{
    uint64_t place = 0, from = 0;
    for (int32_t k = 0; k < e->region_count; k++) {
        struct slot *slot = &e->slots[e->session < 0 ? k : k == 0 ? e->session : k - 1];
        slot->place = place;
        place += slot->buffered;
    }
    for (size_t i = 0; i < e->call_count; i++) {
        struct slot *slot = &e->slots[e->calls[i].region];
        uint64_t at = slot->place++;
        e->deltas[at] = e->calls[i].start - slot->last_start;
        slot->last_start = e->calls[i].start;
        e->durations[at] = e->calls[i].duration;
        e->threads[at] = e->calls[i].thread;
    }
    uint64_t row = 0, count = 0;
    for (int32_t k = 0; k <= e->region_count; k++) {
        struct slot *slot = k == e->region_count ? NULL : &e->slots[e->session < 0 ? k : k == 0 ? e->session : k - 1];
        if (slot && slot->buffered && row + count == slot->next) {
            count += slot->buffered;
        } else if (!slot || slot->buffered) {
            if (count &&
                sp_schema3_write_events(
                    e->out, row, (size_t)count, e->deltas + from, e->durations + from, e->has_threads ? e->threads + from : NULL, err))
                return -1;
            from += count;
            row = slot ? slot->next : 0;
            count = slot ? slot->buffered : 0;
        }
        if (slot) {
            slot->next += slot->buffered;
            slot->buffered = 0;
        }
    }
    e->call_count = 0;
    return 0;
}

static int buffer(struct exporting *e, const struct call *call, struct sp_error *err)
{
    e->calls[e->call_count++] = *call;
    e->slots[call->region].buffered++;
    return e->call_count == BUFFER ? flush(e, err) : 0;
}

static int write_calls(struct exporting *e, int32_t rank, struct sp_error *err)
{
    struct sp_rank_calls *calls;
    struct sp_rank_call next;
    struct call call = session_of(e, rank);
    int status = 0, more = 1;
    if (sp_rank_calls_open(e->run->file, rank, &calls, err))
        return -1;
    if (e->session >= 0)
        status = buffer(e, &call, err);
    while (!status && (more = sp_rank_calls_next(calls, &next, err)) > 0)
        if (takes(e, &next, &call))
            status = buffer(e, &call, err);
    sp_rank_calls_close(calls);
    return status || more < 0 ? -1 : flush(e, err);
}

static int write_rank(struct exporting *e, int32_t rank, struct sp_error *err)
{
    uint64_t open_calls = 0;
    if (measure_rank(e, rank, &open_calls, err) || write_rows(e, rank, err))
        return -1;
    return e->losses->sums_only ? 0 : write_calls(e, rank, err);
}

static int write_threads(struct exporting *e, struct sp_error *err)
{
    const struct sp_lane *lanes = sp_file_lanes(e->run->file);
    size_t count = 0, lane_count = (size_t)e->run->info->lane_count;
    struct sp_schema3_thread *threads = calloc(lane_count + 1, sizeof *threads);
    char(*names)[sizeof lanes->name + 1] = calloc(lane_count + 1, sizeof *names);
    int status = threads && names ? 0 : sp_fail(err, "out of memory");
    for (size_t i = 0; !status && i < lane_count; i++) {
        if (!e->run->ranks[lanes[i].rank])
            continue;
        memcpy(names[count], lanes[i].name, sizeof lanes->name);
        threads[count] =
            (struct sp_schema3_thread){(uint32_t)lanes[i].rank, lanes[i].index, lanes[i].start_ns, lanes[i].end_ns, names[count]};
        count++;
    }
    if (!status)
        status = sp_schema3_write_threads(e->out, threads, count, err);
    free(threads);
    free(names);
    return status;
}

/* The run's own, with what readers of scope-profiler ask for. Times in the file count from the run's start. To be freed. */
static char *metadata_of(const struct sp_run *run)
{
    json_t *metadata = json_deep_copy(run->metadata);
    json_object_set_new(metadata, "mpi_size", json_integer(run->info->rank_count));
    json_object_set_new(metadata, "start_time_ns", json_integer(0));
    json_object_set_new(metadata, "finalize_time_ns", json_integer(run->total_ns));
    json_object_set_new(metadata, "scope_profiler_version", json_string(run->info->creator));
    if (!json_object_get(metadata, "hostname") && run->info->host_count > 0 && run->hosts[0][0])
        json_object_set_new(metadata, "hostname", json_string(run->hosts[0]));
    char *text = json_dumps(metadata, JSON_COMPACT);
    json_decref(metadata);
    return text;
}

static int make_plan(struct exporting *e, struct sp_schema3_plan *plan, struct sp_error *err)
{
    *plan = (struct sp_schema3_plan){.sums_only = e->losses->sums_only,
        .region_names = e->names,
        .region_count = (uint64_t)e->region_count,
        .has_threads = e->has_threads};
    for (int32_t rank = 0; rank < e->run->info->rank_count; rank++) {
        if (!e->run->ranks[rank])
            continue;
        if (measure_rank(e, rank, &e->losses->open_calls, err))
            return -1;
        for (int32_t i = 0; i < e->region_count; i++) {
            plan->row_count += e->slots[i].stats.calls > 0;
            plan->event_count += e->slots[i].stats.calls;
        }
    }
    return 0;
}

static int write_all(struct exporting *e, const char *path, struct sp_error *err)
{
    struct sp_schema3_plan plan;
    if (make_plan(e, &plan, err))
        return -1;
    char *metadata = metadata_of(e->run);
    plan.metadata = metadata;
    int status = metadata ? sp_schema3_create(path, &plan, &e->out, err) : sp_fail(err, "out of memory");
    free(metadata);
    for (int32_t rank = 0; !status && rank < e->run->info->rank_count; rank++)
        if (e->run->ranks[rank])
            status = write_rank(e, rank, err);
    if (!status)
        status = write_threads(e, err);
    struct sp_error late = {0};
    if (sp_schema3_close(e->out, &late) && !status) {
        *err = late;
        status = -1;
    }
    return status;
}

int sp_export_schema3(const struct sp_run *run, const char *path, struct sp_export_losses *losses, struct sp_error *err)
{
    struct exporting e;
    int status = exporting_init(&e, run, losses, err);
    if (!status)
        status = write_all(&e, path, err);
    exporting_free(&e);
    return status;
}
