/* SPDX-License-Identifier: BSD-3-Clause */
/* inspect: what a file holds. */
#include "sp_command.h"

#include "sp_details.h"
#include "sp_error.h"
#include "sp_grid.h"
#include "sp_inspection.h"
#include "sp_report.h"
#include "sp_sheet_grid.h"

#include <stdlib.h>

/* What is known of one run. */
struct subject {
    const struct sp_run *run;
    const struct sp_profiles *profiles; /* one */
    const struct sp_details *details;   /* of it */
    const struct sp_detail *detail;
};

static struct sp_sheet sheet_of(const struct subject *subject, const struct sp_results *results, enum sp_view view)
{
    switch (view) {
    case SP_VIEW_REGIONS: return sp_sheet_regions(results);
    case SP_VIEW_RANKS: return sp_sheet_ranks(results);
    case SP_VIEW_IMBALANCE: return sp_sheet_imbalance(subject->details);
    case SP_VIEW_MPI: return sp_sheet_mpi(results);
    case SP_VIEW_MPI_PATHS: return sp_sheet_mpi_paths(subject->details);
    case SP_VIEW_CALL_SITES: return sp_sheet_call_sites(subject->details);
    case SP_VIEW_COMMUNICATORS: return sp_sheet_communicators(subject->details);
    case SP_VIEW_COMM_MATRIX: return sp_sheet_comm_matrix(subject->details);
    case SP_VIEW_MESSAGE_SIZES: return sp_sheet_message_sizes(subject->details);
    case SP_VIEW_TREE:
    case SP_VIEWS: break;
    }
    return (struct sp_sheet){0};
}

static const char *title_of(enum sp_view view)
{
    static const char *const titles[SP_VIEWS] = {"Call paths", "Regions", "Regions by rank", "Load balance of own time", "MPI functions",
        "MPI functions by call path", "MPI functions by call site", "MPI functions by communicator", "Messages from rank to rank",
        "Messages by function and size"};
    return titles[view];
}

/* What the table does not cover, or why it is empty; empty: nothing to say. */
static const char *note_of(const struct subject *subject, enum sp_view view)
{
    if (view == SP_VIEW_CALL_SITES && !sp_mpi_calls_have_sites(subject->run))
        return "call sites are recorded with SP_CALLSITE=1";
    if (view == SP_VIEW_COMMUNICATORS)
        return subject->detail->traffic.usage_note;
    if (view == SP_VIEW_IMBALANCE)
        return subject->run->rank_count < 2 ? "it takes several ranks" : "";
    return view == SP_VIEW_COMM_MATRIX || view == SP_VIEW_MESSAGE_SIZES ? subject->detail->traffic.note : "";
}

static int show_tree(const struct sp_run *run, struct sp_call *call, bool boxes, json_t *document, struct sp_error *err)
{
    struct sp_tree_row *rows;
    size_t count;
    if (sp_tree_analyse(run, &rows, &count, err))
        return -1;
    int status = 0;
    if (document && json_object_set_new(document, "call_paths", sp_inspection_tree(run, rows, count)))
        status = sp_fail(err, "out of memory");
    else if (!document)
        status = sp_inspection_write_tree(run, rows, count, boxes, call->out, err);
    free(rows);
    return status;
}

/* Tables that were asked for are shown even if they are empty. */
static int show_sheet(
    const struct subject *subject, enum sp_view view, struct sp_call *call, bool asked, bool boxes, json_t *document, struct sp_error *err)
{
    struct sp_results results = {.profiles = subject->profiles, .of = "mean"};
    struct sp_sheet sheet = sheet_of(subject, &results, view);
    const char *note = note_of(subject, view);
    if (document)
        return json_object_set_new(document, sheet.name, sp_sheet_rows(&sheet)) ? sp_fail(err, "out of memory") : 0;
    if (!sheet.row_count && !asked)
        return 0;
    fputc('\n', call->out);
    if (sheet.row_count && sp_sheet_write_grid(&sheet, title_of(view), (size_t)call->options->top_n, boxes, call->out, err))
        return -1;
    if (!sheet.row_count)
        fprintf(call->out, "%s: none recorded%s%s\n", title_of(view), note[0] ? "; " : "", note);
    else if (note[0])
        fprintf(call->out, "Not all: %s.\n", note);
    if (view == SP_VIEW_IMBALANCE)
        sp_report_findings(subject->run, subject->detail, 3, call->out);
    return 0;
}

static bool any_view(const struct sp_options *options)
{
    for (int i = 0; i < SP_VIEWS; i++)
        if (options->views[i])
            return true;
    return false;
}

/* Without a choice: metadata, call paths, MPI functions. */
static int show(const struct subject *subject, struct sp_call *call, json_t *document, struct sp_error *err)
{
    const struct sp_options *options = call->options;
    bool chosen = any_view(options), boxes = !call->crew->mpi && sp_grid_wants_boxes(call->out);
    if (!document)
        sp_inspection_write_head(subject->run, call->out);
    if (!document && !chosen && sp_inspection_write_metadata(subject->run, options->full, call->out, err))
        return -1;
    for (enum sp_view view = 0; view < SP_VIEWS; view++) {
        bool wanted = chosen ? options->views[view] : view == SP_VIEW_TREE || view == SP_VIEW_MPI;
        if (!wanted)
            continue;
        if (view == SP_VIEW_TREE ? show_tree(subject->run, call, boxes, document, err)
                                 : show_sheet(subject, view, call, chosen, boxes, document, err))
            return -1;
    }
    return 0;
}

static int inspect(const struct subject *subject, struct sp_call *call, json_t *files, struct sp_error *err)
{
    if (!files)
        return call->options->quiet ? 0 : show(subject, call, NULL, err);
    json_t *document = sp_inspection_document(subject->run);
    if (!document || json_array_append_new(files, document))
        return sp_fail(err, "out of memory");
    return show(subject, call, document, err);
}

static int inspect_all(const struct sp_profiles *profiles, const struct sp_details *details, struct sp_call *call, struct sp_error *err)
{
    json_t *files = NULL;
    if (call->document && json_object_set_new(call->document, "files", files = json_array()))
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < profiles->count; i++) {
        struct sp_profiles profile = {&profiles->items[i], 1};
        struct sp_details of_it = {&profile, &details->items[i]};
        struct subject subject = {profile.items->run, &profile, &of_it, of_it.items};
        if (i && !files && !call->options->quiet)
            fputc('\n', call->out);
        if (inspect(&subject, call, files, err))
            return -1;
    }
    return 0;
}

static bool reads_trace(const struct sp_options *options)
{
    return options->views[SP_VIEW_COMMUNICATORS] || options->views[SP_VIEW_IMBALANCE];
}

int sp_command_inspect(struct sp_call *call, struct sp_error *err)
{
    struct sp_runs runs;
    struct sp_profiles profiles = {0};
    struct sp_details details = {0};
    bool root = call->crew->rank == 0;
    if (sp_runs_load(call->crew, call->options, 0, true, &runs, err))
        return -1;
    if (root && runs.note[0] && !call->document && !call->options->quiet)
        fprintf(stderr, "sp-pproc: %s\n", runs.note);
    int status = sp_crew_agree(call->crew, root ? sp_profiles_create(&runs, &profiles, err) : 0, err);
    if (!status)
        status = sp_details_read(call->crew, &runs, &profiles, reads_trace(call->options), &details, err);
    if (!status && root)
        status = inspect_all(&profiles, &details, call, err);
    sp_details_free(&details, &runs);
    sp_profiles_free(&profiles);
    sp_runs_close(&runs);
    return sp_crew_agree(call->crew, status, err);
}
