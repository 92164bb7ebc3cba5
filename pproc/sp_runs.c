/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_run.h"

#include "sp_error.h"
#include "sp_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool label_is_taken(const struct sp_runs *runs, size_t end, const char *label)
{
    for (size_t i = 0; i < end; i++)
        if (!strcmp(runs->items[i]->label, label))
            return true;
    return false;
}

/* A second "run" becomes "run (2)". */
static int make_label_unique(const struct sp_runs *runs, size_t which, struct sp_error *err)
{
    struct sp_run *run = runs->items[which];
    if (!label_is_taken(runs, which, run->label))
        return 0;
    size_t size = strlen(run->label) + 16;
    char *label = malloc(size);
    if (!label)
        return sp_fail(err, "out of memory");
    int number = 2;
    do
        snprintf(label, size, "%s (%d)", run->label, number++);
    while (label_is_taken(runs, which, label));
    free(run->label);
    run->label = label;
    return 0;
}

static int load_each(const struct sp_crew *crew, const struct sp_options *options, const struct sp_inputs *inputs,
    const struct sp_filter *filter, const struct sp_window *window, bool want_paths, struct sp_runs *runs, struct sp_error *err)
{
    runs->items = calloc(inputs->count, sizeof(struct sp_run *));
    if (sp_crew_agree(crew, runs->items ? 0 : sp_fail(err, "out of memory"), err))
        return -1;
    for (size_t i = 0; i < inputs->count; i++) {
        const char *label = options->labels.count ? options->labels.items[i] : NULL;
        if (sp_run_load(crew, inputs->paths[i], label, filter, &options->ranks, window, want_paths, &runs->items[i], err))
            return -1;
        runs->count++;
        if (sp_crew_agree(crew, make_label_unique(runs, i, err), err))
            return -1;
    }
    return 0;
}

static void note_repeated(const struct sp_inputs *inputs, struct sp_runs *runs)
{
    if (inputs->repeated == 1)
        snprintf(runs->note, sizeof runs->note, "%.300s: given twice, counts once", inputs->example);
    else if (inputs->repeated)
        snprintf(runs->note, sizeof runs->note, "%.300s: given more than once, counts once; %zu repetitions in all", inputs->example,
            inputs->repeated);
}

static int prepare(const struct sp_options *options, size_t first, struct sp_inputs *inputs, struct sp_filter **filter,
    struct sp_window *window, struct sp_error *err)
{
    if (sp_window_parse(options, window, err) || sp_filter_create(&options->include, &options->exclude, filter, err) ||
        sp_inputs_expand(&options->operands, first, inputs, err))
        return -1;
    if (options->labels.count && options->labels.count != inputs->count)
        return sp_fail_as(err, SP_EXIT_USAGE, "--label was given %zu times for %zu files: once a file, or not at all",
            options->labels.count, inputs->count);
    return 0;
}

int sp_runs_load(
    const struct sp_crew *crew, const struct sp_options *options, size_t first, bool want_paths, struct sp_runs *runs, struct sp_error *err)
{
    struct sp_inputs inputs = {0};
    struct sp_filter *filter = NULL;
    struct sp_window window = {0};
    *runs = (struct sp_runs){0};
    int status = sp_crew_agree(crew, prepare(options, first, &inputs, &filter, &window, err), err);
    runs->filtered = options->include.count || options->exclude.count || options->ranks.count || sp_window_is_part(&window);
    note_repeated(&inputs, runs);
    if (!status)
        status = load_each(crew, options, &inputs, filter, &window, want_paths, runs, err);
    if (status)
        sp_runs_close(runs);
    sp_filter_destroy(filter);
    sp_inputs_free(&inputs);
    return status;
}

void sp_runs_close(struct sp_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        sp_run_close(runs->items[i]);
    free(runs->items);
    *runs = (struct sp_runs){0};
}

void sp_runs_sort(struct sp_runs *runs, const char *field)
{
    for (size_t i = 1; i < runs->count; i++) {
        struct sp_run *run = runs->items[i];
        double x = sp_run_field(run, field);
        size_t k = i;
        for (; k > 0 && sp_run_field(runs->items[k - 1], field) > x; k--)
            runs->items[k] = runs->items[k - 1];
        runs->items[k] = run;
    }
}

bool sp_runs_have_calls(const struct sp_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i]->entry_count)
            return true;
    return false;
}

const char *sp_runs_why_empty(const struct sp_runs *runs)
{
    for (size_t i = 0; runs->filtered && i < runs->count; i++)
        if (runs->items[i]->info->statistic_count)
            return "No timing data left - these files recorded calls, but none of what the filters (-i, -e, -r, --time, --min-duration) "
                   "select.";
    return "No timing data found - these files recorded no calls.";
}
