/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TABLES_H
#define SP_TABLES_H

/* The datasets that process 0 writes alone, and the end of a file. All Local. */

#include "sp_plan.h"

struct sp_table_content {
    const char *name;  /* of the dataset */
    const void *rows;  /* C structs of the dataset's table, or plain values */
};

/* CRC-32C of a dataset that was written before. */
struct sp_known_sum {
    char name[48];
    uint64_t bytes;
    uint32_t crc;
};

/* Writes the contents, then /checksums of them and of the known sums, compares if read_back, and marks the file with its state. */
int sp_tables_write(const char *path, const struct sp_plan *plan, const struct sp_table_content *contents, size_t content_count,
    const struct sp_known_sum *known, size_t known_count, const char *state, int read_back, struct sp_error *err);

#endif
