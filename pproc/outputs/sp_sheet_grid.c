/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_sheet_grid.h"

#include "sp_error.h"
#include "sp_grid.h"
#include "sp_number.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum shape { PLAIN, DURATION, SHARE, BYTES };

struct column {
    char header[48];
    enum shape shape;
    bool hidden, text;
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), least = strlen(end);
    return length >= least && !strcmp(text + length - least, end);
}

/* "of_run_percent" becomes "of run". */
static struct column column_of(const char *name)
{
    struct column column = {.hidden = !strcmp(name, "file") || !strcmp(name, "name_bytes")};
    size_t length = strlen(name);
    column.shape = ends_with(name, "_seconds") ? DURATION : ends_with(name, "_percent") ? SHARE : strstr(name, "bytes") ? BYTES : PLAIN;
    if (column.shape == DURATION || column.shape == SHARE)
        length -= strlen("_seconds");
    for (size_t i = 0; i < length && i + 2 < sizeof column.header; i++)
        column.header[i] = name[i] == '_' ? ' ' : name[i];
    return column;
}

/* Columns of texts are aligned to the left; what a column holds shows in the first row that has anything there. */
static void align(const struct sp_sheet *sheet, struct column *columns)
{
    struct sp_cell cells[SP_SHEET_COLUMNS];
    bool known[SP_SHEET_COLUMNS] = {false};
    size_t left = sheet->column_count;
    for (size_t row = 0; left && row < sheet->row_count; row++) {
        sheet->fill(sheet->data, row, cells);
        for (size_t i = 0; i < sheet->column_count; i++) {
            if (known[i] || cells[i].kind == SP_CELL_NONE)
                continue;
            known[i] = true;
            columns[i].text = cells[i].kind == SP_CELL_TEXT;
            left--;
        }
    }
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!columns[i].text)
            continue;
        memmove(columns[i].header + 1, columns[i].header, strlen(columns[i].header) + 1);
        columns[i].header[0] = '<';
    }
}

static void add_cell(struct sp_grid *grid, const struct column *column, const struct sp_cell *cell)
{
    char text[SP_NUMBER_SIZE] = "-";
    bool real = cell->kind == SP_CELL_REAL;
    double value = real ? cell->real : (double)cell->integer;
    if (cell->kind == SP_CELL_TEXT) {
        sp_grid_add(grid, cell->text);
        return;
    }
    if (cell->kind != SP_CELL_NONE && column->shape == DURATION)
        sp_number_duration(text, value * 1e9);
    else if (cell->kind != SP_CELL_NONE && column->shape == SHARE)
        snprintf(text, sizeof text, "%.1f %%", value);
    else if (cell->kind != SP_CELL_NONE && column->shape == BYTES)
        sp_number_bytes(text, value);
    else if (real)
        snprintf(text, sizeof text, "%.4g", value);
    else if (cell->kind == SP_CELL_INTEGER)
        snprintf(text, sizeof text, "%" PRId64, cell->integer);
    sp_grid_add(grid, text);
}

int sp_sheet_write_grid(const struct sp_sheet *sheet, const char *title, size_t most, bool boxes, FILE *out, struct sp_error *err)
{
    struct column columns[SP_SHEET_COLUMNS];
    struct sp_cell cells[SP_SHEET_COLUMNS];
    const char *headers[SP_SHEET_COLUMNS];
    size_t shown_columns = 0, shown = most && most < sheet->row_count ? most : sheet->row_count;
    assert(sheet->column_count <= SP_SHEET_COLUMNS);
    for (size_t i = 0; i < sheet->column_count; i++)
        columns[i] = column_of(sheet->columns[i]);
    align(sheet, columns);
    for (size_t i = 0; i < sheet->column_count; i++)
        if (!columns[i].hidden)
            headers[shown_columns++] = columns[i].header;
    struct sp_grid *grid = sp_grid_create(title, headers, shown_columns);
    if (grid)
        sp_grid_keep_whole(grid);
    for (size_t row = 0; grid && row < shown; row++) {
        sheet->fill(sheet->data, row, cells);
        for (size_t i = 0; i < sheet->column_count; i++)
            if (!columns[i].hidden)
                add_cell(grid, &columns[i], &cells[i]);
    }
    bool sound = grid && sp_grid_is_sound(grid);
    if (sound)
        sp_grid_write(grid, out, boxes);
    if (sound && shown < sheet->row_count)
        fprintf(out, "%zu more row(s) not shown: --top-n %zu shows all.\n", sheet->row_count - shown, sheet->row_count);
    sp_grid_destroy(grid);
    return sound ? 0 : sp_fail(err, "out of memory");
}
