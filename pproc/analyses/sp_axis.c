/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_axis.h"

#include "sp_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool runs_differ(const struct sp_runs *runs, const char *field)
{
    for (size_t i = 1; i < runs->count; i++) {
        double a = sp_run_field(runs->items[0], field), b = sp_run_field(runs->items[i], field);
        if (!isnan(a) && !isnan(b) && a != b)
            return true;
    }
    return false;
}

const char *sp_axis_field(const struct sp_runs *runs, const char *field)
{
    static const char *const fields[] = {"num_ranks", "omp_num_threads", "num_nodes"};
    if (strcmp(field, "auto"))
        return field;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (runs_differ(runs, fields[i]))
            return fields[i];
    return fields[0];
}

/* Appends to a list in a text of limited size. */
static void append(char *list, size_t size, const char *text)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", text);
}

/* Places of the texts. */
static void number_texts(struct sp_axis *axis, size_t count)
{
    double used = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (strcmp(axis->texts[k], axis->texts[i]))
            k++;
        axis->x[i] = k < i ? axis->x[k] : ++used;
    }
}

int sp_axis_read(const struct sp_profiles *profiles, const char *field, struct sp_axis *axis, struct sp_error *err)
{
    char lacking[300] = "";
    bool numbers = true, texts = false;
    *axis = (struct sp_axis){field, calloc(profiles->count + 1, sizeof(double)), calloc(profiles->count + 1, sizeof(char *))};
    if (!axis->x || !axis->texts) {
        sp_axis_free(axis);
        return sp_fail(err, "out of memory");
    }
    for (size_t i = 0; i < profiles->count; i++) {
        const struct sp_run *run = profiles->items[i].run;
        axis->x[i] = sp_run_field(run, field);
        axis->texts[i] = json_string_value(json_object_get(run->metadata, field));
        numbers = numbers && !isnan(axis->x[i]);
        texts = texts || axis->texts[i];
        if (isnan(axis->x[i]) && !axis->texts[i])
            append(lacking, sizeof lacking, run->label);
    }
    for (size_t i = 0; !numbers && !lacking[0] && i < profiles->count; i++)
        if (!axis->texts[i])
            append(lacking, sizeof lacking, profiles->items[i].run->label);
    if (lacking[0]) {
        sp_axis_free(axis);
        return sp_fail_as(err, SP_EXIT_COMBINE, "--x %.100s: no such %s in %s", field, texts ? "field" : "number", lacking);
    }
    if (!numbers) {
        number_texts(axis, profiles->count);
        return 0;
    }
    free(axis->texts);
    axis->texts = NULL;
    return 0;
}

void sp_axis_free(struct sp_axis *axis)
{
    free(axis->x);
    free(axis->texts);
    *axis = (struct sp_axis){0};
}

int sp_axis_find(const struct sp_axis *axis, size_t count, const char *text, double *x, struct sp_error *err)
{
    char *end;
    *x = NAN;
    if (!text)
        return 0;
    double value = axis->texts ? NAN : strtod(text, &end);
    if (!axis->texts && (end == text || *end || !isfinite(value)))
        return sp_fail_as(err, SP_EXIT_USAGE, "--baseline %.100s: must be a number, a value of x", text);
    for (size_t i = 0; i < count; i++)
        if (axis->texts ? !strcmp(axis->texts[i], text) : axis->x[i] == value) {
            *x = axis->x[i];
            return 0;
        }
    return sp_fail_as(err, SP_EXIT_USAGE, "--baseline %.100s: no run has this x", text);
}

/* What the program said, else what the command line said. */
static double work_of(const struct sp_run *run)
{
    double said = sp_run_field(run, "work");
    return isnan(said) ? sp_run_field(run, "SP_WORK") : said;
}

int sp_axis_check_work(const struct sp_profiles *profiles, struct sp_error *err)
{
    const struct sp_run *first = NULL;
    char others[300] = "";
    for (size_t i = 0; i < profiles->count; i++) {
        const struct sp_run *run = profiles->items[i].run;
        char text[160];
        if (isnan(work_of(run)))
            continue;
        if (!first)
            first = run;
        snprintf(text, sizeof text, "%.100s (%g)", run->label, work_of(run));
        if (fabs(work_of(run) - work_of(first)) > 1e-9 * fabs(work_of(first)))
            append(others, sizeof others, text);
    }
    if (!others[0])
        return 0;
    return sp_fail_as(err, SP_EXIT_COMBINE, "weak scaling needs the same work per rank: %.100s recorded %g, but not %s", first->label,
        work_of(first), others);
}
