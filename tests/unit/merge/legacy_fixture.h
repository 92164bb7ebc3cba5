/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEGACY_FIXTURE_H
#define LEGACY_FIXTURE_H

/* A small run in every format of the Python scope-profiler: on rank 0 outer 10..55 with inner 10..15, 20..33, 40..55 inside it, in
 * HDF5 files written as h5py does: the oldest object format, which has no checksums. */

enum legacy_kind {
    LEGACY_TRACE_1,
    LEGACY_TRACE_2,
    LEGACY_TRACE_OTHER_ORDER,
    LEGACY_JSON,
    LEGACY_JSON_GZIP,
    LEGACY_SCHEMA_1,
    LEGACY_SCHEMA_2,
    LEGACY_SCHEMA_3,
    LEGACY_AGGREGATE,
    LEGACY_KINDS
};

const char *legacy_name(enum legacy_kind kind);
void legacy_write(enum legacy_kind kind, const char *path);

/* Opens a file and reads all there is; 0, or -1 with the reason. */
struct sp_error;
int legacy_read_all(const char *path, struct sp_error *err);

#endif
