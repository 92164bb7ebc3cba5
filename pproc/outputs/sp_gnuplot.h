/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_GNUPLOT_H
#define SP_GNUPLOT_H

/* What the scripts of all kinds have in common. A script runs by itself, from any directory and in any locale: it finds its data
 * beside itself and writes its picture there, or to sp_output if that is set before. Texts are never interpreted: no enhanced text
 * mode, single quotes. Local. */

#include "sp_profile.h"

#include <stdio.h>

struct sp_outdir;
struct sp_sheet;
struct sp_json;

struct sp_gnuplot {
    const char *kind;  /* file names start with it */
    const char *shows; /* one sentence for the head of the script */
    int width, height; /* pixels */
    const struct sp_profiles *profiles;
};

/* Begins <kind>_plot.gp: comment, folder, terminal, style. */
int sp_gnuplot_begin(struct sp_outdir *dir, const struct sp_gnuplot *plot, FILE **out, struct sp_error *err);

/* Text as a string of gnuplot's language, cut at so many columns (0: never). */
void sp_gnuplot_text(FILE *out, const char *text, size_t columns);

/* The same for the label of a tick, where gnuplot reads formats. */
void sp_gnuplot_tick(FILE *out, const char *text, size_t columns);

/* A title in one or two lines, placed by hand above the graph's left corner; note may be empty. */
void sp_gnuplot_title(FILE *out, const char *title, const char *note);

/* The unit in which times up to max_ns read well: its name, and ns in it. */
const char *sp_gnuplot_unit(double max_ns, double *unit_ns);

/* Writes <kind>_data.csv, and <kind>_data.json with the envelope, the sheet's rows under its name, and what more() adds. */
int sp_gnuplot_write_data(struct sp_outdir *dir, const char *kind, const struct sp_sheet *sheet,
    void (*more)(struct sp_json *json, const void *data), const void *data, struct sp_error *err);

enum sp_gnuplot_outcome { SP_GNUPLOT_DRAWN, SP_GNUPLOT_MISSING };

/* Runs gnuplot on the published script and publishes the picture. */
int sp_gnuplot_render(struct sp_outdir *dir, const char *kind, enum sp_gnuplot_outcome *outcome, struct sp_error *err);

#endif
