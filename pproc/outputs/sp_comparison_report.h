/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COMPARISON_REPORT_H
#define SP_COMPARISON_REPORT_H

/* A comparison of runs for people, for the page of a merge request, and for machines. Local. */

#include "sp_comparison.h"
#include "sp_sheet.h"

struct sp_comparison_view {
    const struct sp_comparison *comparison;
    const struct sp_profiles *a, *b;
    bool check; /* the verdict belongs to it */
};

/* Tables as text; boxes: see sp_grid_wants_boxes. */
int sp_comparison_write(const struct sp_comparison_view *view, bool boxes, FILE *out, struct sp_error *err);

/* The same in Markdown, with the verdict first. Names are escaped. */
int sp_comparison_write_markdown(const struct sp_comparison_view *view, FILE *out, struct sp_error *err);

/* The rows that are shown, for CSV. Times in seconds. */
struct sp_sheet sp_comparison_sheet(const struct sp_comparison_view *view);

/* Everything, as members of the document. */
int sp_comparison_fill(const struct sp_comparison_view *view, json_t *document, struct sp_error *err);

#endif
