/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_session.h"

#include "sp_error.h"
#include "sp_gnuplot.h"
#include "sp_outdir.h"
#include "sp_grid.h"
#include "sp_replay.h"
#include "sp_utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line for the user, beside the results. */
__attribute__((format(printf, 2, 3))) static void note(struct sp_session *session, const char *format, ...)
{
    va_list list;
    if (session->note_count == SP_SESSION_NOTES)
        return;
    va_start(list, format);
    vsnprintf(session->notes[session->note_count++], sizeof session->notes[0], format, list);
    va_end(list);
}

static int read_choices(struct sp_session *session, struct sp_scaling_choice *choice, struct sp_error *err)
{
    const struct sp_options *options = session->options;
    session->of = options->of ? options->of : "mean";
    session->report.top_n = options->top_n ? (size_t)options->top_n : 10;
    /* a launcher gives its processes a terminal even when it writes to a file itself */
    session->report.boxes = !session->crew->mpi && sp_grid_wants_boxes(stdout);
    if (sp_efficiency_parse(options->pop ? options->pop : "multiplicative", &session->additive, err))
        return -1;
    *choice = (struct sp_scaling_choice){.baseline = options->baseline};
    if (sp_scaling_choice_parse(choice, options->scaling ? options->scaling : "strong", session->of, err))
        return -1;
    return sp_region_order_parse(options->sort ? options->sort : "self", &session->report.order, err);
}

static int analyse(struct sp_session *session, const struct sp_scaling_choice *choice, struct sp_error *err)
{
    if (sp_profiles_create(&session->runs, &session->profiles, err) || sp_palette_create(&session->profiles, &session->palette, err))
        return -1;
    if (session->runs.count < 2) {
        if (session->options->scaling)
            note(session, "--scaling %.100s compares runs: it needs at least two, there is one", session->options->scaling);
        return 0;
    }
    if (sp_scalings_analyse(&session->profiles, session->x, choice, &session->scalings, err))
        return -1;
    session->scaling = sp_scalings_main(&session->scalings);
    session->compared = session->scaling;
    if (session->compared && sp_models_analyse(&session->scalings, &session->models, err))
        return -1;
    if (!session->compared && session->scalings.count > 1)
        note(session, "no two runs of the same layout differ in %.100s: no scaling to show; --x names another field", session->x);
    else if (!session->compared)
        note(session, "all runs have %.100s %g: no scaling to show; --x names another field", session->x,
            session->scalings.items[0].baseline);
    return 0;
}

int sp_session_open(struct sp_session *session, const struct sp_call *call, size_t first, struct sp_error *err)
{
    struct sp_scaling_choice choice;
    *session = (struct sp_session){.crew = call->crew, .options = call->options};
    int status = read_choices(session, &choice, err);
    if (sp_crew_agree(call->crew, status, err) || sp_runs_load(call->crew, call->options, first, true, &session->runs, err))
        return -1;
    if (session->runs.note[0])
        note(session, "%s", session->runs.note);
    session->x = sp_axis_field(&session->runs, session->options->x);
    sp_runs_sort(&session->runs, session->x);
    bool root = call->crew->rank == 0;
    session->empty = root && !sp_runs_have_calls(&session->runs);
    status = root ? analyse(session, &choice, err) : 0;
    sp_crew_share(call->crew, &session->empty, sizeof session->empty);
    sp_crew_share(call->crew, &session->compared, sizeof session->compared);
    if (!sp_crew_agree(call->crew, status, err))
        return 0;
    sp_session_close(session);
    return -1;
}

void sp_session_close(struct sp_session *session)
{
    for (size_t i = 0; session->bars && i < session->runs.count; i++)
        sp_bars_free(&session->bars[i]);
    free(session->bars);
    sp_outdir_close(session->dir);
    sp_palette_destroy(session->palette);
    sp_details_free(&session->details, &session->runs);
    sp_efficiencies_free(&session->efficiencies);
    sp_models_free(&session->models);
    sp_scalings_free(&session->scalings);
    sp_profiles_free(&session->profiles);
    sp_runs_close(&session->runs);
    *session = (struct sp_session){0};
}

/* Why the runs have no trace; NULL: one of them has. */
static const char *why_no_trace(const struct sp_runs *runs)
{
    bool cut = false;
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->items[i]->info->event_count)
            return NULL;
        cut = cut || runs->items[i]->info->trace == SP_TRACE_TRUNCATED;
    }
    return cut ? "it was cut to nothing at SP_TRACE_LIMIT" : "these runs recorded statistics only";
}

int sp_session_add_plot(struct sp_session *session, const struct sp_plot_kind *kind, bool by_name, struct sp_error *err)
{
    if ((kind->needs & SP_PLOT_NEEDS_SEVERAL) && !session->compared)
        return by_name ? sp_fail_as(err, SP_EXIT_USAGE, "%s needs several runs that differ in %.100s", kind->name, session->x) : 0;
    const char *no_trace = kind->needs & SP_PLOT_NEEDS_EVENTS ? why_no_trace(&session->runs) : NULL;
    if (no_trace) {
        if (by_name)
            return sp_fail_as(err, SP_EXIT_USAGE, "%s needs a trace, and %s", kind->name, no_trace);
        note(session, "no %s: it needs a trace, and %s", kind->name, no_trace);
        return 0;
    }
    if (session->kind_count < SP_SESSION_KINDS)
        session->kinds[session->kind_count++] = kind;
    return 0;
}

int sp_session_read_events(struct sp_session *session, struct sp_error *err)
{
    unsigned needs = 0;
    for (size_t i = 0; i < session->kind_count; i++)
        needs |= session->kinds[i]->needs;
    if (!(needs & SP_PLOT_NEEDS_EVENTS))
        return 0;
    bool root = session->crew->rank == 0;
    session->bars = calloc(session->runs.count, sizeof *session->bars);
    if (sp_crew_agree(session->crew, session->bars ? 0 : sp_fail(err, "out of memory"), err))
        return -1;
    for (size_t i = 0; i < session->runs.count; i++) {
        const struct sp_profile *profile = root ? &session->profiles.items[i] : NULL;
        if (sp_bars_read(session->crew, session->runs.items[i], profile, session->report.top_n, &session->bars[i], err))
            return -1;
    }
    return 0;
}

int sp_session_find_efficiency(struct sp_session *session, struct sp_error *err)
{
    bool weak = session->options->scaling && !strcmp(session->options->scaling, "weak");
    struct sp_ideal *ideals = calloc(session->runs.count + 1, sizeof *ideals);
    int status = sp_crew_agree(session->crew, ideals ? 0 : sp_fail(err, "out of memory"), err);
    for (size_t i = 0; !status && i < session->runs.count; i++)
        status = sp_replay_run(session->crew, session->runs.items[i], &ideals[i], err);
    if (!status && session->crew->rank == 0)
        status = sp_efficiencies_analyse(&session->profiles, session->compared ? &session->scalings : NULL, ideals, session->additive, weak,
            &session->efficiencies, err);
    free(ideals);
    return sp_crew_agree(session->crew, status, err);
}

int sp_session_read_details(struct sp_session *session, struct sp_error *err)
{
    return sp_details_read(session->crew, &session->runs, &session->profiles, true, &session->details, err);
}

struct sp_results sp_session_results(const struct sp_session *session)
{
    return (struct sp_results){&session->profiles, session->compared ? &session->scalings : NULL, &session->models, &session->efficiencies,
        session->details.items ? &session->details : NULL, session->of};
}

int sp_session_write_plots(struct sp_session *session, struct sp_outdir *dir, struct sp_error *err)
{
    struct sp_plot_data data = {.profiles = &session->profiles,
        .scaling = session->scaling,
        .of = session->of,
        .bars = session->bars,
        .palette = session->palette,
        .top_n = session->report.top_n};
    for (size_t i = 0; i < session->kind_count; i++)
        if (session->kinds[i]->write(&data, dir, err))
            return -1;
    return 0;
}

static int draw(struct sp_session *session, struct sp_error *err)
{
    for (size_t i = 0; i < session->kind_count && !session->options->no_pictures; i++) {
        enum sp_gnuplot_outcome outcome;
        if (sp_gnuplot_render(session->dir, session->kinds[i]->name, &outcome, err))
            return -1;
        if (outcome == SP_GNUPLOT_MISSING) {
            note(session, "gnuplot is not installed: scripts and data are there, pictures are not");
            break;
        }
    }
    return 0;
}

int sp_session_write(struct sp_session *session, const char *folder,
    int (*write)(struct sp_session *session, struct sp_outdir *dir, struct sp_error *err), struct sp_error *err)
{
    const char *path = session->options->output ? session->options->output : folder;
    if (sp_outdir_open(path, session->options->force, &session->dir, err))
        return -1;
    if (write(session, session->dir, err) || sp_outdir_publish(session->dir, err))
        return -1;
    return draw(session, err);
}

static int list_outputs(const struct sp_outdir *dir, json_t *document, struct sp_error *err)
{
    json_t *paths = json_array();
    for (size_t i = 0; i < sp_outdir_count(dir); i++)
        if (json_array_append_new(paths, json_string(sp_outdir_file(dir, i))))
            json_array_append_new(paths, json_null()); /* a folder whose name is not UTF-8 */
    return json_object_set_new(document, "outputs", paths) ? sp_fail(err, "out of memory") : 0;
}

/* The notes as one text of the document. */
static int list_notes(const struct sp_session *session, const char *first, json_t *document, struct sp_error *err)
{
    char text[SP_SESSION_NOTES * 404 + 200];
    int used = snprintf(text, sizeof text, "%s", first);
    for (size_t i = 0; i < session->note_count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", used ? "; " : "", session->notes[i]);
    char *valid = sp_utf8_valid(text, strlen(text));
    int status = json_object_set_new(document, "note", json_string(valid ? valid : ""));
    free(valid);
    return status ? sp_fail(err, "out of memory") : 0;
}

static void say_notes(const struct sp_session *session)
{
    for (size_t i = 0; i < session->note_count; i++)
        fprintf(stderr, "sp-pproc: %s\n", session->notes[i]);
}

int sp_session_say_outputs(struct sp_session *session, struct sp_call *call, struct sp_error *err)
{
    if (call->document)
        return list_outputs(session->dir, call->document, err) || list_notes(session, "", call->document, err) ? -1 : 0;
    if (session->options->quiet)
        return 0;
    say_notes(session);
    fprintf(call->out, "\nOutputs saved to:\n");
    for (size_t i = 0; i < sp_outdir_count(session->dir); i++)
        fprintf(call->out, "  %s\n", sp_outdir_file(session->dir, i));
    return 0;
}

int sp_session_say_empty(const struct sp_session *session, struct sp_call *call, struct sp_error *err)
{
    const char *text = sp_runs_why_empty(&session->runs);
    if (call->document)
        return list_notes(session, text, call->document, err);
    if (call->crew->rank || session->options->quiet)
        return 0;
    say_notes(session);
    fprintf(call->out, "%s\n", text);
    for (size_t i = 0; i < session->runs.count; i++)
        fprintf(call->out, "  %s\n", session->runs.items[i]->path);
    return 0;
}
