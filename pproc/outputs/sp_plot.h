/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PLOT_H
#define SP_PLOT_H

/* Pictures: one kind is one row in a table and one file, sp_plot_<kind>.c. A kind writes <kind>_data.csv and .json (what is shown,
 * for other programs), <kind>_plot.gp (the script) and <kind>_plot.dat (the numbers the script draws). Local. */

#include "sp_bars.h"
#include "sp_palette.h"
#include "sp_scaling.h"

struct sp_outdir;

struct sp_plot_data {
    const struct sp_profiles *profiles;
    const struct sp_scaling *scaling; /* NULL: nothing to compare */
    const char *of;                   /* which time the scaling compares */
    const struct sp_bars *bars;       /* one a run; NULL: no kind asked for events */
    const struct sp_palette *palette;
    size_t top_n;
};

enum sp_plot_needs { SP_PLOT_NEEDS_SEVERAL = 1, SP_PLOT_NEEDS_EVENTS = 2 };

struct sp_plot_kind {
    const char *name;
    const char *summary;
    unsigned needs; /* OR of enum sp_plot_needs */
    int (*write)(const struct sp_plot_data *data, struct sp_outdir *dir, struct sp_error *err);
};

/* NULL: no such kind. */
const struct sp_plot_kind *sp_plot_find(const char *name);

/* The which-th kind; NULL behind the last. */
const struct sp_plot_kind *sp_plot_at(size_t which);

int sp_plot_durations_write(const struct sp_plot_data *data, struct sp_outdir *dir, struct sp_error *err);
int sp_plot_gantt_write(const struct sp_plot_data *data, struct sp_outdir *dir, struct sp_error *err);
int sp_plot_speedup_write(const struct sp_plot_data *data, struct sp_outdir *dir, struct sp_error *err);

#endif
