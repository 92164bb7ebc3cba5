/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_INPUTS_H
#define SP_INPUTS_H

/* From the operands of a call to run files. */

#include "sp_options.h"

struct sp_error;

/* Paths, owned. */
struct sp_inputs {
    char **paths;
    size_t count;
    size_t repeated;     /* times that a file was named again */
    const char *example; /* the first of these, one of paths; NULL: none */
};

/* The files that the operands from `first` on name, in their order: patterns (which the shell left alone) are expanded, sorted;
 * a file named twice counts once. Fails (usage) without operands, (input) at a file that is not there or a pattern that matches
 * nothing. Local. */
int sp_inputs_expand(const struct sp_texts *operands, size_t first, struct sp_inputs *inputs, struct sp_error *err);
void sp_inputs_free(struct sp_inputs *inputs);

#endif
