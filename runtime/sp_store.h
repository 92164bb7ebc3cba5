/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_STORE_H
#define SP_STORE_H

/* One spill file of this process, first in anonymous memory and, from sp_store_attach on, on disk: a mapped head and appended
 * segments (sp_spill.h). No file descriptor stays open: a program that closes or re-uses descriptors meets none of ours.
 * A store has one writing thread at a time. All Local. */

#include "sp_error.h"
#include "sp_spill.h"

#include <stddef.h>

struct sp_store;

/* A store in memory whose head (head_bytes, zeroed) starts with a struct sp_spill_header; its magic, version, head_bytes and
 * published_bytes are set. NULL when memory is refused. */
struct sp_store *sp_store_create(size_t head_bytes);
void sp_store_destroy(struct sp_store *store);

/* The mapped head; its address never changes. */
struct sp_spill_header *sp_store_head(struct sp_store *store);

/* Moves the store into a new file of that name (0600, must not exist). On failure it stays in memory. */
int sp_store_attach(struct sp_store *store, const char *path, struct sp_error *err);

/* Appends a segment; the payload is padded to 8 bytes. Published when it returns 0; on -1 nothing has changed. */
int sp_store_append(struct sp_store *store, const struct sp_spill_segment *segment, const void *payload, size_t bytes);

/* Appends a zeroed segment whose payload is mapped for as long as the store lives. NULL on failure. */
void *sp_store_append_mapped(struct sp_store *store, struct sp_spill_segment segment, size_t bytes);

/* NULL while in memory; else the file's name. */
const char *sp_store_path(const struct sp_store *store);

/* Bytes of the whole store so far; the image starts at the head while in memory. */
size_t sp_store_bytes(const struct sp_store *store);

#endif
