/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_METADATA_H
#define SP_METADATA_H

/* What is worth knowing about the run, as one JSON object: machine, program, environment, settings, and what was said to it. */

#include "sp_config.h"
#include "sp_text.h"

struct sp_metadata;

struct sp_metadata *sp_metadata_create(void);
void sp_metadata_destroy(struct sp_metadata *metadata);

/* Remembers an entry; the last value of a key counts. Text that is a whole number becomes a JSON number. Any thread; Local. */
int sp_metadata_set(struct sp_metadata *metadata, const char *key, const char *value);

/* The object as text (caller frees), NULL without memory. minimal leaves out user, hosts, paths and environment. Local. */
char *sp_metadata_text(struct sp_metadata *metadata, const struct sp_config *config);

/* The program's file name without directories, "unknown" where /proc does not say. Local. */
void sp_metadata_executable(char *name, size_t room);

#endif
