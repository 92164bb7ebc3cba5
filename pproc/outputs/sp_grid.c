/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_grid.h"

#include "sp_utf8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONGEST 40

struct sp_grid {
    const char *title;
    const char *const *headers;
    size_t column_count;
    char **cells;
    size_t cell_count, room;
    size_t *rules; /* row numbers before which a line stands */
    size_t rule_count;
    size_t longest; /* columns at which texts are cut; 0: never */
    bool failed;
};

struct sp_grid *sp_grid_create(const char *title, const char *const *headers, size_t column_count)
{
    struct sp_grid *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->title = title;
    table->headers = headers;
    table->column_count = column_count;
    table->longest = LONGEST;
    return table;
}

void sp_grid_destroy(struct sp_grid *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table->rules);
    free(table);
}

void sp_grid_add(struct sp_grid *table, const char *text)
{
    if (table->cell_count == table->room) {
        size_t room = 2 * table->room + 64;
        char **cells = realloc(table->cells, room * sizeof *cells);
        if (!cells) {
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->room = room;
    }
    char *shown = text[0] ? sp_utf8_show(text, table->longest) : strdup("");
    if (!shown)
        table->failed = true;
    else
        table->cells[table->cell_count++] = shown;
}

void sp_grid_keep_whole(struct sp_grid *table)
{
    table->longest = 0;
}

bool sp_grid_is_sound(const struct sp_grid *table)
{
    return !table->failed && table->cell_count % table->column_count == 0;
}

void sp_grid_add_rule(struct sp_grid *table)
{
    size_t *rules = realloc(table->rules, (table->rule_count + 1) * sizeof *rules);
    if (!rules) {
        table->failed = true;
        return;
    }
    table->rules = rules;
    rules[table->rule_count++] = table->cell_count / table->column_count;
}

bool sp_grid_wants_boxes(FILE *out)
{
    const char *locale = getenv("LC_ALL");
    if (!locale || !locale[0])
        locale = getenv("LC_CTYPE");
    if (!locale || !locale[0])
        locale = getenv("LANG");
    bool utf8 = locale && (strstr(locale, "UTF-8") || strstr(locale, "utf8") || strstr(locale, "UTF8") || strstr(locale, "utf-8"));
    return utf8 && isatty(fileno(out));
}

/* The pieces of a drawn line: fill, left, between, right. */
struct strokes {
    const char *fill, *left, *between, *right;
};

static void write_rule(FILE *out, const size_t *widths, size_t count, const struct strokes *strokes)
{
    fputs(strokes->left, out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputs(strokes->between, out);
        for (size_t k = 0; k < widths[i] + 2; k++)
            fputs(strokes->fill, out);
    }
    fprintf(out, "%s\n", strokes->right);
}

static bool is_left(const char *header)
{
    return header[0] == '<';
}

static void write_cell(FILE *out, const char *text, size_t width, bool left, bool last)
{
    size_t columns = sp_utf8_columns(text);
    int gap = columns < width ? (int)(width - columns) : 0;
    if (left)
        fprintf(out, " %s%*s", text, last ? 0 : gap + 1, "");
    else
        fprintf(out, " %*s%s%s", gap, "", text, last ? "" : " ");
}

/* Without boxes a row ends behind its last cell that is not empty. */
static size_t cells_to_write(const struct sp_grid *table, char *const *cells, const char *bar)
{
    size_t count = table->column_count;
    while (cells && !bar[0] && count && !cells[count - 1][0])
        count--;
    return count;
}

static void write_row(FILE *out, const struct sp_grid *table, char *const *cells, const size_t *widths, const char *bar)
{
    size_t count = cells_to_write(table, cells, bar);
    fputs(bar, out);
    for (size_t i = 0; i < count; i++) {
        const char *header = table->headers[i];
        const char *text = cells ? cells[i] : header + is_left(header);
        bool last = i + 1 == count && !bar[0];
        write_cell(out, text, widths[i], is_left(header), last);
        if (bar[0])
            fputs(bar, out);
    }
    fputc('\n', out);
}

static size_t *widths_of(const struct sp_grid *table)
{
    size_t *widths = calloc(table->column_count, sizeof *widths);
    if (!widths)
        return NULL;
    for (size_t i = 0; i < table->column_count; i++)
        widths[i] = sp_utf8_columns(table->headers[i] + is_left(table->headers[i]));
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t columns = sp_utf8_columns(table->cells[i]);
        size_t *width = &widths[i % table->column_count];
        *width = columns > *width ? columns : *width;
    }
    return widths;
}

static bool rule_stands_before(const struct sp_grid *table, size_t row)
{
    for (size_t i = 0; i < table->rule_count; i++)
        if (table->rules[i] == row)
            return true;
    return false;
}

void sp_grid_write(const struct sp_grid *table, FILE *out, bool boxes)
{
    static const struct strokes top = {"─", "┌", "┬", "┐"}, middle = {"─", "├", "┼", "┤"}, bottom = {"─", "└", "┴", "┘"};
    static const struct strokes plain = {"-", "", " ", ""};
    size_t *widths = widths_of(table);
    if (!widths)
        return;
    const char *bar = boxes ? "│" : "";
    size_t rows = table->cell_count / table->column_count, columns = table->column_count;
    fprintf(out, "%s\n", table->title);
    if (boxes)
        write_rule(out, widths, columns, &top);
    write_row(out, table, NULL, widths, bar);
    write_rule(out, widths, columns, boxes ? &middle : &plain);
    for (size_t row = 0; row < rows; row++) {
        if (rule_stands_before(table, row))
            write_rule(out, widths, columns, boxes ? &middle : &plain);
        write_row(out, table, table->cells + row * columns, widths, bar);
    }
    if (boxes)
        write_rule(out, widths, columns, &bottom);
    free(widths);
}
