/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_HDF5_H
#define SP_HDF5_H

/* What all our users of HDF5 share. All Local. */

#include "sp_error.h"

#include <hdf5.h>

/* To be called before anything else of HDF5 is used: no messages of its own, nothing at exit. */
void sp_hdf5_init(void);

/* Whether the HDF5 at hand is the one this was built with and the only one in the process. Always so with the private copy; a
 * shared one may be that of the program we are loaded into. To be called before anything else of HDF5. */
int sp_hdf5_check(struct sp_error *err);

/* Fails with the text, followed by what HDF5 says was the cause. */
int sp_hdf5_fail(struct sp_error *err, enum sp_exit code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Access properties of one process alone, without file locks; of the object format with checksums. Negative on failure. */
hid_t sp_hdf5_access(void);

/* Opens a file of ours. */
hid_t sp_hdf5_open(const char *path, unsigned flags);

/* Transfers rows [row, row + count) between memory and a one-dimensional dataset; a count of 0 takes part in collective
 * transfers. 0 or -1. */
int sp_hdf5_write_rows(hid_t dataset, hid_t memory_type, hid_t transfer, uint64_t row, uint64_t count, const void *data);
int sp_hdf5_read_rows(hid_t dataset, hid_t memory_type, hid_t transfer, uint64_t row, uint64_t count, void *data);

#endif
