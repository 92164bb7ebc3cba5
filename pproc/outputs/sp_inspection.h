/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_INSPECTION_H
#define SP_INSPECTION_H

/* One run, looked into: head, metadata, tree of call paths. Local. */

#include "sp_tree.h"

#include <stdio.h>

/* full: long values of the metadata are not cut. */
int sp_inspection_write(
    const struct sp_run *run, const struct sp_tree_row *rows, size_t count, bool full, bool boxes, FILE *out, struct sp_error *err);

/* The same as a JSON object; NULL: out of memory. */
json_t *sp_inspection_document(const struct sp_run *run, const struct sp_tree_row *rows, size_t count);

#endif
