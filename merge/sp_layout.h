/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_LAYOUT_H
#define SP_LAYOUT_H

/* How a dataset is laid out, decided from the size of the whole table alone: the file must not show how many processes wrote it.
 * Pure. */

#include "sp_error.h"

#include <stddef.h>
#include <stdint.h>

#define SP_CHUNK_ROWS 65536u
#define SP_SMALL_BYTES 65536u /* smaller datasets are contiguous */

struct sp_compression {
    int is_auto;
    int level; /* of deflate, 0 none */
};

struct sp_layout {
    uint64_t chunk_rows; /* 0: contiguous */
    int level;           /* of shuffle + deflate, with chunks only */
};

enum sp_io { SP_IO_AUTO, SP_IO_COLLECTIVE, SP_IO_GATHER };

/* "auto", "none", "gzip", "gzip:1" to "gzip:9"; NULL or empty: auto. */
int sp_compression_parse(const char *text, struct sp_compression *compression, struct sp_error *err);

/* "auto", "collective", "gather"; NULL or empty: auto. */
int sp_io_parse(const char *text, enum sp_io *io, struct sp_error *err);

/* Layout of a column of a trace (is_trace) or of any other dataset. */
struct sp_layout sp_layout_of(struct sp_compression compression, int is_trace, uint64_t rows, size_t row_bytes);

/* The way for so many bytes of columns in all: small files go through process 0. */
enum sp_io sp_io_choose(enum sp_io wanted, uint64_t column_bytes);

#endif
