/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_LEGACY_HDF5_H
#define SP_LEGACY_HDF5_H

/* Datasets and attributes as h5py writes them, into plain C. Sizes are checked against what the file stores. All Local. */

#include "sp_legacy.h"

int sp_legacy_has(hid_t group, const char *name);

/* Integer attribute; -1: there is none. */
int sp_legacy_integer(hid_t object, const char *name, int64_t *value);

/* Attribute as a value: text, integer, real number or a list of them; NULL where there is none like that. path: of the file. */
json_t *sp_legacy_attribute(const char *path, hid_t object, const char *name);

/* The attributes of /metadata. */
int sp_legacy_metadata(hid_t file, struct sp_legacy *legacy, struct sp_error *err);

/* An integer dataset, malloc'ed, never NULL on success. */
int sp_legacy_integers(
    const struct sp_legacy *legacy, hid_t group, const char *name, int64_t **values, uint64_t *count, struct sp_error *err);

/* The same where the dataset may be missing: then *values is NULL. Fails where its length is not count. */
int sp_legacy_integers_of(
    const struct sp_legacy *legacy, hid_t group, const char *name, uint64_t count, int64_t **values, struct sp_error *err);

/* A dataset of texts, fixed or of variable length. */
struct sp_legacy_texts {
    char **items;
    uint64_t count;
};

int sp_legacy_texts_read(const struct sp_legacy *legacy, hid_t group, const char *name, struct sp_legacy_texts *texts, struct sp_error *err);
void sp_legacy_texts_free(struct sp_legacy_texts *texts);

#endif
