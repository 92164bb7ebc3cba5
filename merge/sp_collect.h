/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COLLECT_H
#define SP_COLLECT_H

/* Finds the spill files that sp-merge's operands mean: directories of them, single ones, and NAME.part texts that say where a run
 * left them; copies in NAME.part.d (SP_SNAPSHOT) stand in for those that are gone. All Local. */

#include "sp_error.h"

#include <stddef.h>
#include <stdint.h>

struct sp_found {
    char *path;
    int32_t rank, lane; /* lane -1: the process's file */
    int is_copy;        /* a snapshot: stands in where the spill file is gone */
    uint64_t bytes;
};

struct sp_collection {
    struct sp_found *files; /* by rank, a process before its lanes */
    size_t count, room;
    int32_t rank_count;     /* of the run; 0: nothing found */
    char run_id[40];
    size_t skipped;         /* files in the directories that are no sound spill files */
    char first_skipped[500]; /* why the first was */
};

/* Adds what an operand means. A bad operand fails; a bad file in a directory is skipped. */
int sp_collect(struct sp_collection *collection, const char *operand, struct sp_error *err);

/* Orders what was found; SP_EXIT_COMBINE where two files claim one lane, SP_EXIT_INPUT where there is none. */
int sp_collect_finish(struct sp_collection *collection, struct sp_error *err);

void sp_collect_free(struct sp_collection *collection);

/* The files [*first, *first + *count) of one process of size: whole ranks, in order, about equal bytes. Pure. */
void sp_collect_share(const struct sp_collection *collection, int process, int size, size_t *first, size_t *count);

#endif
