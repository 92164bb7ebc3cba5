/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OUTPUT_NAME_H
#define SP_OUTPUT_NAME_H

/* The name of a run's file. It is reserved at the start by creating NAME.part without replacing anything; where NAME or NAME.part
 * exists NAME-2, NAME-3, ... are tried. NAME.part is a text that says where the spill files lie, for sp-merge; the file
 * itself is written as NAME.part.h5 and renamed. All Local. */

#include "sp_error.h"

#include <stddef.h>

struct sp_output_name {
    char output[4096]; /* absolute; "" where there is to be no file */
    char work[4200];
    char part[4200];
};

/* A file name that differs between runs on all hosts. */
void sp_output_name_run_id(char *run_id, size_t room);

/* Expands the pattern ("none": no file), makes it absolute and reserves it. */
int sp_output_name_reserve(struct sp_output_name *name, const char *pattern, int rank_count, struct sp_error *err);

/* Writes into NAME.part where the run's spill files are. */
void sp_output_name_describe(const struct sp_output_name *name, const char *run_id, const char *spill_directory, int rank_count);

/* Removes NAME.part once the file is there. */
void sp_output_name_release(const char *output);

#endif
