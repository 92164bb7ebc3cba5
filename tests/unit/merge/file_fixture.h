/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FILE_FIXTURE_H
#define FILE_FIXTURE_H

/* The synthetic run of spill_fixture.h as a file, and what must be in it, worked out by hand. */

#include "scope_profiler_file.h"
#include "sp_writer.h"

/* Writes the run as PATH by one process without MPI. compression and io as in struct sp_writer_job. */
void fixture_write(const char *path, int rank_count, uint64_t steps, const char *compression);

/* Fails the test unless everything in the file is that of the run; of_ranks: each rank has histograms of its own. */
void fixture_check(const char *path, int rank_count, uint64_t steps, int of_ranks);

/* Reads all there is; 0, or -1 with the reason. digest: of all that was read. */
int fixture_read_all(const char *path, uint32_t *digest, struct sp_error *err);

#endif
