/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_EVENTS_CSV_H
#define SP_EVENTS_CSV_H

/* Calls as CSV (RFC 4180), a line each: of the selected regions, of a rank in the order in which they were entered. Times are seconds
 * with nine digits after the point, exact. call_index counts the calls of a region on a rank from 0. Of an MPI call: the bytes of all
 * its messages; peer, tag, communicator where all its messages have the same. Empty: not known. All Local. */

#include "sp_run.h"

#include <stdio.h>

struct sp_events_csv;

extern const char sp_events_csv_header[];

/* run must stay. *csv is NULL on failure. */
int sp_events_csv_create(const struct sp_run *run, struct sp_events_csv **csv, struct sp_error *err);
void sp_events_csv_destroy(struct sp_events_csv *csv);

/* The lines of a rank. out NULL: only counts their bytes, which are added to *bytes in any case. Errors of writing show in ferror. */
int sp_events_csv_rank(struct sp_events_csv *csv, int32_t rank, FILE *out, uint64_t *bytes, struct sp_error *err);

#endif
