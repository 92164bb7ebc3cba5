/* SPDX-License-Identifier: BSD-3-Clause */
/* gantt: when each region ran; a row for each region and rank, a panel for each run. */
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

#define KIND "gantt"
#define WIDTH 1200
#define MARGIN_LEFT 230
#define MARGIN_RIGHT 30
#define PANEL_HEAD 62
#define PANEL_FOOT 52
#define OTHERS_SIZE 48
#define NOTE_SIZE 600

/* A panel: one run. */
struct panel {
    const struct sp_profile *profile;
    const struct sp_bars *bars;
    int top, height; /* pixels, from the top of the picture; of the rows alone */
    int row_height;
    char others[OTHERS_SIZE];
};

struct chart {
    const struct sp_plot_data *data;
    struct panel *panels;
    size_t count;
    int height;
    double span_ns, unit_ns;
    const char *unit;
};

static int rows_of(const struct sp_bars *bars)
{
    return bars->slot_count * bars->rank_count;
}

static const char *slot_name(const struct panel *panel, int32_t slot)
{
    int32_t region = panel->bars->slots[slot];
    return region == SP_BARS_OTHERS ? panel->others : panel->profile->run->regions[region].name;
}

static uint32_t slot_color(const struct chart *chart, const struct panel *panel, int32_t slot)
{
    return panel->bars->slots[slot] == SP_BARS_OTHERS ? SP_COLOR_OTHERS : sp_palette_region(chart->data->palette, slot_name(panel, slot));
}

static int lay_out(struct chart *chart, struct sp_error *err)
{
    const struct sp_profiles *profiles = chart->data->profiles;
    chart->panels = calloc(profiles->count, sizeof *chart->panels);
    if (!chart->panels)
        return sp_fail(err, "out of memory");
    chart->count = profiles->count;
    for (size_t i = 0; i < chart->count; i++) {
        struct panel *panel = &chart->panels[i];
        panel->profile = &profiles->items[i];
        panel->bars = &chart->data->bars[i];
        int rows = rows_of(panel->bars);
        panel->row_height = rows <= 36 ? 20 : rows <= 80 ? 11 : 7;
        panel->top = chart->height + PANEL_HEAD;
        panel->height = (rows ? rows : 1) * panel->row_height;
        chart->height = panel->top + panel->height + PANEL_FOOT;
        snprintf(panel->others, sizeof panel->others, "others (%d regions)", (int)panel->bars->other_count);
        chart->span_ns = fmax(chart->span_ns, (double)(panel->bars->end_ns - panel->bars->origin_ns));
    }
    chart->unit = sp_gnuplot_unit(chart->span_ns, &chart->unit_ns);
    return 0;
}

static void fill_interval(const void *data, size_t row, struct sp_cell *cells)
{
    const struct chart *chart = data;
    const struct panel *panel = chart->panels;
    for (; row >= panel->bars->bar_count; panel++)
        row -= panel->bars->bar_count;
    const struct sp_bar *bar = &panel->bars->bars[row];
    cells[0] = sp_cell_text(panel->profile->run->label);
    cells[1] = sp_cell_integer(bar->rank);
    cells[2] = sp_cell_text(slot_name(panel, bar->slot));
    cells[3] = sp_cell_seconds((double)(bar->start_ns - panel->bars->origin_ns));
    cells[4] = sp_cell_seconds((double)(bar->end_ns - panel->bars->origin_ns));
    cells[5] = sp_cell_integer(bar->calls);
}

/* Colours of what is drawn: a region that several panels show counts once. */
static void write_colors(struct sp_json *json, const struct chart *chart)
{
    sp_json_key(json, "colors");
    sp_json_object(json);
    for (size_t i = 0; i < chart->count; i++)
        for (int32_t slot = 0; slot < chart->panels[i].bars->slot_count; slot++) {
            const char *name = slot_name(&chart->panels[i], slot);
            bool seen = false;
            for (size_t k = 0; k < i && !seen; k++)
                for (int32_t other = 0; other < chart->panels[k].bars->slot_count && !seen; other++)
                    seen = !strcmp(name, slot_name(&chart->panels[k], other));
            char color[8];
            if (seen)
                continue;
            sp_json_key(json, name);
            sp_json_text(json, sp_color_text(color, slot_color(chart, &chart->panels[i], slot)));
        }
    sp_json_end(json);
}

/* What of a run is drawn, and how exactly. */
static void write_resolution(struct sp_json *json, const struct panel *panel)
{
    sp_json_key(json, panel->profile->run->label);
    sp_json_object(json);
    sp_json_key(json, "calls");
    sp_json_integer(json, (int64_t)panel->bars->call_count);
    sp_json_key(json, "bars");
    sp_json_integer(json, (int64_t)panel->bars->bar_count);
    sp_json_key(json, "merged_below_seconds");
    sp_json_real(json, panel->bars->merge_ns < 0 ? NAN : (double)panel->bars->merge_ns / 1e9);
    sp_json_key(json, "ranks_drawn");
    sp_json_integer(json, panel->bars->rank_count);
    sp_json_end(json);
}

static void write_more(struct sp_json *json, const void *data)
{
    const struct chart *chart = data;
    write_colors(json, chart);
    sp_json_key(json, "file_ranks");
    sp_json_object(json);
    for (size_t i = 0; i < chart->count; i++) {
        sp_json_key(json, chart->panels[i].profile->run->label);
        sp_json_integer(json, chart->panels[i].profile->run->info->rank_count);
    }
    sp_json_end(json);
    sp_json_key(json, "options");
    sp_json_object(json);
    sp_json_key(json, "resolution");
    sp_json_object(json);
    for (size_t i = 0; i < chart->count; i++)
        write_resolution(json, &chart->panels[i]);
    sp_json_end(json);
    sp_json_end(json);
}

static int write_data(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    static const char *const columns[] = {"file", "rank", "region", "start_seconds", "end_seconds", "calls"};
    size_t rows = 0;
    for (size_t i = 0; i < chart->count; i++)
        rows += chart->panels[i].bars->bar_count;
    struct sp_sheet sheet = {"intervals", columns, 6, rows, chart, fill_interval};
    return sp_gnuplot_write_data(dir, KIND, &sheet, write_more, chart, err);
}

/* Number of the rank among those drawn. */
static int32_t rank_index(const struct sp_bars *bars, int32_t rank)
{
    int32_t low = 0, high = bars->rank_count - 1;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (bars->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One block a run: start, end, row from the top, colour. A bar is at least a pixel wide. */
static int write_numbers(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    double pixel = chart->span_ns / chart->unit_ns / (WIDTH - MARGIN_LEFT - MARGIN_RIGHT);
    FILE *out;
    if (sp_outdir_begin(dir, KIND "_plot.dat", &out, err))
        return -1;
    fprintf(out, "# start (%s), end (drawn at least a pixel wide), row, colour; a block a run\n", chart->unit);
    for (size_t i = 0; i < chart->count; i++) {
        const struct sp_bars *bars = chart->panels[i].bars;
        fputs(i ? "\n\n" : "", out);
        if (!bars->bar_count)
            fputs("0 0 -1 0\n", out); /* keeps the numbers of the blocks */
        for (size_t k = 0; k < bars->bar_count; k++) {
            const struct sp_bar *bar = &bars->bars[k];
            double start = (double)(bar->start_ns - bars->origin_ns) / chart->unit_ns;
            double end = (double)(bar->end_ns - bars->origin_ns) / chart->unit_ns;
            fprintf(out, "%.9g %.9g %d %u\n", start, fmax(end, start + pixel),
                (int)(bar->slot * bars->rank_count + rank_index(bars, bar->rank)),
                (unsigned)slot_color(chart, &chart->panels[i], bar->slot));
        }
    }
    return sp_outdir_end(dir, err);
}

/* A row of its own has each rank's name; thinner ones share that of the region. */
static bool names_ranks(const struct panel *panel)
{
    return panel->row_height >= 20 || panel->bars->rank_count == 1;
}

/* Until when a cut trace reaches, on the picture's axis. */
static size_t describe_cut(const struct sp_bars *bars, char *text, size_t size)
{
    char first[SP_NUMBER_SIZE], last[SP_NUMBER_SIZE];
    sp_number_duration(first, fmax(0, (double)(bars->cut_first_ns - bars->origin_ns)));
    sp_number_duration(last, fmax(0, (double)(bars->cut_last_ns - bars->origin_ns)));
    if (!bars->cut)
        return (size_t)snprintf(text, size, "the trace is cut at SP_TRACE_LIMIT; ");
    if (!strcmp(first, last))
        return (size_t)snprintf(text, size, "the trace is cut at SP_TRACE_LIMIT and reaches until %s; ", first);
    return (size_t)snprintf(text, size, "the trace is cut at SP_TRACE_LIMIT and reaches until %s to %s, by rank; ", first, last);
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* What of the run is drawn, and how. */
static void describe(const struct panel *panel, char *note)
{
    const struct sp_bars *bars = panel->bars;
    const struct sp_run *run = panel->profile->run;
    char merged[SP_NUMBER_SIZE], outside[100];
    size_t used = run->info->trace == SP_TRACE_TRUNCATED ? describe_cut(bars, note, NOTE_SIZE) : 0;
    used += (size_t)snprintf(note + used, NOTE_SIZE - used, "%zu call%s", (size_t)bars->call_count, plural(bars->call_count));
    if (bars->merge_ns >= 0)
        used += (size_t)snprintf(note + used, NOTE_SIZE - used, " drawn as %zu bar%s (less than %s apart: one)", bars->bar_count,
            plural(bars->bar_count), sp_number_duration(merged, (double)bars->merge_ns));
    if (bars->rank_count < run->rank_count)
        used += (size_t)snprintf(
            note + used, NOTE_SIZE - used, "; %d of %d ranks are drawn, evenly spaced", (int)bars->rank_count, (int)run->rank_count);
    if (!names_ranks(panel))
        used += (size_t)snprintf(note + used, NOTE_SIZE - used, "; rows of a region: ranks %d (top) to %d", (int)bars->ranks[0],
            (int)bars->ranks[bars->rank_count - 1]);
    size_t count = sp_profile_name_outside(panel->profile, outside, sizeof outside);
    if (count)
        snprintf(note + used, NOTE_SIZE - used, "; %s %s not drawn", outside, count == 1 ? "is" : "are");
}

static void write_titles(const struct panel *panel, FILE *out)
{
    const struct sp_profile *profile = panel->profile;
    const struct sp_run *run = profile->run;
    char title[700], note[NOTE_SIZE], time[SP_NUMBER_SIZE];
    size_t uneven = sp_finding_uneven(profile), largest = sp_finding_largest(profile);
    int used = snprintf(title, sizeof title, "%.120s: %d rank%s, %s", run->label, (int)run->info->rank_count,
        run->info->rank_count == 1 ? "" : "s", sp_number_duration(time, run->time_ns < 0 ? NAN : (double)run->time_ns));
    if (uneven != SP_NOTHING)
        snprintf(title + used, sizeof title - (size_t)used, "; %.200s: rank %d works %.0f %% longer than the average",
            sp_profile_region(profile, uneven)->name, (int)profile->regions[uneven].busiest_rank, profile->regions[uneven].imbalance_self);
    else if (largest != SP_NOTHING && isfinite(profile->rank_ns))
        snprintf(title + used, sizeof title - (size_t)used, "; %.200s: own time %.0f %% of the run",
            sp_profile_region(profile, largest)->name, sp_percent((double)profile->regions[largest].stats.self, profile->rank_ns));
    describe(panel, note);
    if (run->info->trace == SP_TRACE_OFF)
        snprintf(note, sizeof note, "no trace was recorded: there are no calls to draw");
    else if (run->info->trace == SP_TRACE_TRUNCATED && !run->info->event_count)
        snprintf(note, sizeof note, "the trace was cut to nothing at SP_TRACE_LIMIT: there are no calls to draw");
    sp_gnuplot_title(out, title, note);
}

/* Names at the rows: each, or each region once where rows are too thin for text. */
static void write_rows(const struct panel *panel, FILE *out)
{
    const struct sp_bars *bars = panel->bars;
    bool each = names_ranks(panel), numbered = panel->profile->run->info->rank_count > 1;
    fputs("set ytics scale 0 (", out);
    for (int32_t slot = 0; slot < bars->slot_count; slot++)
        for (int32_t k = 0; k < (each ? bars->rank_count : 1); k++) {
            char *name = sp_utf8_show_plain(slot_name(panel, slot), 24);
            char text[400];
            if (!each)
                snprintf(text, sizeof text, "%s, %d ranks", name ? name : "?", (int)bars->rank_count);
            else if (numbered)
                snprintf(text, sizeof text, "%s %d", name ? name : "?", (int)bars->ranks[k]);
            else
                snprintf(text, sizeof text, "%s", name ? name : "?");
            free(name);
            double row = each ? slot * bars->rank_count + k : slot * bars->rank_count + (bars->rank_count - 1) / 2.0;
            fputs(slot || k ? ", " : "", out);
            sp_gnuplot_tick(out, text, 0);
            fprintf(out, " %g", row);
        }
    fputs(")\n", out);
    for (int32_t slot = 1; slot < bars->slot_count && bars->rank_count > 1; slot++) {
        double row = slot * bars->rank_count - 0.5;
        fprintf(out, "set arrow %d from graph 0, first %g to graph 1, first %g nohead back lc rgb '#d0d0d0'\n", (int)slot, row, row);
    }
}

static void write_panel(const struct chart *chart, size_t which, FILE *out)
{
    const struct panel *panel = &chart->panels[which];
    double height = chart->height;
    fputs("\nunset arrow\nunset label\n", out);
    write_titles(panel, out);
    fprintf(out, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", 1 - panel->top / height,
        1 - (panel->top + panel->height) / height);
    fprintf(out, "set yrange [%g:-0.5]\n", (rows_of(panel->bars) ? rows_of(panel->bars) : 1) - 0.5);
    write_rows(panel, out);
    fprintf(out, "set xlabel '%s' offset 0,0.4\n", which + 1 == chart->count ? "time from the first region entry" : "");
    fprintf(out, "plot data index %zu using (0.5*($1+$2)):3:1:2:($3-0.42):($3+0.42):4 with boxxyerror lc rgb variable notitle\n", which);
}

static int write_script(const struct chart *chart, struct sp_outdir *dir, struct sp_error *err)
{
    struct sp_gnuplot plot = {
        KIND, "When each region ran: a row for each region and rank, a panel for each run.", WIDTH, chart->height, chart->data->profiles};
    FILE *out;
    if (sp_gnuplot_begin(dir, &plot, &out, err))
        return -1;
    fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", (double)MARGIN_LEFT / WIDTH, 1 - (double)MARGIN_RIGHT / WIDTH);
    fprintf(out, "set xrange [0:%.9g]\nset format x '%%g %s'\nset grid noytics\nset key off\n",
        chart->span_ns > 0 ? chart->span_ns / chart->unit_ns : 1, chart->unit);
    fputs("set multiplot\n", out);
    for (size_t i = 0; i < chart->count; i++)
        write_panel(chart, i, out);
    fputs("\nunset multiplot\nset output\n", out);
    return sp_outdir_end(dir, err);
}

int sp_plot_gantt_write(const struct sp_plot_data *data, struct sp_outdir *dir, struct sp_error *err)
{
    struct chart chart = {.data = data};
    int status = lay_out(&chart, err);
    if (!status)
        status = write_data(&chart, dir, err) || write_numbers(&chart, dir, err) || write_script(&chart, dir, err) ? -1 : 0;
    free(chart.panels);
    return status;
}
