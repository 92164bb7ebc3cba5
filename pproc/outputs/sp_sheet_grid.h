/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SHEET_GRID_H
#define SP_SHEET_GRID_H

/* A sheet for people. Local. */

#include "sp_sheet.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes the first `most` rows (0: all) under a title, and how many more there are. A column's name says how its numbers are shown:
 * durations (_seconds), shares (_percent), sizes (bytes); the columns "file" and "name_bytes" are left out. boxes: see
 * sp_grid_wants_boxes. */
int sp_sheet_write_grid(const struct sp_sheet *sheet, const char *title, size_t most, bool boxes, FILE *out, struct sp_error *err);

#endif
