/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TRANSFER_H
#define SP_TRANSFER_H

#include "sp_layout.h"
#include "sp_rows.h"
#include "sp_team.h"

#define SP_GROUPS 3 /* statistics, events, messages */

/* CRC-32C and length of what processes gave to a column. */
struct sp_column_sum {
    uint64_t bytes;
    uint32_t crc;
    uint32_t reserved;
};

struct sp_transfer_options {
    enum sp_io io;     /* collective or gather */
    int io_may_change; /* collective becomes gather where not all processes see the file */
    int read_back;     /* compare what was written with what lies there */
    char hints[1024];  /* for MPI-IO: key=value,key=value */
    char path[4096];   /* of the created file */
};

/* Writes the rows of all processes into the columns of a created file: with MPI-IO, one collective write a column where the
 * process's slab fits 64 MiB and rounds beyond, or through process 0. sums: on process 0, of all rows of /statistics, by field.
 * Collective; fails everywhere or nowhere, the file is then to be removed. */
int sp_transfer(const struct sp_team *team, const struct sp_transfer_options *options, struct sp_rows *const groups[SP_GROUPS],
    struct sp_column_sum sums[SP_COLUMNS_MAX], struct sp_error *err);

#endif
