/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_LEGACY_HEAP_H
#define SP_LEGACY_HEAP_H

/* Texts of variable length in an HDF5 file, read without HDF5's own code for them: it believes every length and address it finds,
 * and a damaged file takes the process along. HDF5 only hands out where a text lies, sixteen bytes each; the collections of
 * /section III.E of the HDF5 file format specification/ are read here. All Local. */

#include "sp_error.h"

#include <hdf5.h>
#include <stdint.h>

#define SP_LEGACY_REFERENCE 16 /* bytes: length, address of the collection, number in it */

struct sp_legacy_heap {
    int fd;
    uint64_t file_bytes;
    unsigned char *collection; /* the one read last */
    uint64_t address, collection_bytes;
};

/* -1 where the file cannot be opened. */
int sp_legacy_heap_open(struct sp_legacy_heap *heap, const char *path);
void sp_legacy_heap_close(struct sp_legacy_heap *heap);

/* Reads count references of an attribute or of a dataset of texts of variable length. 0 or -1. */
int sp_legacy_heap_references(hid_t object, hid_t type, int is_attribute, unsigned char *references);

/* The text of a reference, malloc'ed and terminated; *bytes is its length. NULL: it is not there. */
char *sp_legacy_heap_text(struct sp_legacy_heap *heap, const unsigned char *reference, size_t *bytes);

#endif
