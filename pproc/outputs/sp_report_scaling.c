/* SPDX-License-Identifier: BSD-3-Clause */
/* How runs compare, for people: a table for each layout and kind of scaling. */
#include "sp_report.h"

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
    const struct sp_scaling_row **rows = malloc(scaling->row_count * sizeof *rows);
    if (!rows)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < scaling->row_count; i++)
        rows[i] = &scaling->rows[i];
    qsort(rows, scaling->row_count, sizeof *rows, compare_self);
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

int sp_report_scaling(const struct sp_results *results, const struct sp_report_options *options, FILE *out, struct sp_error *err)
{
    const struct sp_scalings *scalings = results->scalings;
    for (size_t i = 0; i < scalings->count; i++) {
        for (int kind = 0; kind < SP_SCALING_KINDS; kind++)
            if (scalings->choice.kinds[kind] && report_kind(results, &scalings->items[i], (enum sp_scaling_kind)kind, options, out, err))
                return -1;
        note_repeats(&scalings->items[i], out);
    }
    return 0;
}
