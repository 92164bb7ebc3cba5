/* SPDX-License-Identifier: BSD-3-Clause */
/* diff and check: two runs, or two sets of repeats, side by side; and whether a budget is kept. */
#include "sp_command.h"

#include "sp_comparison_report.h"
#include "sp_error.h"
#include "sp_grid.h"

#include <stdlib.h>
#include <string.h>

enum format { FORMAT_TABLE, FORMAT_MARKDOWN, FORMAT_CSV };

/* What a call of diff or check works on. */
struct work {
    struct sp_call *call;
    bool check;
    enum format format;
    struct sp_comparison_choice choice;
    struct sp_runs runs[2];
    struct sp_profiles profiles[2];
};

static int read_format(const struct sp_options *options, enum format *format, struct sp_error *err)
{
    static const char *const names[] = {"table", "markdown", "csv"};
    *format = options->markdown ? FORMAT_MARKDOWN : FORMAT_TABLE;
    for (int i = 0; options->format && i < 3; i++)
        if (!strcmp(names[i], options->format)) {
            *format = (enum format)i;
            return 0;
        }
    return options->format ? sp_fail_as(err, SP_EXIT_USAGE, "--format %.100s: must be table, markdown or csv", options->format) : 0;
}

static const char *otherwise(const char *text, const char *usual)
{
    return text ? text : usual;
}

static int read_choices(struct work *work, struct sp_error *err)
{
    const struct sp_options *options = work->call->options;
    work->choice = (struct sp_comparison_choice){
        .threshold = options->threshold, .budget = options->max_regression, .fail_on_new = options->fail_on_new};
    if (read_format(options, &work->format, err))
        return -1;
    return sp_comparison_parse(&work->choice, otherwise(options->metric, "total"), otherwise(options->by, "region"), options->of,
        otherwise(options->sort, "delta"), err);
}

/* Which files each side has: A and B, or those of --base and --candidate. */
static int choose_files(const struct work *work, struct sp_options sides[2], struct sp_error *err)
{
    const struct sp_options *options = work->call->options;
    const char *name = work->check ? "check" : "diff";
    bool sets = options->base.count || options->candidate.count;
    sides[0] = sides[1] = *options;
    if (sets && (!options->base.count || !options->candidate.count))
        return sp_fail_as(err, SP_EXIT_USAGE, "--%s needs --%s beside it", options->base.count ? "base" : "candidate",
            options->base.count ? "candidate" : "base");
    if (sets && options->operands.count)
        return sp_fail_as(err, SP_EXIT_USAGE, "check takes A B, or --base FILES --candidate FILES, not both");
    if (sets && options->labels.count)
        return sp_fail_as(err, SP_EXIT_USAGE, "--label names A and B, not the files of --base and --candidate");
    if (!sets && options->operands.count != 2)
        return sp_fail_as(err, SP_EXIT_USAGE, "%s compares two runs, A.h5 and B.h5; %zu given", name, options->operands.count);
    if (options->labels.count && options->labels.count != 2)
        return sp_fail_as(err, SP_EXIT_USAGE, "--label was given %zu times for 2 files: once a file, or not at all", options->labels.count);
    sides[0].operands = sets ? options->base : (struct sp_texts){options->operands.items, 1};
    sides[1].operands = sets ? options->candidate : (struct sp_texts){options->operands.items + 1, 1};
    for (size_t i = 0; options->labels.count && i < 2; i++)
        sides[i].labels = (struct sp_texts){options->labels.items + i, 1};
    return 0;
}

/* What a check of nothing would find is no verdict. */
static int check_loaded(const struct work *work, struct sp_error *err)
{
    bool sets = work->call->options->base.count;
    for (int i = 0; i < 2; i++) {
        const struct sp_runs *runs = &work->runs[i];
        if (!sets && runs->count > 1)
            return sp_fail_as(err, SP_EXIT_USAGE, "%.300s matches %zu files; for repeats: check --base FILES --candidate FILES",
                work->call->options->operands.items[i], runs->count);
        if (work->check && work->call->crew->rank == 0 && !sp_runs_have_calls(runs))
            return sp_fail_as(
                err, SP_EXIT_COMBINE, "%.300s: nothing to check: it recorded no calls of what is selected", runs->items[0]->info->path);
    }
    return 0;
}

static int load(struct work *work, struct sp_error *err)
{
    struct sp_options sides[2];
    const struct sp_crew *crew = work->call->crew;
    int status = read_choices(work, err) || choose_files(work, sides, err) ? -1 : 0;
    status = sp_crew_agree(crew, status, err);
    for (int i = 0; !status && i < 2; i++)
        status = sp_runs_load(crew, &sides[i], 0, work->choice.by_path, &work->runs[i], err);
    return status ? status : sp_crew_agree(crew, check_loaded(work, err), err);
}

static int say(const struct work *work, const struct sp_comparison *comparison, struct sp_error *err)
{
    struct sp_call *call = work->call;
    struct sp_comparison_view view = {comparison, &work->profiles[0], &work->profiles[1], work->check};
    if (call->document)
        return sp_comparison_fill(&view, call->document, err);
    if (call->options->quiet)
        return 0;
    for (int i = 0; i < 2; i++)
        if (work->runs[i].note[0])
            fprintf(stderr, "sp-pproc: %s\n", work->runs[i].note);
    if (work->format == FORMAT_MARKDOWN)
        return sp_comparison_write_markdown(&view, call->out, err);
    if (work->format == FORMAT_TABLE)
        return sp_comparison_write(&view, !call->crew->mpi && sp_grid_wants_boxes(call->out), call->out, err);
    struct sp_sheet sheet = sp_comparison_sheet(&view);
    sp_sheet_write_csv(&sheet, call->out);
    return 0;
}

/* Process 0. */
static int compare(struct work *work, struct sp_error *err)
{
    struct sp_comparison comparison;
    for (int i = 0; i < 2; i++)
        if (sp_profiles_create(&work->runs[i], &work->profiles[i], err))
            return -1;
    if (sp_comparison_make(&work->profiles[0], &work->profiles[1], &work->choice, &comparison, err))
        return -1;
    bool bad = work->check ? comparison.violation_count : work->call->options->exit_code && comparison.changed;
    work->call->exit_code = bad ? SP_EXIT_DIFFERENT : 0;
    int status = say(work, &comparison, err);
    sp_comparison_free(&comparison);
    return status;
}

static int run(struct sp_call *call, bool check, struct sp_error *err)
{
    struct work work = {.call = call, .check = check};
    int status = load(&work, err);
    if (!status)
        status = sp_crew_agree(call->crew, call->crew->rank == 0 ? compare(&work, err) : 0, err);
    sp_crew_share(call->crew, &call->exit_code, sizeof call->exit_code);
    for (int i = 0; i < 2; i++) {
        sp_profiles_free(&work.profiles[i]);
        sp_runs_close(&work.runs[i]);
    }
    return status;
}

int sp_command_diff(struct sp_call *call, struct sp_error *err)
{
    return run(call, false, err);
}

int sp_command_check(struct sp_call *call, struct sp_error *err)
{
    return run(call, true, err);
}
