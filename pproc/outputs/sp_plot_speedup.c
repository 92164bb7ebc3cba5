/* SPDX-License-Identifier: BSD-3-Clause */
/* speedup: a line for each region over x, the ideal dashed. */
#include "sp_plot.h"

#include "sp_error.h"
#include "sp_findings.h"
#include "sp_gnuplot.h"
#include "sp_json.h"
#include "sp_number.h"
#include "sp_outdir.h"
#include "sp_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KIND "speedup"
#define HEIGHT 640

struct line {
    const struct sp_scaling_row *row;
    double label_y; /* place of its label, in doublings */
};

struct chart {
    const struct sp_plot_data *data;
    struct line *lines; /* (run) first, then by self time */
    size_t line_count, left_out, functions_left_out;
    double low, high; /* of what is drawn, in doublings */
};

/* Under weak scaling it is the scaled one. */
static double speedup_of(const struct sp_scaling *scaling, const struct sp_scaling_point *point)
{
    return scaling->x_is_text ? point->speedup : sp_scaling_view(point, scaling->kind).speedup;
}

static const char *label_of(const char *x_field)
{
    return !strcmp(x_field, "num_ranks") ? "ranks" : !strcmp(x_field, "num_nodes") ? "nodes" : x_field;
}

/* The same behind a number. */
static const char *unit_of(const char *x_field, double x)
{
    bool one = x == 1;
    if (!strcmp(x_field, "num_ranks"))
        return one ? "rank" : "ranks";
    return !strcmp(x_field, "num_nodes") ? (one ? "node" : "nodes") : x_field;
}

static int compare_self(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if ((x->row->kind < 0) != (y->row->kind < 0))
        return x->row->kind < 0 ? -1 : 1;
    if (x->row->self_ns != y->row->self_ns)
        return x->row->self_ns > y->row->self_ns ? -1 : 1;
    return strcmp(x->row->name, y->row->name);
}

static int compare_label(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->label_y < y->label_y ? -1 : x->label_y > y->label_y;
}

static bool is_drawable(const struct sp_scaling *scaling, const struct sp_scaling_row *row)
{
    for (size_t i = 0; i < scaling->point_count; i++)
        if (!(speedup_of(scaling, &row->points[i]) > 0))
            return false;
    return true;
}

/* MPI functions are drawn only where there is nothing else: a call that waits says little by its speedup. */
static int choose_lines(struct chart *chart, struct sp_error *err)
{
    const struct sp_scaling *scaling = chart->data->scaling;
    chart->lines = calloc(scaling->row_count + 1, sizeof *chart->lines);
    if (!chart->lines)
        return sp_fail(err, "out of memory");
    size_t used = 0, functions = 0;
    bool have_regions = false;
    for (size_t i = 1; i < scaling->row_count; i++)
        have_regions = have_regions || (scaling->rows[i].kind != SP_REGION_MPI && is_drawable(scaling, &scaling->rows[i]));
    for (size_t i = 0; i < scaling->row_count; i++) {
        bool function = have_regions && scaling->rows[i].kind == SP_REGION_MPI;
        functions += function;
        if (!function && is_drawable(scaling, &scaling->rows[i]))
            chart->lines[used++].row = &scaling->rows[i];
    }
    qsort(chart->lines, used, sizeof *chart->lines, compare_self);
    size_t limit = chart->data->top_n + 1;
    chart->line_count = used < limit ? used : limit;
    chart->functions_left_out = functions;
    chart->left_out = scaling->row_count - chart->line_count - functions;
    return 0;
}

static void measure(struct chart *chart)
{
    const struct sp_scaling *scaling = chart->data->scaling;
    size_t last = scaling->point_count - 1;
    for (size_t k = 0; k <= last; k++) {
        double ideal = scaling->x_is_text ? NAN : log2(scaling->rows[0].points[k].ideal);
        chart->low = fmin(chart->low, ideal);
        chart->high = fmax(chart->high, ideal);
        for (size_t i = 0; i < chart->line_count; i++) {
            double value = log2(speedup_of(scaling, &chart->lines[i].row->points[k]));
            chart->low = fmin(chart->low, value);
            chart->high = fmax(chart->high, value);
        }
    }
    chart->low -= 0.15;
    chart->high += 0.15;
    for (size_t i = 0; i < chart->line_count; i++)
        chart->lines[i].label_y = log2(speedup_of(scaling, &chart->lines[i].row->points[last]));
}

/* Moves labels apart that would cover each other: up from the lowest, then down again from the top edge. */
static void spread_labels(struct chart *chart)
{
    double gap = (chart->high - chart->low) * 17 / (HEIGHT - 130);
    size_t count = chart->line_count;
    qsort(chart->lines, count, sizeof *chart->lines, compare_label);
    for (size_t i = 1; i < count; i++)
        chart->lines[i].label_y = fmax(chart->lines[i].label_y, chart->lines[i - 1].label_y + gap);
    for (size_t i = count; i-- > 0;) {
        double limit = i + 1 == count ? chart->high : chart->lines[i + 1].label_y - gap;
        chart->lines[i].label_y = fmin(chart->lines[i].label_y, limit);
    }
}

static uint32_t color_of(const struct chart *chart, const struct sp_scaling_row *row)
{
    return row->kind < 0 ? SP_COLOR_RUN : sp_palette_region(chart->data->palette, row->name);
}

/* The which-th point of the data: those of rows that every run has. */
static void fill_point(const void *data, size_t row, struct sp_cell *cells)
{
    const struct chart *chart = data;
    const struct sp_scaling *scaling = chart->data->scaling;
    const struct sp_scaling_row *line = scaling->rows;
    size_t left = row / scaling->point_count;
    while (!is_drawable(scaling, line) || left--)
        line++;
    const struct sp_scaling_point *point = &line->points[row % scaling->point_count];
    cells[0] = sp_cell_text(line->name);
    cells[1] = point->x_text ? sp_cell_text(point->x_text) : sp_cell_real(point->x);
    cells[2] = sp_cell_real(speedup_of(scaling, point));
}

static void write_more(struct sp_json *json, const void *data)
{
    const struct chart *chart = data;
    const struct sp_scaling *scaling = chart->data->scaling;
    char color[8];
    sp_json_key(json, "colors");
    sp_json_object(json);
    for (size_t i = 0; i < scaling->row_count; i++)
        if (is_drawable(scaling, &scaling->rows[i])) {
            sp_json_key(json, scaling->rows[i].name);
            sp_json_text(json, sp_color_text(color, color_of(chart, &scaling->rows[i])));
        }
    sp_json_end(json);
    sp_json_key(json, "options");
    sp_json_object(json);
    sp_json_key(json, "x_field");
    sp_json_text(json, scaling->x_field);
    sp_json_key(json, "x_label");
    sp_json_text(json, label_of(scaling->x_field));
    sp_json_key(json, "baseline");
    sp_json_real(json, scaling->baseline);
    if (scaling->kind == SP_SCALING_WEAK) {
        sp_json_key(json, "scaling");
        sp_json_text(json, sp_scaling_kind_name(scaling->kind));
    }
    if (scaling->name[0]) {
        sp_json_key(json, "layout");
        sp_json_text(json, scaling->name);
    }
    sp_json_key(json, "of");
    sp_json_text(json, chart->data->of);
    sp_json_end(json);
}

static int write_data(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    const struct sp_scaling *scaling = chart->data->scaling;
    const char *columns[] = {"region", scaling->x_field, "speedup"};
    size_t rows = 0;
    for (size_t i = 0; i < scaling->row_count; i++)
        rows += is_drawable(scaling, &scaling->rows[i]) ? scaling->point_count : 0;
    struct sp_sheet sheet = {"points", columns, 3, rows, chart, fill_point};
    return sp_gnuplot_write_data(dir, KIND, &sheet, write_more, chart, err);
}

/* One block a line, the ideal first: x, speedup. */
static int write_numbers(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    const struct sp_scaling *scaling = chart->data->scaling;
    char x[SP_NUMBER_SIZE], y[SP_NUMBER_SIZE];
    FILE *out;
    if (sp_outdir_begin(dir, KIND "_plot.dat", &out, err))
        return -1;
    fprintf(out, "# %s, speedup; the ideal first, then a block a line of the script\n", scaling->x_field);
    for (size_t k = 0; k < scaling->point_count; k++) {
        const struct sp_scaling_point *point = &scaling->rows[0].points[k];
        fprintf(out, "%s %s\n", sp_number_exact(x, point->x), scaling->x_is_text ? "NaN" : sp_number_exact(y, point->ideal));
    }
    for (size_t i = 0; i < chart->line_count; i++) {
        fputs("\n\n", out);
        for (size_t k = 0; k < scaling->point_count; k++) {
            const struct sp_scaling_point *point = &chart->lines[i].row->points[k];
            fprintf(out, "%s %s\n", sp_number_exact(x, point->x), sp_number_exact(y, speedup_of(scaling, point)));
        }
    }
    return sp_outdir_end(dir, err);
}

static void write_titles(const struct chart *chart, FILE *out)
{
    const struct sp_scaling *scaling = chart->data->scaling;
    const struct sp_scaling_point *run = &scaling->rows[0].points[scaling->point_count - 1];
    size_t worst = sp_finding_worst_scaling(scaling);
    char title[600] = "Speedup of each region", note[300];
    int used = 0;
    double speedup = speedup_of(scaling, run);
    if (isfinite(speedup) && !scaling->x_is_text && scaling->kind == SP_SCALING_WEAK)
        used = snprintf(title, sizeof title, "The run does %.2f times the work in a time at %g %s: efficiency %.0f %%", speedup, run->x,
            unit_of(scaling->x_field, run->x), 100 * sp_scaling_view(run, scaling->kind).efficiency);
    else if (isfinite(speedup) && !scaling->x_is_text)
        used = snprintf(title, sizeof title, "The run is %.2f times as fast at %g %s: efficiency %.0f %%", run->speedup, run->x,
            unit_of(scaling->x_field, run->x), 100 * run->efficiency);
    if (used && worst != SP_NOTHING)
        snprintf(title + used, sizeof title - (size_t)used, "; weakest: %.100s (%.0f %%)", scaling->rows[worst].name,
            100 * sp_scaling_view(&scaling->rows[worst].points[scaling->point_count - 1], scaling->kind).efficiency);
    used = snprintf(note, sizeof note, "regions by %s, baseline %g",
        !strcmp(chart->data->of, "mean")      ? "mean duration of a call"
            : !strcmp(chart->data->of, "max") ? "the slowest rank's total"
                                              : "total time of all ranks",
        scaling->baseline);
    if (chart->left_out)
        used += snprintf(
            note + used, sizeof note - (size_t)used, "; %zu more region%s not drawn", chart->left_out, chart->left_out == 1 ? "" : "s");
    if (chart->functions_left_out)
        used += snprintf(note + used, sizeof note - (size_t)used, "; %zu MPI function%s not drawn", chart->functions_left_out,
            chart->functions_left_out == 1 ? "" : "s");
    if (chart->left_out || chart->functions_left_out)
        snprintf(note + used, sizeof note - (size_t)used, ": speedup_data.csv has them");
    sp_gnuplot_title(out, title, note);
}

/* Powers of two, as decimals like the labels at the lines. */
static void write_ticks(const struct chart *chart, FILE *out)
{
    bool first = true;
    int step = (int)((chart->high - chart->low) / 12) + 1;
    fputs("set ytics (", out);
    for (int k = -40; k <= 40; k++) {
        if (k % step || k < chart->low || k > chart->high)
            continue;
        fprintf(out, "%s'%.3g' %.12g", first ? "" : ", ", exp2(k), exp2(k));
        first = false;
    }
    fputs(")\n", out);
}

static void write_labels(const struct chart *chart, FILE *out)
{
    const struct sp_scaling *scaling = chart->data->scaling;
    size_t last = scaling->point_count - 1;
    for (size_t i = 0; i < chart->line_count; i++) {
        const struct line *line = &chart->lines[i];
        char color[8], number[32];
        double speedup = speedup_of(scaling, &line->row->points[last]);
        snprintf(number, sizeof number, speedup >= 10 ? "%.1f" : speedup >= 0.1 ? "%.2f" : "%.1g", speedup);
        fprintf(out, "set label %zu ", i + 1);
        sp_gnuplot_text(out, line->row->name, 26);
        fprintf(out, ".'  %s' at first %.10g, first %.10g left offset character 1.2,0 noenhanced textcolor rgb '%s'%s\n", number,
            scaling->rows[0].points[last].x, exp2(line->label_y), sp_color_text(color, sp_color_for_text(color_of(chart, line->row))),
            line->row->kind < 0 ? " font 'DejaVu Sans Bold,10'" : "");
    }
}

static void write_tick(const struct sp_scaling_point *point, size_t which, FILE *out)
{
    char number[32];
    snprintf(number, sizeof number, "%g", point->x);
    fputs(which ? ", " : "", out);
    sp_gnuplot_text(out, point->x_text ? point->x_text : number, 30);
    fprintf(out, " %.10g", point->x);
}

static int write_script(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    const struct sp_scaling *scaling = chart->data->scaling;
    struct sp_gnuplot plot = {
        KIND, "Speedup of each region and of the run; the dashed line is the ideal.", 1000, HEIGHT, chart->data->profiles};
    FILE *out;
    if (sp_gnuplot_begin(dir, &plot, &out, err))
        return -1;
    write_titles(chart, out);
    fputs("set xlabel ", out);
    sp_gnuplot_text(out, label_of(scaling->x_field), 60);
    fprintf(out, "\nset ylabel '%s'\nset logscale %s 2\nset yrange [%.10g:%.10g]\nset xtics (",
        scaling->kind == SP_SCALING_WEAK ? "scaled speedup" : "speedup",
        scaling->rows[0].points[0].x > 0 && !scaling->x_is_text ? "xy" : "y", exp2(chart->low), exp2(chart->high));
    for (size_t k = 0; k < scaling->point_count; k++)
        write_tick(&scaling->rows[0].points[k], k, out);
    fprintf(out, ")\nset xrange [%.10g:%.10g]\n", scaling->rows[0].points[0].x, scaling->rows[0].points[scaling->point_count - 1].x);
    fputs("set tmargin 4.2\nset lmargin 10\nset rmargin 36\nset key top left Left reverse samplen 3\n", out);
    write_ticks(chart, out);
    write_labels(chart, out);
    fprintf(out, "plot data index 0 using 1:2 with lines dashtype 2 lw 1.5 lc rgb '#9a9a9a' %s",
        scaling->x_is_text ? "notitle" : "title 'ideal'");
    for (size_t i = 0; i < chart->line_count; i++) {
        char color[8];
        const struct sp_scaling_row *row = chart->lines[i].row;
        fprintf(out, ", \\\n     data index %zu using 1:2 with linespoints pt 7 ps %s lw %s lc rgb '%s' notitle", i + 1,
            row->kind < 0 ? "1.2" : "0.9", row->kind < 0 ? "3" : "1.8", sp_color_text(color, color_of(chart, row)));
    }
    fputs("\nset output\n", out);
    return sp_outdir_end(dir, err);
}

int sp_plot_speedup_write(const struct sp_plot_data *data, struct sp_outdir *dir, struct sp_error *err)
{
    struct chart chart = {.data = data};
    int status = choose_lines(&chart, err);
    if (!status) {
        measure(&chart);
        spread_labels(&chart);
        status = write_data(&chart, dir, err) || write_numbers(&chart, dir, err) || write_script(&chart, dir, err) ? -1 : 0;
    }
    free(chart.lines);
    return status;
}
