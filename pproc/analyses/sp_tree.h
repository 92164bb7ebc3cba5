/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TREE_H
#define SP_TREE_H

/* The call paths of a run as an indented list. Pure. */

#include "sp_run.h"

struct sp_tree_row {
    int32_t callpath;
    int32_t region;
    int32_t depth; /* among the rows shown */
    bool own;      /* not the path itself, but what it spends outside its children */
    int32_t rank_count;
    struct sp_stats stats; /* of an own row only total and calls say something */
};

/* Rows of the call paths of selected regions, parents before children, siblings by their first start, an own row as the first child
 * of each path that has children shown. *rows is to be freed. The run must have been loaded with its paths. */
int sp_tree_analyse(const struct sp_run *run, struct sp_tree_row **rows, size_t *count, struct sp_error *err);

/* Name of a call path, "step > solve", to be freed; NULL: out of memory. */
char *sp_tree_path_name(const struct sp_run *run, int32_t callpath);

#endif
