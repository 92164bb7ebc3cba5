/* SPDX-License-Identifier: BSD-3-Clause */
/* export: a run in the format of another program. A format is a row of the table. */
#include "sp_command.h"

#include "sp_error.h"
#include "sp_events_csv.h"
#include "sp_export_schema3.h"
#include "sp_outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct exporter {
    const char *name;
    bool takes_several;
    /* Writes the work file, which is not there yet; path is the same in all processes. Collective. */
    int (*write)(const struct sp_call *call, const struct sp_runs *runs, const char *path, struct sp_error *err);
    const char *open_with; /* what stands before the file's name */
};

/* ---- events ---- */

/* The ranks that this process writes. */
static int share_of_ranks(const struct sp_crew *crew, const struct sp_run *run, size_t *first, size_t *end, struct sp_error *err)
{
    size_t count = (size_t)run->info->rank_count;
    uint64_t *weights = calloc(count + 1, sizeof *weights);
    if (!weights)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->lane_count; i++)
        if (run->ranks[sp_file_lanes(run->file)[i].rank])
            weights[sp_file_lanes(run->file)[i].rank] += sp_file_lanes(run->file)[i].event_count;
    sp_crew_split(weights, count, crew->rank, crew->size, first, end);
    free(weights);
    return 0;
}

static int write_ranks(
    const struct sp_run *run, struct sp_events_csv *csv, size_t first, size_t end, FILE *out, uint64_t *bytes, struct sp_error *err)
{
    for (size_t rank = first; rank < end; rank++)
        if (run->ranks[rank] && sp_events_csv_rank(csv, (int32_t)rank, out, bytes, err))
            return -1;
    return 0;
}

/* Where this process's bytes begin; *offset is moved behind those of all. Collective. */
static int place(const struct sp_crew *crew, uint64_t bytes, uint64_t *offset, uint64_t *mine, struct sp_error *err)
{
    int64_t *all = calloc((size_t)crew->size, sizeof *all);
    if (sp_crew_agree(crew, all ? 0 : sp_fail(err, "out of memory"), err)) {
        free(all);
        return -1;
    }
    all[crew->rank] = (int64_t)bytes;
    sp_crew_sum(crew, all, (size_t)crew->size);
    for (int i = 0; i < crew->size; i++) {
        if (i == crew->rank)
            *mine = *offset;
        *offset += (uint64_t)all[i];
    }
    free(all);
    return 0;
}

/* Lines are made twice: to learn where everybody's begin, and to write them there. */
static int write_events_of(
    const struct sp_call *call, const struct sp_run *run, const char *path, FILE *out, uint64_t *offset, struct sp_error *err)
{
    struct sp_events_csv *csv;
    size_t first = 0, end = 0;
    uint64_t bytes = 0, mine = 0;
    int status = sp_events_csv_create(run, &csv, err);
    if (!status)
        status = share_of_ranks(call->crew, run, &first, &end, err);
    if (!status)
        status = write_ranks(run, csv, first, end, NULL, &bytes, err);
    status = sp_crew_agree(call->crew, status, err);
    if (!status)
        status = place(call->crew, bytes, offset, &mine, err);
    if (!status && bytes) {
        if (fseeko(out, (off_t)mine, SEEK_SET))
            status = sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: %s", path, strerror(errno));
        else
            status = write_ranks(run, csv, first, end, out, &bytes, err);
    }
    sp_events_csv_destroy(csv);
    return sp_crew_agree(call->crew, status, err);
}

static int create_empty(const char *path, struct sp_error *err)
{
    FILE *out = fopen(path, "wbx");
    if (!out)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: %s", path, strerror(errno));
    bool written = fputs(sp_events_csv_header, out) >= 0;
    return fclose(out) || !written ? sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: %s", path, strerror(errno)) : 0;
}

static int check_trace(const struct sp_runs *runs, struct sp_error *err)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i]->info->trace == SP_TRACE_OFF)
            return sp_fail_as(err, SP_EXIT_USAGE, "%.300s: there is no trace to export, it holds statistics only", runs->items[i]->path);
    return 0;
}

static int write_events(const struct sp_call *call, const struct sp_runs *runs, const char *path, struct sp_error *err)
{
    uint64_t offset = strlen(sp_events_csv_header);
    FILE *out = NULL;
    int status = check_trace(runs, err);
    if (!status && call->crew->rank == 0)
        status = create_empty(path, err);
    if (sp_crew_agree(call->crew, status, err))
        return -1;
    if (!(out = fopen(path, "r+b")))
        status = sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: %s", path, strerror(errno));
    status = sp_crew_agree(call->crew, status, err);
    for (size_t i = 0; !status && i < runs->count; i++)
        status = write_events_of(call, runs->items[i], path, out, &offset, err);
    if (out) {
        bool broken = ferror(out) != 0;
        if ((fclose(out) || broken) && !status)
            status = sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: %s", path, strerror(errno));
    }
    for (size_t i = 0; call->crew->rank == 0 && i < runs->count; i++)
        if (!status && runs->items[i]->info->trace == SP_TRACE_TRUNCATED)
            fprintf(stderr, "sp-pproc: %s: the trace ends early, and so do its lines\n", runs->items[i]->label);
    return sp_crew_agree(call->crew, status, err);
}

/* ---- scope-profiler ---- */

/* Texts of variable length can only be written by one process; what it holds of the events is bounded. */
static int write_schema3(const struct sp_call *call, const struct sp_runs *runs, const char *path, struct sp_error *err)
{
    struct sp_export_losses losses = {0};
    const struct sp_run *run = runs->items[0];
    int status = call->crew->rank == 0 ? sp_export_schema3(run, path, &losses, err) : 0;
    if (sp_crew_agree(call->crew, status, err))
        return -1;
    if (call->crew->rank == 0 && losses.open_calls)
        fprintf(stderr, "sp-pproc: %llu call(s) were still open when the record ended: left out\n", (unsigned long long)losses.open_calls);
    if (call->crew->rank == 0 && losses.sums_only)
        fprintf(stderr, "sp-pproc: there is no trace: the file is of the aggregate layout\n");
    else if (call->crew->rank == 0 && run->info->trace == SP_TRACE_TRUNCATED)
        fprintf(stderr, "sp-pproc: the trace ends early, and so does the file\n");
    return 0;
}

static const struct exporter table[] = {
    {"events", true, write_events, "read it with any table program, times are seconds: head"},
    {"scope-profiler", false, write_schema3, "open it with: scope-profiler inspect"},
};

#define TABLE_SIZE (sizeof table / sizeof table[0])

static const struct exporter *find_exporter(const struct sp_options *options, struct sp_error *err)
{
    const char *name = options->operands.count ? options->operands.items[0] : NULL;
    for (size_t i = 0; name && i < TABLE_SIZE; i++)
        if (!strcmp(table[i].name, name)) {
            if (options->output)
                return &table[i];
            sp_fail_as(err, SP_EXIT_USAGE, "export %s writes nothing without -o FILE", name);
            return NULL;
        }
    sp_fail_as(err, SP_EXIT_USAGE, "%s%.100s%sexport needs a format: events or scope-profiler", name ? "'" : "", name ? name : "",
        name ? "' is none: " : "");
    return NULL;
}

static int say_output(const struct exporter *exporter, struct sp_call *call, struct sp_error *err)
{
    const char *path = call->options->output;
    if (call->document) {
        json_t *outputs = json_array(), *text = json_string(path);
        json_array_append_new(outputs, text ? text : json_null());
        return json_object_set_new(call->document, "outputs", outputs) ? sp_fail(err, "out of memory") : 0;
    }
    if (!call->options->quiet)
        fprintf(call->out, "Outputs saved to:\n  %s\n%s %s\n", path, exporter->open_with, path);
    return 0;
}

/* The work file of process 0 is known to all by name. Collective. */
static int write_file(const struct exporter *exporter, struct sp_call *call, const struct sp_runs *runs, struct sp_error *err)
{
    struct sp_outfile *outfile = NULL;
    char work[4200] = "";
    bool root = call->crew->rank == 0;
    int status = root ? sp_outfile_open(call->options->output, call->options->force, &outfile, err) : 0;
    if (!status && root && snprintf(work, sizeof work, "%s", sp_outfile_work(outfile)) >= (int)sizeof work)
        status = sp_fail_as(err, SP_EXIT_USAGE, "-o: the name is too long");
    status = sp_crew_agree(call->crew, status, err);
    sp_crew_share(call->crew, work, sizeof work);
    if (!status)
        status = exporter->write(call, runs, work, err);
    if (!status && root)
        status = sp_outfile_publish(outfile, err) || say_output(exporter, call, err) ? -1 : 0;
    sp_outfile_close(outfile);
    return sp_crew_agree(call->crew, status, err);
}

int sp_command_export(struct sp_call *call, struct sp_error *err)
{
    struct sp_runs runs;
    const struct exporter *exporter = find_exporter(call->options, err);
    if (sp_crew_agree(call->crew, exporter ? 0 : -1, err) || sp_runs_load(call->crew, call->options, 1, false, &runs, err))
        return -1;
    int status = 0;
    if (!exporter->takes_several && runs.count > 1)
        status = sp_fail_as(err, SP_EXIT_USAGE, "export %s takes one run, there are %zu", exporter->name, runs.count);
    if (!status)
        status = write_file(exporter, call, &runs, err);
    sp_runs_close(&runs);
    return status;
}
