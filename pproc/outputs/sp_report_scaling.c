/* SPDX-License-Identifier: BSD-3-Clause */
/* How runs compare, for people: a table for each layout and kind of scaling. */
#include "sp_report.h"

#include "sp_cost.h"
#include "sp_error.h"
#include "sp_grid.h"
#include "sp_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The run, then regions, then MPI functions; each by self time. */
static int compare_self(const void *a, const void *b)
{
    const struct sp_scaling_row *const *x = a, *const *y = b;
    if (((*x)->kind < 0) != ((*y)->kind < 0))
        return (*x)->kind < 0 ? -1 : 1;
    if (((*x)->kind == SP_REGION_MPI) != ((*y)->kind == SP_REGION_MPI))
        return (*x)->kind == SP_REGION_MPI ? 1 : -1;
    if ((*x)->self_ns != (*y)->self_ns)
        return (*x)->self_ns > (*y)->self_ns ? -1 : 1;
    return strcmp((*x)->name, (*y)->name);
}

/* *rows is to be freed. */
static int order_rows(const struct sp_scaling *scaling, const struct sp_scaling_row ***rows, struct sp_error *err)
{
    *rows = malloc(scaling->row_count * sizeof **rows);
    if (!*rows)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < scaling->row_count; i++)
        (*rows)[i] = &scaling->rows[i];
    qsort(*rows, scaling->row_count, sizeof **rows, compare_self);
    return 0;
}

static void format_ratio(char text[32], double ratio)
{
    if (ratio > 0 && ratio < 0.001)
        snprintf(text, 32, "<0.001");
    else if (isfinite(ratio))
        snprintf(text, 32, ratio >= 100 ? "%.0f" : ratio >= 10 ? "%.1f" : ratio >= 0.1 ? "%.2f" : "%.3f", ratio);
    else
        snprintf(text, 32, "-");
}

static void add_ratio(struct sp_grid *table, double ratio)
{
    char text[32];
    format_ratio(text, ratio);
    sp_grid_add(table, text);
}

static void add_percent(struct sp_grid *table, double percent)
{
    char text[32] = "-";
    if (isfinite(percent))
        snprintf(text, sizeof text, "%.1f %%", percent);
    sp_grid_add(table, text);
}

static void add_times(struct sp_grid *table, double low_ns, double high_ns)
{
    char low[SP_NUMBER_SIZE], high[SP_NUMBER_SIZE], text[80] = "-";
    if (isfinite(low_ns))
        snprintf(text, sizeof text, "%s to %s", sp_number_duration(low, low_ns), sp_number_duration(high, high_ns));
    sp_grid_add(table, text);
}

static void add_interval(struct sp_grid *table, struct sp_interval sure)
{
    char low[32], high[32], text[80] = "-";
    format_ratio(low, sure.low);
    format_ratio(high, sure.high);
    if (isfinite(sure.low))
        snprintf(text, sizeof text, "%s to %s", low, high);
    sp_grid_add(table, text);
}

/* Whether any x was measured more than once; whether one was often enough for an interval. */
static bool any_repeats(const struct sp_scaling *scaling, size_t least)
{
    for (size_t i = 0; i < scaling->point_count; i++)
        if (scaling->rows[0].points[i].run_count >= least)
            return true;
    return false;
}

/* sure: columns for repeats and intervals. */
static void add_row(
    struct sp_grid *table, const struct sp_scaling *scaling, const struct sp_scaling_row *row, enum sp_scaling_kind kind, bool sure)
{
    for (size_t i = 0; i < scaling->point_count; i++) {
        const struct sp_scaling_point *point = &row->points[i];
        struct sp_scaled scaled = sp_scaling_view(point, kind);
        char text[SP_NUMBER_SIZE];
        sp_grid_add(table, i ? "" : row->name[0] ? row->name : "(no name)");
        sp_grid_add(table, point->x_text ? point->x_text : sp_number_exact(text, point->x));
        if (sure) {
            snprintf(text, sizeof text, "%zu", point->run_count);
            sp_grid_add(table, text);
        }
        sp_grid_add(table, sp_number_duration(text, point->time_ns));
        if (sure)
            add_times(table, point->low_ns, point->high_ns);
        add_ratio(table, scaled.speedup);
        if (sure)
            add_interval(table, scaled.speedup_sure);
        add_percent(table, 100 * scaled.efficiency);
    }
}

static void make_title(char *title, size_t size, const struct sp_scaling *scaling, enum sp_scaling_kind kind)
{
    char number[SP_NUMBER_SIZE];
    const char *baseline = sp_number_exact(number, scaling->baseline);
    for (size_t i = 0; i < scaling->point_count; i++)
        if (scaling->rows[0].points[i].x_text && scaling->rows[0].points[i].x == scaling->baseline)
            baseline = scaling->rows[0].points[i].x_text;
    snprintf(title, size, "%s scaling over %s%s%s (baseline %.100s)", kind == SP_SCALING_WEAK ? "Weak" : "Strong", scaling->x_field,
        scaling->name[0] ? ", " : "", scaling->name, baseline);
}

static int report_kind(const struct sp_results *results, const struct sp_scaling *scaling, enum sp_scaling_kind kind,
    const struct sp_report_options *options, FILE *out, struct sp_error *err)
{
    const char *time = !strcmp(results->of, "mean") ? "mean call" : !strcmp(results->of, "max") ? "slowest rank" : "total";
    const char *speedup = kind == SP_SCALING_WEAK ? "scaled speedup" : "speedup";
    const char *few[] = {"<region", scaling->x_field, time, speedup, "efficiency"};
    const char *many[] = {"<region", scaling->x_field, "runs", time, "95 %", speedup, "95 %", "efficiency"};
    char title[400];
    bool sure = any_repeats(scaling, 2);
    const struct sp_scaling_row **rows;
    if (order_rows(scaling, &rows, err))
        return -1;
    make_title(title, sizeof title, scaling, kind);
    struct sp_grid *table = sp_grid_create(title, sure ? many : few, sure ? COUNT(many) : COUNT(few));
    size_t regions = scaling->row_count - 1, shown = regions < options->top_n ? regions : options->top_n;
    for (size_t i = 0; table && i <= shown; i++) {
        if (i)
            sp_grid_add_rule(table);
        add_row(table, scaling, rows[i], kind, sure);
    }
    free(rows);
    fputc('\n', out);
    bool sound = table && sp_grid_is_sound(table);
    if (sound)
        sp_grid_write(table, out, options->boxes);
    sp_grid_destroy(table);
    if (shown < regions)
        fprintf(out, "%zu more region(s) not shown: --top-n %zu shows all, scaling.csv holds all.\n", regions - shown, regions);
    return sound ? 0 : sp_fail(err, "out of memory");
}

static void note_repeats(const struct sp_scaling *scaling, FILE *out)
{
    if (any_repeats(scaling, 2))
        fprintf(out, "Repeats count as their median; 95 %%: where it lies, of speedups by bootstrap%s.\n",
            any_repeats(scaling, 6) ? "" : "; none below 6 repeats");
}

/* ---- laws ---- */

static void format_growth(char *text, size_t size, const struct sp_model *model, const char *c0, const char *c1)
{
    int used = snprintf(text, size, "%s %c %s", c0, model->c[1] < 0 ? '-' : '+', c1);
    if (model->i > 0)
        used += snprintf(text + used, size - (size_t)used, " x^%.3g", model->i);
    if (model->j > 0)
        used += snprintf(text + used, size - (size_t)used, " log2(x)");
    if (model->j > 1)
        snprintf(text + used, size - (size_t)used, "^%g", model->j);
}

static void format_fraction(char *text, size_t size, const struct sp_model *model)
{
    if (isnan(model->fraction))
        snprintf(text, size, "-");
    else if (isnan(model->fraction_wide))
        snprintf(text, size, "%.1f %%", 100 * model->fraction);
    else
        snprintf(text, size, "%.1f +- %.1f %%", 100 * model->fraction, 100 * model->fraction_wide);
}

static void add_law(struct sp_grid *table, const struct sp_model_row *item, bool first)
{
    const struct sp_model *model = &item->model;
    char text[160], a[SP_NUMBER_SIZE], b[SP_NUMBER_SIZE];
    sp_grid_add(table, first ? item->row->name[0] ? item->row->name : "(no name)" : "");
    sp_grid_add(table, sp_law_name(model->law));
    sp_number_duration(a, model->c[0]);
    sp_number_duration(b, fabs(model->c[1]));
    if (model->law == SP_LAW_AMDAHL)
        snprintf(text, sizeof text, "%s + %s / r", a, b);
    else if (model->law == SP_LAW_USL)
        snprintf(text, sizeof text, "sigma %.3g, kappa %.3g", model->c[0], model->c[1]);
    else if (model->law == SP_LAW_GUSTAFSON)
        snprintf(text, sizeof text, "s + (1 - s) r");
    else if (model->c[1] == 0)
        snprintf(text, sizeof text, "%s", a);
    else
        format_growth(text, sizeof text, model, a, b);
    sp_grid_add(table, text);
    format_fraction(text, sizeof text, model);
    sp_grid_add(table, text);
    snprintf(text, sizeof text, "%.4g", model->best_x);
    sp_grid_add(table, isnan(model->best_x) ? "-" : text);
    add_percent(table, model->residual);
}

/* Rows of a region follow each other. */
static size_t add_laws(struct sp_grid *table, const struct sp_models *models, const struct sp_scaling *scaling, enum sp_scaling_kind kind,
    const struct sp_scaling_row *row)
{
    size_t added = 0;
    for (size_t i = 0; i < models->count; i++) {
        const struct sp_model_row *item = &models->items[i];
        if (item->scaling == scaling && item->kind == kind && item->row == row && !item->model.why_not[0])
            add_law(table, item, !added++);
    }
    return added;
}

/* Why the run itself lacks a law: so do its regions. */
static void note_laws(const struct sp_models *models, const struct sp_scaling *scaling, enum sp_scaling_kind kind, FILE *out)
{
    for (size_t i = 0; i < models->count; i++) {
        const struct sp_model_row *item = &models->items[i];
        if (item->scaling == scaling && item->kind == kind && item->row->kind < 0 && item->model.why_not[0])
            fprintf(out, "no %s law: %s.\n", sp_law_name(item->model.law), item->model.why_not);
    }
}

static int report_laws(const struct sp_results *results, const struct sp_scaling *scaling, enum sp_scaling_kind kind,
    const struct sp_report_options *options, FILE *out, struct sp_error *err)
{
    static const char *const headers[] = {"<region", "<law", "<time or speedup", "serial", "most at", "misses"};
    const struct sp_scaling_row **rows;
    size_t added = 0;
    if (scaling->x_is_text)
        return 0;
    if (order_rows(scaling, &rows, err))
        return -1;
    char title[200];
    snprintf(title, sizeof title, "Laws of %s scaling over %.60s%s%s, r = x/%g", sp_scaling_kind_name(kind), scaling->x_field,
        scaling->name[0] ? ", " : "", scaling->name, scaling->baseline);
    struct sp_grid *table = sp_grid_create(title, headers, COUNT(headers));
    for (size_t i = 0; table && i < scaling->row_count && i <= options->top_n; i++)
        added += add_laws(table, results->models, scaling, kind, rows[i]);
    free(rows);
    bool sound = table && sp_grid_is_sound(table);
    if (added)
        fputc('\n', out);
    if (sound && added)
        sp_grid_write(table, out, options->boxes);
    sp_grid_destroy(table);
    if (added)
        fprintf(out, "They hold up to twice the largest x. misses: of the times, root of the mean square; models.csv has all.\n");
    note_laws(results->models, scaling, kind, out);
    return sound ? 0 : sp_fail(err, "out of memory");
}

/* ---- sentences ---- */

static void say_speedup(const struct sp_scaling *scaling, enum sp_scaling_kind kind, FILE *out)
{
    const struct sp_scaling_point *last = &scaling->rows[0].points[scaling->point_count - 1];
    struct sp_scaled scaled = sp_scaling_view(last, kind);
    double serial = sp_model_karp_flatt(last->speedup, last->ideal);
    if (!isfinite(scaled.efficiency))
        return;
    if (kind == SP_SCALING_WEAK)
        fprintf(out, "At %g %s the run does %.2f times the work of %g in a time: efficiency %.1f %%.\n", last->x, scaling->x_field,
            scaled.speedup, scaling->baseline, 100 * scaled.efficiency);
    else
        fprintf(out, "At %g %s the run is %.2f times as fast as at %g: efficiency %.1f %%", last->x, scaling->x_field, scaled.speedup,
            scaling->baseline, 100 * scaled.efficiency);
    if (kind == SP_SCALING_STRONG && serial <= 1)
        fprintf(out, ", as if %.1f %% of it were serial (Karp-Flatt)", 100 * serial);
    if (kind == SP_SCALING_STRONG)
        fputs(".\n", out);
}

static void say_cost(const struct sp_scaling *scaling, FILE *out)
{
    const struct sp_scaling_point *points = scaling->rows[0].points, *first = &points[0], *last = &points[scaling->point_count - 1];
    double gain, before = sp_cost_core_hours(first->cores, first->time_ns), after = sp_cost_core_hours(last->cores, last->time_ns);
    size_t stop = sp_cost_last_paying(points, scaling->point_count, &gain);
    if (stop != SIZE_MAX)
        fprintf(out, "More stops paying at %g: doubling makes the run %.2f times as fast, less than half of what it could.\n",
            points[stop].x, gain);
    else
        fprintf(out, "More pays up to %g: each doubling makes the run at least %.1f times as fast.\n", last->x, SP_COST_PAYS);
    if (before > 0 && after >= 0)
        fprintf(out, "Core-hours: %.3g at %g, %.3g at %g, %.2f times as many.\n", before, first->x, after, last->x, after / before);
}

static void say_findings(const struct sp_scalings *scalings, const struct sp_scaling *scaling, FILE *out)
{
    if (scaling->x_is_text || scaling->point_count < 2)
        return;
    fputc('\n', out);
    if (scaling->name[0])
        fprintf(out, "%s:\n", scaling->name);
    for (int kind = 0; kind < SP_SCALING_KINDS; kind++)
        if (scalings->choice.kinds[kind])
            say_speedup(scaling, (enum sp_scaling_kind)kind, out);
    if (scalings->choice.kinds[SP_SCALING_STRONG])
        say_cost(scaling, out);
}

int sp_report_scaling(const struct sp_results *results, const struct sp_report_options *options, FILE *out, struct sp_error *err)
{
    const struct sp_scalings *scalings = results->scalings;
    for (size_t i = 0; i < scalings->count; i++) {
        for (int kind = 0; kind < SP_SCALING_KINDS; kind++)
            if (scalings->choice.kinds[kind] && report_kind(results, &scalings->items[i], (enum sp_scaling_kind)kind, options, out, err))
                return -1;
        note_repeats(&scalings->items[i], out);
        for (int kind = 0; kind < SP_SCALING_KINDS; kind++)
            if (scalings->choice.kinds[kind] && report_laws(results, &scalings->items[i], (enum sp_scaling_kind)kind, options, out, err))
                return -1;
        say_findings(scalings, &scalings->items[i], out);
    }
    return 0;
}
