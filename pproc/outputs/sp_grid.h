/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_GRID_H
#define SP_GRID_H

/* A table for people: boxes of UTF-8 on a terminal that speaks it, ASCII otherwise. Local. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct sp_grid;

/* headers: titles of the columns; one that starts with "<" is a column aligned to the left, and the sign is not shown.
 * NULL: out of memory. */
struct sp_grid *sp_grid_create(const char *title, const char *const *headers, size_t column_count);
void sp_grid_destroy(struct sp_grid *table);

/* The next cell, copied; rows fill from left to right. Control characters become visible, long texts are cut at 40 columns. */
void sp_grid_add(struct sp_grid *table, const char *text);

/* Texts added from now on are not cut. */
void sp_grid_keep_whole(struct sp_grid *table);

/* Whether memory sufficed and rows are full. */
bool sp_grid_is_sound(const struct sp_grid *table);

/* A line between this row and the next. */
void sp_grid_add_rule(struct sp_grid *table);

/* Writes title, header and rows. boxes: see sp_grid_wants_boxes. */
void sp_grid_write(const struct sp_grid *table, FILE *out, bool boxes);

/* out is a terminal and the locale says UTF-8. */
bool sp_grid_wants_boxes(FILE *out);

#endif
