/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPILL_FIXTURE_H
#define SPILL_FIXTURE_H

/* Spill files as a recording process would leave them, made in memory with times that the test chooses (ticks). Independent of
 * the runtime on purpose. Running out of memory ends the test. */

#include "sp_spill.h"

#include <stddef.h>

struct spill_image;

struct spill_image *spill_image_process(const char *run_id, int rank, int rank_count);
struct spill_image *spill_image_lane(const char *run_id, int rank, int rank_count, int lane);
void spill_image_free(struct spill_image *image);

/* The bytes; they move when something is appended. */
void *spill_image_bytes(const struct spill_image *image, size_t *bytes);
struct sp_spill_header *spill_image_header(struct spill_image *image);

/* Appends and publishes a segment. */
void spill_image_append(struct spill_image *image, uint32_t type, uint64_t first, uint64_t count, const void *payload, size_t bytes);

/* Process: ids are given in order from 0. */
void spill_image_region(struct spill_image *image, const char *name, int kind, int group);
void spill_image_communicator(struct spill_image *image, uint64_t identity, uint64_t parent, const char *name, int size,
    const int32_t *members, int member_count);
void spill_image_rank(struct spill_image *image, const struct sp_spill_rank *rank);
void spill_image_metadata(struct spill_image *image, const char *json);

/* Lane: calls are recorded as the runtime does, with turn-overs of the rings. Depth at most 64. */
void spill_image_begin(struct spill_image *image, uint32_t region, uint64_t ticks);
void spill_image_end(struct spill_image *image, uint64_t ticks);
void spill_image_message(struct spill_image *image, struct sp_spill_message message); /* of the call that ended last */
void spill_image_turn_over(struct spill_image *image);
void spill_image_finish(struct spill_image *image, uint64_t ticks);

/* Writes the image as DIRECTORY/NAME. -1 with errno. */
int spill_image_save(const struct spill_image *image, const char *directory, const char *name);

/* A whole run: rank r of n does (r + 1) * steps times { step { compute, MPI_Sendrecv }, MPI_Allreduce } on lane 0, with
 * user regions of its own; a clock of 2 ticks per ns; ranks with r % 5 == 4 do nothing at all. Files rRANK-process and
 * rRANK-lane0 in the directory. -1 with errno. */
int spill_run_save(const char *directory, const char *run_id, int rank_count, uint64_t steps);

/* One rank of it; *lane is NULL where it has none. */
void spill_run_rank(const char *run_id, int rank, int rank_count, uint64_t steps, struct spill_image **process, struct spill_image **lane);

#endif
