/* SPDX-License-Identifier: BSD-3-Clause */
/* durations: a bar for each region and run. */
#include "sp_plot.h"

#include "sp_error.h"
#include "sp_findings.h"
#include "sp_gnuplot.h"
#include "sp_json.h"
#include "sp_number.h"
#include "sp_outdir.h"
#include "sp_sheet.h"
#include "sp_utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KIND "durations"

/* A region in the picture: its largest total decides whether it is drawn. */
struct row {
    const char *name;
    int64_t total_ns;
    size_t order; /* of first appearance */
};

/* A region of a run that has a time. */
struct bar {
    const struct sp_profile *profile;
    size_t row;
};

struct chart {
    const struct sp_plot_data *data;
    struct bar *bars; /* of all runs, run by run */
    size_t bar_count;
    struct row *rows;
    size_t row_count, left_out;
    bool per_rank; /* runs of different size compare by time per rank */
    double max_ns, unit_ns;
    const char *unit;
};

static int compare_name(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->order < y->order ? -1 : x->order > y->order);
}

static int compare_total(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_order(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The top_n largest regions of any run, in order of first appearance. */
static int choose_rows(struct chart *chart, struct sp_error *err)
{
    const struct sp_profiles *profiles = chart->data->profiles;
    size_t room = 1, used = 0, names = 0;
    for (size_t i = 0; i < profiles->count; i++)
        room += profiles->items[i].region_count;
    chart->rows = calloc(room, sizeof *chart->rows);
    if (!chart->rows)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < profiles->count; i++)
        for (size_t k = 0; k < profiles->items[i].region_count; k++) {
            const struct sp_profile *profile = &profiles->items[i];
            if (sp_profile_is_outside(profile, k))
                continue;
            chart->rows[used] = (struct row){sp_profile_region(profile, k)->name, profile->regions[k].stats.total, used};
            used++;
        }
    qsort(chart->rows, used, sizeof *chart->rows, compare_name);
    for (size_t i = 0; i < used; i++) {
        struct row *last = names ? &chart->rows[names - 1] : NULL;
        if (!last || strcmp(last->name, chart->rows[i].name))
            chart->rows[names++] = chart->rows[i];
        else if (chart->rows[i].total_ns > last->total_ns)
            last->total_ns = chart->rows[i].total_ns;
    }
    qsort(chart->rows, names, sizeof *chart->rows, compare_total);
    chart->row_count = names < chart->data->top_n ? names : chart->data->top_n;
    chart->left_out = names - chart->row_count;
    qsort(chart->rows, chart->row_count, sizeof *chart->rows, compare_order);
    return 0;
}

static double value_of(const struct chart *chart, size_t run, const char *name)
{
    const struct sp_profile *profile = &chart->data->profiles->items[run];
    const struct sp_region_summary *summary = sp_profile_find(profile, name);
    if (!summary)
        return NAN;
    return (double)summary->stats.total / (chart->per_rank ? profile->run->rank_count : 1);
}

static void measure(struct chart *chart)
{
    const struct sp_profiles *profiles = chart->data->profiles;
    for (size_t i = 1; i < profiles->count; i++)
        if (profiles->items[i].run->rank_count != profiles->items[0].run->rank_count)
            chart->per_rank = true;
    for (size_t i = 0; i < chart->row_count; i++)
        for (size_t run = 0; run < profiles->count; run++)
            chart->max_ns = fmax(chart->max_ns, value_of(chart, run, chart->rows[i].name));
    chart->unit = sp_gnuplot_unit(chart->max_ns, &chart->unit_ns);
}

static int list_bars(struct chart *chart, struct sp_error *err)
{
    const struct sp_profiles *profiles = chart->data->profiles;
    size_t room = 1;
    for (size_t i = 0; i < profiles->count; i++)
        room += profiles->items[i].region_count;
    chart->bars = calloc(room, sizeof *chart->bars);
    if (!chart->bars)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < profiles->count; i++)
        for (size_t row = 0; row < profiles->items[i].region_count; row++)
            if (sp_profile_is_timed(&profiles->items[i], row))
                chart->bars[chart->bar_count++] = (struct bar){&profiles->items[i], row};
    return 0;
}

static void fill_bar(const void *data, size_t which, struct sp_cell *cells)
{
    const struct chart *chart = data;
    const struct bar *bar = &chart->bars[which];
    cells[0] = sp_cell_text(bar->profile->run->label);
    cells[1] = sp_cell_text(sp_profile_region(bar->profile, bar->row)->name);
    cells[2] = sp_cell_text("total");
    cells[3] = sp_cell_seconds((double)bar->profile->regions[bar->row].stats.total);
}

static void write_more(struct sp_json *json, const void *data)
{
    const struct chart *chart = data;
    const struct sp_profiles *profiles = chart->data->profiles;
    char color[8];
    sp_json_key(json, "colors");
    sp_json_object(json);
    for (size_t i = 0; profiles->count > 1 && i < profiles->count; i++) {
        sp_json_key(json, profiles->items[i].run->label);
        sp_json_text(json, sp_color_text(color, sp_palette_run(i, profiles->count)));
    }
    for (size_t i = 0; profiles->count == 1 && i < profiles->items[0].region_count; i++) {
        const char *name = sp_profile_region(&profiles->items[0], i)->name;
        sp_json_key(json, name);
        sp_json_text(json, sp_color_text(color, sp_palette_region(chart->data->palette, name)));
    }
    sp_json_end(json);
    sp_json_key(json, "metrics");
    sp_json_array(json);
    sp_json_text(json, "total");
    sp_json_end(json);
    sp_json_key(json, "options");
    sp_json_object(json);
    sp_json_key(json, "stack_children");
    sp_json_bool(json, false);
    sp_json_end(json);
}

static int write_data(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    static const char *const columns[] = {"file", "region", "metric", "value_seconds"};
    struct sp_sheet sheet = {"bars", columns, 4, chart->bar_count, chart, fill_bar};
    return sp_gnuplot_write_data(dir, KIND, &sheet, write_more, chart, err);
}

/* value, top and bottom of the bar, colour, what stands at its end. */
static int write_numbers(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    const struct sp_profiles *profiles = chart->data->profiles;
    double thickness = 0.84 / (double)profiles->count;
    FILE *out;
    if (sp_outdir_begin(dir, KIND "_plot.dat", &out, err))
        return -1;
    fprintf(out, "# time (%s), lower edge, upper edge, colour, label\n", chart->unit);
    for (size_t i = 0; i < chart->row_count; i++)
        for (size_t run = 0; run < profiles->count; run++) {
            double value = value_of(chart, run, chart->rows[i].name);
            double top = (double)i + 1 - 0.42 + thickness * (double)run;
            char number[SP_NUMBER_SIZE], text[SP_NUMBER_SIZE];
            uint32_t color =
                profiles->count > 1 ? sp_palette_run(run, profiles->count) : sp_palette_region(chart->data->palette, chart->rows[i].name);
            if (isnan(value))
                continue;
            fprintf(out, "%s %.6g %.6g %u \"%s\"\n", sp_number_exact(number, value / chart->unit_ns), top, top + thickness * 0.94,
                (unsigned)color, sp_number_duration(text, value));
        }
    return sp_outdir_end(dir, err);
}

/* The region with most own time, and what part of the first and of the last run it takes: in all, which is what the bars show, and
 * by itself. */
static void make_title(const struct chart *chart, char *title, size_t size)
{
    const struct sp_profiles *profiles = chart->data->profiles;
    const struct sp_profile *first = &profiles->items[0], *last = &profiles->items[profiles->count - 1];
    size_t row = sp_finding_largest(first);
    const char *name = row == SP_NOTHING ? NULL : sp_profile_region(first, row)->name;
    const struct sp_region_summary *there = name ? sp_profile_find(last, name) : NULL;
    snprintf(title, size, "Time in each region");
    if (!there || !isfinite(first->rank_ns) || !isfinite(last->rank_ns))
        return;
    size_t row_there = (size_t)(there - last->regions);
    double a = sp_profile_total_percent(first, row), own_a = sp_profile_self_percent(first, row);
    double b = sp_profile_total_percent(last, row_there), own_b = sp_profile_self_percent(last, row_there);
    if (profiles->count == 1)
        snprintf(title, size, "%.200s: %.0f %% of %.100s (own time %.0f %%)", name, a, first->run->label, own_a);
    else
        snprintf(title, size, "%.200s: %.0f %% of %.100s, %.0f %% of %.100s (own time %.0f %%, %.0f %%)", name, a, first->run->label, b,
            last->run->label, own_a, own_b);
}

static void write_titles(const struct chart *chart, FILE *out)
{
    char title[700], note[300];
    make_title(chart, title, sizeof title);
    int used = snprintf(
        note, sizeof note, "%s, with all it calls: totals overlap", chart->per_rank ? "mean time per rank" : "time of all ranks added");
    if (chart->left_out)
        used += snprintf(note + used, sizeof note - (size_t)used, "; %zu smaller not drawn", chart->left_out);
    if (chart->left_out || chart->per_rank)
        snprintf(note + used, sizeof note - (size_t)used, "; durations_data.csv holds %s%s", chart->left_out ? "all" : "them",
            chart->per_rank ? ", as sums over ranks" : "");
    sp_gnuplot_title(out, title, note);
}

/* Room at the right for the names of the runs, in characters. */
static int key_columns(const struct sp_profiles *profiles)
{
    size_t longest = 0;
    for (size_t i = 0; i < profiles->count; i++) {
        size_t columns = sp_utf8_columns(profiles->items[i].run->label);
        longest = columns > longest ? columns : longest;
    }
    return profiles->count > 1 ? (int)(longest < 24 ? longest : 24) + 8 : 4;
}

static int write_script(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    const struct sp_profiles *profiles = chart->data->profiles;
    int bar = profiles->count == 1 ? 26 : profiles->count > 4 ? 10 : 15;
    int height = 120 + (int)chart->row_count * (bar * (int)profiles->count + (profiles->count > 1 ? 10 : 0));
    int keys = profiles->count > 1 ? 22 * (int)profiles->count + 150 : 0;
    struct sp_gnuplot plot = {KIND, "Time spent in each region, one bar a run.", 1000, height > keys ? height : keys, profiles};
    FILE *out;
    if (sp_gnuplot_begin(dir, &plot, &out, err))
        return -1;
    write_titles(chart, out);
    fprintf(out, "set xlabel '%s (%s)'\n", chart->per_rank ? "time per rank" : "total time of all ranks", chart->unit);
    fprintf(out, "set xrange [0:%.6g]\nset yrange [%.6g:0.4]\nset tmargin 4.2\nset rmargin %d\n",
        chart->max_ns > 0 ? 1.12 * chart->max_ns / chart->unit_ns : 1, (double)chart->row_count + 0.6, key_columns(profiles));
    fputs("set grid noytics\nset ytics scale 0 (", out);
    for (size_t i = 0; i < chart->row_count; i++) {
        fputs(i ? ", " : "", out);
        sp_gnuplot_tick(out, chart->rows[i].name, 32);
        fprintf(out, " %zu", i + 1);
    }
    fputs(")\nset key outside right top Left reverse samplen 1.2\n", out);
    fputs("plot data using (0.5*$1):(0.5*($2+$3)):(0):1:2:3:4 with boxxyerror lc rgb variable notitle, \\\n"
          "     data using 1:(0.5*($2+$3)):5 with labels left offset character 0.4,0 font ',8' textcolor rgb '#404040' notitle",
        out);
    for (size_t i = 0; profiles->count > 1 && i < profiles->count; i++) {
        char color[8];
        fprintf(out, ", \\\n     NaN with boxes lc rgb '%s' title ", sp_color_text(color, sp_palette_run(i, profiles->count)));
        sp_gnuplot_text(out, profiles->items[i].run->label, 24);
    }
    fputs("\nset output\n", out);
    return sp_outdir_end(dir, err);
}

int sp_plot_durations_write(const struct sp_plot_data *data, struct sp_outdir *dir, struct sp_error *err)
{
    struct chart chart = {.data = data};
    int status = choose_rows(&chart, err) || list_bars(&chart, err) ? -1 : 0;
    if (!status) {
        measure(&chart);
        status = write_data(&chart, dir, err) || write_numbers(&chart, dir, err) || write_script(&chart, dir, err) ? -1 : 0;
    }
    free(chart.rows);
    free(chart.bars);
    return status;
}
