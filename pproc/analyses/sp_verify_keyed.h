/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_VERIFY_KEYED_H
#define SP_VERIFY_KEYED_H

/* Do the tables by key say the same as what else is in a file? */

#include "sp_verify.h"

/* Holds /histograms against region_calls, the statistics' calls by region: the sums, and what single ranks have, if they are there.
 * Adds to miscounted and without_bin. The file of a run that was killed may lack single calls in one of them. -1: the table cannot
 * be read. Local. */
int sp_verify_histograms(
    struct sp_file *file, const int64_t *region_calls, struct sp_verify_counts *counts, struct sp_error *err);

#endif
