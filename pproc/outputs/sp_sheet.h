/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SHEET_H
#define SP_SHEET_H

/* A table for machines: columns with names, rows made on demand. One sheet gives the CSV file, its JSON twin and the rows in a
 * JSON document. Local. */

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

struct sp_error;
struct sp_json;

enum sp_cell_kind { SP_CELL_NONE, SP_CELL_TEXT, SP_CELL_INTEGER, SP_CELL_REAL };

struct sp_cell {
    enum sp_cell_kind kind; /* NONE: empty in CSV, null in JSON, as are NaN and a NULL text */
    const char *text;       /* valid UTF-8, valid until the next row */
    int64_t integer;
    double real;
};

#define SP_SHEET_COLUMNS 32

struct sp_sheet {
    const char *name;           /* "regions": the key of the rows in a JSON document */
    const char *const *columns; /* column_count */
    size_t column_count;
    size_t row_count;
    const void *data; /* what fill draws from */
    void (*fill)(const void *data, size_t row, struct sp_cell *cells);
};

/* Cells; real ones of ns as seconds. */
struct sp_cell sp_cell_text(const char *text);
struct sp_cell sp_cell_integer(int64_t value);
struct sp_cell sp_cell_real(double value);
struct sp_cell sp_cell_seconds(double ns);

/* As RFC 4180 (lines end in CR LF), with a header line. */
void sp_sheet_write_csv(const struct sp_sheet *sheet, FILE *out);

/* The rows as an array of objects, at the place where json stands. */
void sp_sheet_write_rows(const struct sp_sheet *sheet, struct sp_json *json);

/* The same as a value; NULL: out of memory. */
json_t *sp_sheet_rows(const struct sp_sheet *sheet);

#endif
