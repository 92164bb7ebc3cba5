/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COST_H
#define SP_COST_H

/* What a run costs, and how far more of a machine pays. Pure. */

#include "sp_run.h"

struct sp_scaling_point;

/* Ranks times threads of a rank (omp_num_threads; not known: 1). */
double sp_cost_cores(const struct sp_run *run);

/* NaN where the time is not known. */
double sp_cost_core_hours(double cores, double time_ns);

/* Doubling x must make the run this many times as fast: half of what it could. */
#define SP_COST_PAYS 1.5

/* The first of the points, x ascending, after which doubling buys less; between x that are no doubling apart the gain is what each
 * doubling on the way would have to buy. *gain: how many times as fast a doubling there makes it. SIZE_MAX: it pays everywhere. */
size_t sp_cost_last_paying(const struct sp_scaling_point *points, size_t count, double *gain);

#endif
