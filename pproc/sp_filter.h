/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_FILTER_H
#define SP_FILTER_H

/* What the user wants to see: regions by name, ranks by number. All Local. */

#include "sp_options.h"

#include <stdbool.h>
#include <stdint.h>

struct sp_error;
struct sp_filter;

/* Compiles regular expressions (PCRE2, matched at the start of the name). *filter is NULL on failure (usage). */
int sp_filter_create(const struct sp_texts *include, const struct sp_texts *exclude, struct sp_filter **filter, struct sp_error *err);
void sp_filter_destroy(struct sp_filter *filter);

/* Included (everything is if there is no include) and not excluded. The name need not be valid UTF-8. */
bool sp_filter_takes(const struct sp_filter *filter, const char *name, size_t bytes);

/* Marks the ranks that lists like "0-3,5" name, all if there is no list. selected has rank_count entries. Fails (usage) at a list
 * that is none and at ranks that the run, called label, does not have. */
int sp_ranks_select(const struct sp_texts *lists, int32_t rank_count, const char *label, bool *selected, struct sp_error *err);

#endif
