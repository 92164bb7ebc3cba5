/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_INSPECTION_H
#define SP_INSPECTION_H

/* One run, looked into: head, metadata, tree of call paths. Local. */

#include "sp_tree.h"

#include <stdio.h>

/* File, ranks, times. */
void sp_inspection_write_head(const struct sp_run *run, FILE *out);

/* full: long values are not cut. */
int sp_inspection_write_metadata(const struct sp_run *run, bool full, FILE *out, struct sp_error *err);

/* Call paths, if there are any. */
int sp_inspection_write_tree(
    const struct sp_run *run, const struct sp_tree_row *rows, size_t count, bool boxes, FILE *out, struct sp_error *err);

/* Head and metadata as a JSON object; NULL: out of memory. */
json_t *sp_inspection_document(const struct sp_run *run);

/* The rows of the tree, to be added to it. */
json_t *sp_inspection_tree(const struct sp_run *run, const struct sp_tree_row *rows, size_t count);

#endif
