/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_comparison_report.h"

#include "sp_error.h"
#include "sp_grid.h"
#include "sp_number.h"
#include "sp_report.h"
#include "sp_results.h"
#include "sp_utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define CELL_SIZE 80
#define LONGEST 200 /* columns of a call path */

/* A value in the metric's unit; "-" undefined. */
static void show_value(char text[CELL_SIZE], enum sp_metric metric, double value)
{
    char number[SP_NUMBER_SIZE];
    if (!isfinite(value))
        strcpy(text, "-");
    else if (sp_metric_is_time(metric))
        snprintf(text, CELL_SIZE, "%s", sp_number_duration(number, value));
    else if (metric == SP_METRIC_CALLS)
        snprintf(text, CELL_SIZE, "%.*f", value == floor(value) ? 0 : 1, value);
    else
        snprintf(text, CELL_SIZE, "%.1f %%", value);
}

static void show_delta(char text[CELL_SIZE], enum sp_metric metric, double value)
{
    text[0] = '+';
    show_value(text + (value > 0), metric, value);
}

/* "+12.5 %"; a change that rounds to nothing keeps its sign. */
static void show_percent(char text[CELL_SIZE], double percent)
{
    if (!isfinite(percent))
        strcpy(text, "-");
    else
        snprintf(text, CELL_SIZE, "%s%.1f %%", percent > 0 ? "+" : "", percent);
}

static void show_interval(char text[CELL_SIZE], enum sp_metric metric, const struct sp_sample *sample)
{
    char low[CELL_SIZE], high[CELL_SIZE];
    strcpy(text, "-");
    if (isnan(sample->low))
        return;
    show_value(low, metric, sample->low);
    show_value(high, metric, sample->high);
    snprintf(text, CELL_SIZE, "%.36s .. %.36s", low, high);
}

/* The value of one side; what is missing has none. */
static double shown_median(size_t runs, const struct sp_sample *sample)
{
    return runs ? sample->median : NAN;
}

static bool has_intervals(const struct sp_comparison_view *view)
{
    return view->a->count >= SP_SAMPLE_ENOUGH || view->b->count >= SP_SAMPLE_ENOUGH;
}

static const char *across_name(const struct sp_comparison *comparison)
{
    if (comparison->choice.metric != SP_METRIC_TOTAL && comparison->choice.metric != SP_METRIC_SELF &&
        comparison->choice.metric != SP_METRIC_CALLS)
        return "";
    static const char *const names[] = {"", "", " per rank", " of the slowest rank"};
    return names[comparison->choice.across];
}

/* How the numbers were made, as far as it is not what everybody expects; may be empty. */
static void describe(const struct sp_comparison_view *view, char *text, size_t size)
{
    const struct sp_comparison *comparison = view->comparison;
    bool per_rank = comparison->ranks_differ && across_name(comparison)[0] && comparison->choice.across == SP_ACROSS_MEAN;
    size_t used = 0;
    text[0] = '\0';
    if (per_rank)
        used += (size_t)snprintf(text, size, "The runs have different numbers of ranks: compared per rank; --of total compares sums.\n");
    if (view->a->count > 1 || view->b->count > 1)
        used += (size_t)snprintf(text + used, size - used, "Medians of %zu and %zu runs.", view->a->count, view->b->count);
    if (comparison->few)
        used += (size_t)snprintf(
            text + used, size - used, " Below %d runs a median has no 95 %% interval and stands for it.", SP_SAMPLE_ENOUGH);
    if (view->a->count > 1 || view->b->count > 1)
        snprintf(text + used, size - used, "\n");
}

static void show_run_time(const struct sp_comparison *comparison, char *text, size_t size)
{
    char a[CELL_SIZE], b[CELL_SIZE], percent[CELL_SIZE];
    show_value(a, SP_METRIC_TOTAL, comparison->run.a.median);
    show_value(b, SP_METRIC_TOTAL, comparison->run.b.median);
    show_percent(percent, comparison->run.percent);
    snprintf(text, size, "%s -> %s (%s)", a, b, percent);
}

/* Cells of a row, from the name on; returns how many. */
static size_t row_cells(const struct sp_comparison_view *view, const struct sp_comparison_row *row, char cells[][CELL_SIZE])
{
    enum sp_metric metric = view->comparison->choice.metric;
    size_t used = 0;
    show_value(cells[used++], metric, shown_median(row->a_runs, &row->a));
    if (has_intervals(view))
        show_interval(cells[used++], metric, &row->a);
    show_value(cells[used++], metric, shown_median(row->b_runs, &row->b));
    if (has_intervals(view))
        show_interval(cells[used++], metric, &row->b);
    show_delta(cells[used++], metric, row->delta);
    show_percent(cells[used++], row->percent);
    if (view->check)
        strcpy(cells[used++], row->violated ? "violated" : "");
    return used;
}

/* Column titles behind the name, as row_cells. */
static size_t headers_of(const struct sp_comparison_view *view, const char **headers)
{
    size_t used = 0;
    headers[used++] = "a";
    if (has_intervals(view))
        headers[used++] = "a 95 %";
    headers[used++] = "b";
    if (has_intervals(view))
        headers[used++] = "b 95 %";
    headers[used++] = "delta";
    headers[used++] = "delta %";
    if (view->check)
        headers[used++] = "<budget";
    return used;
}

#define MOST_CELLS 8

/* "total per rank of regions" */
static void make_title(const struct sp_comparison *comparison, char *title, size_t size)
{
    snprintf(title, size, "%s%s by %s", sp_metric_name(comparison->choice.metric), across_name(comparison),
        comparison->choice.by_path ? "call path" : "region");
}

static int write_table(const struct sp_comparison_view *view, bool boxes, FILE *out, struct sp_error *err)
{
    const struct sp_comparison *comparison = view->comparison;
    char title[100], cells[MOST_CELLS][CELL_SIZE];
    const char *headers[MOST_CELLS + 1] = {comparison->choice.by_path ? "<call path" : "<region"};
    size_t columns = headers_of(view, headers + 1) + 1;
    make_title(comparison, title, sizeof title);
    struct sp_grid *table = sp_grid_create(title, headers, columns);
    if (table)
        sp_grid_keep_whole(table);
    for (size_t i = 0; table && i < comparison->row_count; i++) {
        const struct sp_comparison_row *row = &comparison->rows[i];
        if (!row->shown)
            continue;
        char *shown = sp_utf8_show(row->name, LONGEST);
        sp_grid_add(table, shown ? shown : "?");
        free(shown);
        size_t count = row_cells(view, row, cells);
        for (size_t k = 0; k < count; k++)
            sp_grid_add(table, cells[k]);
    }
    bool sound = table && sp_grid_is_sound(table);
    if (sound)
        sp_grid_write(table, out, boxes);
    sp_grid_destroy(table);
    return sound ? 0 : sp_fail(err, "out of memory");
}

static void write_shown(FILE *out, const char *text)
{
    char *shown = sp_utf8_show(text, LONGEST);
    fputs(shown ? shown : "?", out);
    free(shown);
}

/* Every character that Markdown gives a meaning within a table's cell. */
static void write_escaped(FILE *out, const char *text)
{
    char *shown = sp_utf8_show(text, LONGEST);
    for (const char *at = shown; at && *at; at++) {
        if (strchr("\\`*_{}[]<>#|~&@$", *at))
            fputc('\\', out);
        fputc(*at, out);
    }
    free(shown);
}

typedef void (*writer)(FILE *out, const char *text);

static bool is_only_in_a(const struct sp_comparison_row *row)
{
    return !row->b_runs;
}

static bool is_only_in_b(const struct sp_comparison_row *row)
{
    return !row->a_runs;
}

static bool is_violated(const struct sp_comparison_row *row)
{
    return row->violated;
}

/* "Only in a: x, y", a line; nothing where no row is of this kind. with_percent: what each changed by. */
static void write_list(const struct sp_comparison *comparison, const char *title, bool (*belongs)(const struct sp_comparison_row *row),
    bool with_percent, writer write, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct sp_comparison_row *row = &comparison->rows[i];
        char percent[CELL_SIZE];
        if (!belongs(row))
            continue;
        fputs(count++ ? ", " : title, out);
        write(out, row->name);
        show_percent(percent, row->percent);
        if (with_percent)
            fprintf(out, " (%s)", row->a_runs ? percent : "new");
    }
    if (count)
        fputc('\n', out);
}

/* a, b: which files they are. */
static void write_sides(const struct sp_comparison_view *view, writer write, const char *between, FILE *out)
{
    const struct sp_profiles *sides[] = {view->a, view->b};
    for (size_t side = 0; side < COUNT(sides); side++)
        for (size_t i = 0; i < sides[side]->count; i++) {
            const struct sp_run *run = sides[side]->items[i].run;
            fprintf(out, "%s: ", side ? "b" : "a");
            write(out, run->label);
            fprintf(out, ", %d rank%s%s, ", (int)run->info->rank_count, run->info->rank_count == 1 ? "" : "s",
                run->rank_count < run->info->rank_count ? " (not all selected)" : "");
            write(out, run->info->path);
            fputs(between, out);
        }
}

static void write_warnings(const struct sp_comparison_view *view, FILE *out)
{
    sp_report_warnings(view->a, out);
    sp_report_warnings(view->b, out);
}

static void note_hidden(const struct sp_comparison *comparison, FILE *out)
{
    size_t hidden = comparison->row_count - comparison->shown_count;
    if (hidden)
        fprintf(out, "%zu row(s) that changed by less than %g %% not shown.\n", hidden, comparison->choice.threshold);
}

int sp_comparison_write(const struct sp_comparison_view *view, bool boxes, FILE *out, struct sp_error *err)
{
    const struct sp_comparison *comparison = view->comparison;
    char text[400];
    write_warnings(view, out);
    write_sides(view, write_shown, "\n", out);
    show_run_time(comparison, text, sizeof text);
    fprintf(out, "run time: %s\n\n", text);
    if (write_table(view, boxes, out, err))
        return -1;
    note_hidden(comparison, out);
    write_list(comparison, "Only in a: ", is_only_in_a, false, write_shown, out);
    write_list(comparison, "Only in b: ", is_only_in_b, false, write_shown, out);
    describe(view, text, sizeof text);
    fputs(text, out);
    if (view->check) {
        fprintf(out, "\nRegression check: %s\n", comparison->violation_count ? "FAIL" : "PASS");
        write_list(comparison, "Budget violations: ", is_violated, true, write_shown, out);
    }
    return 0;
}

static void write_markdown_row(const struct sp_comparison_view *view, const struct sp_comparison_row *row, FILE *out)
{
    char cells[MOST_CELLS][CELL_SIZE];
    size_t count = row_cells(view, row, cells);
    fputs("| ", out);
    write_escaped(out, row->name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, " | %s", cells[i]);
    fputs(" |\n", out);
}

static void write_markdown_table(const struct sp_comparison_view *view, FILE *out)
{
    const struct sp_comparison *comparison = view->comparison;
    const char *headers[MOST_CELLS];
    size_t columns = headers_of(view, headers);
    fprintf(out, "| %s", comparison->choice.by_path ? "call path" : "region");
    for (size_t i = 0; i < columns; i++)
        fprintf(out, " | %s", headers[i] + (headers[i][0] == '<'));
    fputs(" |\n|:---", out);
    for (size_t i = 0; i < columns; i++)
        fputs(headers[i][0] == '<' ? "|:---" : "|---:", out);
    fputs("|\n", out);
    for (size_t i = 0; i < comparison->row_count; i++)
        if (comparison->rows[i].shown)
            write_markdown_row(view, &comparison->rows[i], out);
}

int sp_comparison_write_markdown(const struct sp_comparison_view *view, FILE *out, struct sp_error *err)
{
    const struct sp_comparison *comparison = view->comparison;
    char text[400], title[100];
    (void)err;
    make_title(comparison, title, sizeof title);
    if (view->check)
        fprintf(out, "**Regression check: %s**\n\n", comparison->violation_count ? "FAIL" : "PASS");
    if (view->check && comparison->violation_count) {
        write_list(comparison, "Budget violations: ", is_violated, true, write_escaped, out);
        fputc('\n', out);
    }
    write_warnings(view, out);
    write_sides(view, write_escaped, "  \n", out);
    show_run_time(comparison, text, sizeof text);
    fprintf(out, "run time: %s\n\n%s:\n\n", text, title);
    write_markdown_table(view, out);
    fputc('\n', out);
    note_hidden(comparison, out);
    write_list(comparison, "Only in a: ", is_only_in_a, false, write_escaped, out);
    write_list(comparison, "Only in b: ", is_only_in_b, false, write_escaped, out);
    describe(view, text, sizeof text);
    fputs(text, out);
    return 0;
}

/* The n-th row that is shown. */
static const struct sp_comparison_row *shown_row(const struct sp_comparison *comparison, size_t n)
{
    const struct sp_comparison_row *row = comparison->rows;
    while (!row->shown || n--)
        row++;
    return row;
}

static struct sp_cell value_cell(enum sp_metric metric, double value)
{
    return sp_metric_is_time(metric) ? sp_cell_seconds(value) : sp_cell_real(value);
}

static void fill(const void *data, size_t row_number, struct sp_cell *cells)
{
    const struct sp_comparison_view *view = data;
    const struct sp_comparison_row *row = shown_row(view->comparison, row_number);
    enum sp_metric metric = view->comparison->choice.metric;
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(row->name);
    *cell++ = sp_cell_text(sp_region_kind_name(row->kind));
    *cell++ = value_cell(metric, shown_median(row->a_runs, &row->a));
    *cell++ = value_cell(metric, shown_median(row->b_runs, &row->b));
    *cell++ = value_cell(metric, row->delta);
    *cell++ = sp_cell_real(row->percent);
    *cell++ = sp_cell_integer((int64_t)row->a_runs);
    *cell++ = sp_cell_integer((int64_t)row->b_runs);
    *cell++ = value_cell(metric, row->a.low);
    *cell++ = value_cell(metric, row->a.high);
    *cell++ = value_cell(metric, row->b.low);
    *cell++ = value_cell(metric, row->b.high);
    *cell++ = sp_cell_integer(row->violated);
}

struct sp_sheet sp_comparison_sheet(const struct sp_comparison_view *view)
{
    static const char *const regions[] = {
        "region", "kind", "a", "b", "delta", "percent", "a_runs", "b_runs", "a_low", "a_high", "b_low", "b_high", "violated"};
    static const char *const paths[] = {
        "call_path", "kind", "a", "b", "delta", "percent", "a_runs", "b_runs", "a_low", "a_high", "b_low", "b_high", "violated"};
    const struct sp_comparison *comparison = view->comparison;
    return (struct sp_sheet){
        "rows", comparison->choice.by_path ? paths : regions, COUNT(regions) - !view->check, comparison->shown_count, view, fill};
}

static json_t *list_names(const struct sp_comparison *comparison, bool (*belongs)(const struct sp_comparison_row *row))
{
    json_t *names = json_array();
    for (size_t i = 0; i < comparison->row_count; i++)
        if (belongs(&comparison->rows[i]))
            json_array_append_new(names, json_string(comparison->rows[i].name));
    return names;
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *run_time(const struct sp_comparison_row *run)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "a", number(run->a.median / 1e9), "b", number(run->b.median / 1e9), "delta",
        number(run->delta / 1e9), "percent", number(run->percent));
}

static int fill_verdict(const struct sp_comparison *comparison, json_t *document)
{
    int status = json_object_set_new(document, "passed", json_boolean(!comparison->violation_count));
    status |= json_object_set_new(document, "violations", list_names(comparison, is_violated));
    status |= json_object_set_new(document, "max_regression_percent", json_real(comparison->choice.budget));
    return status | json_object_set_new(document, "fail_on_new", json_boolean(comparison->choice.fail_on_new));
}

int sp_comparison_fill(const struct sp_comparison_view *view, json_t *document, struct sp_error *err)
{
    static const char *const across[] = {"", "total", "mean", "max"};
    const struct sp_comparison *comparison = view->comparison;
    enum sp_metric metric = comparison->choice.metric;
    struct sp_sheet a = sp_sheet_runs(view->a), b = sp_sheet_runs(view->b), rows = sp_comparison_sheet(view);
    const char *unit = sp_metric_is_time(metric) ? "seconds" : metric == SP_METRIC_CALLS ? "calls" : "percent";
    int status = json_object_set_new(document, "command", json_string(view->check ? "check" : "diff"));
    status |= json_object_set_new(document, "metric", json_string(sp_metric_name(metric)));
    status |= json_object_set_new(document, "unit", json_string(unit));
    status |= json_object_set_new(document, "by", json_string(comparison->choice.by_path ? "path" : "region"));
    status |= json_object_set_new(document, "of", json_string(across[comparison->choice.across]));
    status |= json_object_set_new(document, "threshold_percent", json_real(comparison->choice.threshold));
    status |= json_object_set_new(document, "a", sp_sheet_rows(&a));
    status |= json_object_set_new(document, "b", sp_sheet_rows(&b));
    status |= json_object_set_new(document, "run_seconds", run_time(&comparison->run));
    status |= json_object_set_new(document, rows.name, sp_sheet_rows(&rows));
    status |= json_object_set_new(document, "only_in_a", list_names(comparison, is_only_in_a));
    status |= json_object_set_new(document, "only_in_b", list_names(comparison, is_only_in_b));
    status |= json_object_set_new(document, "changed", json_boolean(comparison->changed));
    if (view->check)
        status |= fill_verdict(comparison, document);
    return status ? sp_fail(err, "out of memory") : 0;
}
