/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SERIES_H
#define SP_SERIES_H

/* Runs at the same x that were laid out differently (ranks, threads, nodes) do not repeat each other: which belong together. Pure. */

#include <stddef.h>

struct sp_layout {
    double ranks, threads, nodes; /* threads of a rank */
};

enum { SP_SERIES_THREADS = 1, SP_SERIES_RANKS = 2, SP_SERIES_DENSITY = 4 };

/* Gives each run the number of its series, from 0 on in the order of the runs; runs of one x and one series have one layout. Splits
 * by threads of a rank, ranks, or ranks of a node: at each step by what leaves fewest runs at odds, then by what makes fewest series.
 * Returns how many series there are; *by becomes an OR of what they were split by. */
size_t sp_series_split(const double *x, const struct sp_layout *layouts, size_t count, size_t *series, unsigned *by);

/* "4 threads a rank, 2 ranks a node"; empty where nothing was split. Returns text. */
char *sp_series_name(char *text, size_t size, const struct sp_layout *layout, unsigned by);

#endif
