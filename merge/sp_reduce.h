/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_REDUCE_H
#define SP_REDUCE_H

/* Rows by key of all processes as one table: each key once, in order. */

#include "sp_team.h"

/* What the rows are. */
struct sp_reduction {
    const char *name; /* for messages */
    size_t row_bytes;
    int (*compare)(const void *a, const void *b); /* of their keys, as qsort wants it */
    void (*add)(void *into, const void *row);     /* unites two rows of one key */
};

/* Orders rows and unites those of one key. Returns how many are left. Local. */
size_t sp_reduce_own(const struct sp_reduction *kind, void *rows, size_t count);

/* Unites the rows of all processes, up a binary tree in log2(size) rounds, so that none holds more than twice what the table of
 * all has. *rows (malloc'ed, in order, each key once) is taken: on process 0 it becomes that table, elsewhere NULL; on failure NULL
 * everywhere. Collective. */
int sp_reduce(const struct sp_team *team, const struct sp_reduction *kind, void **rows, size_t *count, struct sp_error *err);

#endif
