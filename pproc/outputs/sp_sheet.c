/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_sheet.h"

#include "sp_json.h"
#include "sp_number.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct sp_cell sp_cell_text(const char *text)
{
    return (struct sp_cell){.kind = text ? SP_CELL_TEXT : SP_CELL_NONE, .text = text};
}

struct sp_cell sp_cell_integer(int64_t value)
{
    return (struct sp_cell){.kind = SP_CELL_INTEGER, .integer = value};
}

struct sp_cell sp_cell_real(double value)
{
    return (struct sp_cell){.kind = isfinite(value) ? SP_CELL_REAL : SP_CELL_NONE, .real = value};
}

struct sp_cell sp_cell_seconds(double ns)
{
    return sp_cell_real(ns / 1e9);
}

static void csv_text(const char *text, FILE *out)
{
    if (!strpbrk(text, "\",\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void csv_cell(const struct sp_cell *cell, FILE *out)
{
    char buffer[SP_NUMBER_SIZE];
    switch (cell->kind) {
    case SP_CELL_NONE: break;
    case SP_CELL_TEXT: csv_text(cell->text, out); break;
    case SP_CELL_INTEGER: fprintf(out, "%" PRId64, cell->integer); break;
    case SP_CELL_REAL: fputs(sp_number_exact(buffer, cell->real), out); break;
    }
}

void sp_sheet_write_csv(const struct sp_sheet *sheet, FILE *out)
{
    struct sp_cell cells[SP_SHEET_COLUMNS];
    assert(sheet->column_count <= SP_SHEET_COLUMNS);
    for (size_t i = 0; i < sheet->column_count; i++)
        fprintf(out, "%s%s", i ? "," : "", sheet->columns[i]);
    fputs("\r\n", out);
    for (size_t row = 0; row < sheet->row_count; row++) {
        sheet->fill(sheet->data, row, cells);
        for (size_t i = 0; i < sheet->column_count; i++) {
            if (i)
                fputc(',', out);
            csv_cell(&cells[i], out);
        }
        fputs("\r\n", out);
    }
}

static void json_cell(const struct sp_cell *cell, struct sp_json *json)
{
    switch (cell->kind) {
    case SP_CELL_NONE:
    case SP_CELL_TEXT: sp_json_text(json, cell->kind == SP_CELL_TEXT ? cell->text : NULL); break;
    case SP_CELL_INTEGER: sp_json_integer(json, cell->integer); break;
    case SP_CELL_REAL: sp_json_real(json, cell->real); break;
    }
}

void sp_sheet_write_rows(const struct sp_sheet *sheet, struct sp_json *json)
{
    struct sp_cell cells[SP_SHEET_COLUMNS];
    sp_json_array(json);
    for (size_t row = 0; row < sheet->row_count; row++) {
        sheet->fill(sheet->data, row, cells);
        sp_json_object(json);
        for (size_t i = 0; i < sheet->column_count; i++) {
            sp_json_key(json, sheet->columns[i]);
            json_cell(&cells[i], json);
        }
        sp_json_end(json);
    }
    sp_json_end(json);
}

static json_t *cell_value(const struct sp_cell *cell)
{
    switch (cell->kind) {
    case SP_CELL_TEXT: return json_string(cell->text);
    case SP_CELL_INTEGER: return json_integer(cell->integer);
    case SP_CELL_REAL: return json_real(cell->real);
    case SP_CELL_NONE: break;
    }
    return json_null();
}

json_t *sp_sheet_rows(const struct sp_sheet *sheet)
{
    struct sp_cell cells[SP_SHEET_COLUMNS];
    json_t *rows = json_array();
    for (size_t row = 0; rows && row < sheet->row_count; row++) {
        json_t *object = json_object();
        sheet->fill(sheet->data, row, cells);
        for (size_t i = 0; i < sheet->column_count; i++)
            json_object_set_new(object, sheet->columns[i], cell_value(&cells[i]));
        if (json_array_append_new(rows, object)) {
            json_decref(rows);
            return NULL;
        }
    }
    return rows;
}
