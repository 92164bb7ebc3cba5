/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SPILL_READ_H
#define SP_SPILL_READ_H

/* Reading one spill file (sp_spill.h): what a process left, perhaps when it was killed, so any byte may be wrong. Nothing here
 * trusts a count, an offset or a text; what does not fit is left out. All Local. */

#include "sp_error.h"
#include "sp_spill.h"

#include <stddef.h>

struct sp_spill;

/* Maps a file. *spill is NULL on failure: SP_EXIT_INPUT where it cannot be read, SP_EXIT_CORRUPT where it is no spill file,
 * SP_EXIT_COMBINE where it is of another version. */
int sp_spill_open(const char *path, struct sp_spill **spill, struct sp_error *err);

/* The same of an image in memory (8-byte aligned), which must stay until the close; name is for messages. */
int sp_spill_open_image(const void *image, uint64_t bytes, const char *name, struct sp_spill **spill, struct sp_error *err);

void sp_spill_close(struct sp_spill *spill);

/* A copy taken at the open, with texts terminated and counts and ends cut to what the file holds. */
const struct sp_spill_header *sp_spill_header(const struct sp_spill *spill);

/* The path or name given. */
const char *sp_spill_name(const struct sp_spill *spill);

/* Start of the file in memory; whatever the header's counts say is there. */
const unsigned char *sp_spill_bytes(const struct sp_spill *spill);

struct sp_segment {
    uint32_t type;
    uint64_t first, count; /* count: cut to what the payload holds, for types with fixed-size entries */
    const unsigned char *payload;
    uint64_t payload_bytes;
};

/* Walks the segments; *cursor is 0 at first. 1, or 0 after the last. */
int sp_spill_next(const struct sp_spill *spill, uint64_t *cursor, struct sp_segment *segment);

#endif
