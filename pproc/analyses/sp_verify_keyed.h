/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_VERIFY_KEYED_H
#define SP_VERIFY_KEYED_H

/* Do the tables by key say the same as what else is in a file? */

#include "sp_verify.h"

/* What the statistics say of a region. */
struct sp_region_sums {
    int64_t calls, bytes_sent, bytes_received;
};

/* Holds /histograms against the statistics' calls by region: the sums, and what single ranks have, if they are there.
 * Adds to miscounted and without_bin. The file of a run that was killed may lack single calls in one of them. -1: the table cannot
 * be read. Local. */
int sp_verify_histograms(
    struct sp_file *file, const struct sp_region_sums *regions, struct sp_verify_counts *counts, struct sp_error *err);

/* Holds the bytes of /message_sizes against those of the statistics, region by region, and, where the trace is complete, /traffic
 * against the messages of each operation that counts has. Adds to mismatched. -1: a table cannot be read. Local. */
int sp_verify_messages(
    struct sp_file *file, const struct sp_region_sums *regions, struct sp_verify_counts *counts, struct sp_error *err);

#endif
