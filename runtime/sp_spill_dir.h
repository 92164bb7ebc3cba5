/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SPILL_DIR_H
#define SP_SPILL_DIR_H

/* The directory of a run's spill files on this host: BASE/sp-UID-RUNID, 0700, ours alone. All Local. */

#include "sp_error.h"

#include <stddef.h>
#include <stdint.h>

/* Makes it (or finds the one another process of the run made); base "" means $TMPDIR, else /tmp. Writes its absolute name. */
int sp_spill_dir_make(const char *base, const char *run_id, char *path, size_t room, struct sp_error *err);

/* Bytes that all ranks of this host together may write there: a quarter of what is free, of memory too where it is a tmpfs. */
uint64_t sp_spill_dir_room(const char *path);

#endif
