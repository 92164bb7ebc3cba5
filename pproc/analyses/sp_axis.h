/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_AXIS_H
#define SP_AXIS_H

/* What runs are compared over: the x of each. Pure. */

#include "sp_profile.h"

struct sp_axis {
    const char *field;
    double *x;          /* one a run; of texts their place, from 1 on, in the order of the runs */
    const char **texts; /* one a run, the runs'; NULL: the field is a number */
};

/* The field's name; of "auto" num_ranks where the runs differ in it, else omp_num_threads, else num_nodes. */
const char *sp_axis_field(const struct sp_runs *runs, const char *field);

/* Fails (combine) naming the runs that lack the field. *axis is to be freed with sp_axis_free. */
int sp_axis_read(const struct sp_profiles *profiles, const char *field, struct sp_axis *axis, struct sp_error *err);
void sp_axis_free(struct sp_axis *axis);

/* The x that a text of the command line names; NULL names none: *x is NaN. Fails (usage) where no run has it. */
int sp_axis_find(const struct sp_axis *axis, size_t count, const char *text, double *x, struct sp_error *err);

/* Under weak scaling all runs have the same work per rank, as far as they recorded it (SP_WORK, sp_work). Fails (combine) naming
 * those that differ from the first. */
int sp_axis_check_work(const struct sp_profiles *profiles, struct sp_error *err);

#endif
