/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SNAPSHOT_H
#define SP_SNAPSHOT_H

/* SP_SNAPSHOT=SECONDS: bounds what the crash of a node, or the wiping of its local storage, can lose. Every so often a thread that
 * turns its ring over or leaves an MPI call brings its spill file to disk and copies it to NAME.part.d beside the output, where
 * sp-merge NAME.part finds it; no thread, timer or signal. All Local. */

#include "sp_process.h"

/* From now on the lane takes snapshots, where they are wanted. */
void sp_snapshot_arm(const struct sp_process *process, struct sp_lane *lane);

/* Takes one of the calling thread's lane and of the process at once, where snapshots are wanted. */
void sp_snapshot_take_now(const struct sp_process *process);

/* Brings a file to disk; -1 where it could not be. */
int sp_snapshot_sync(const char *path);

/* Removes this process's copies, and with the last one the folder. */
void sp_snapshot_discard(const struct sp_process *process);

#endif
