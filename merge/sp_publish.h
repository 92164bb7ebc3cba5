/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PUBLISH_H
#define SP_PUBLISH_H

/* Space, names and safety of files. All Local. */

#include "sp_error.h"

#include <stddef.h>
#include <stdint.h>

/* Reserves so many bytes beyond the file's end: where that fails nothing has been written yet. A file system that cannot
 * reserve is asked for its free space instead. */
int sp_reserve(const char *path, uint64_t more_bytes, struct sp_error *err);

/* Brings what was written to the file to its disk: what was said to be complete survives the machine. */
int sp_sync(const char *path, struct sp_error *err);

/* Brings the names in the path's folder to disk. The file is whole by then, so a folder that cannot be brought there (some file
 * systems do it by themselves and refuse) is no failure. */
void sp_sync_name(const char *path);

/* Renames work to final without replacing anything: where there is such a file, "-2", "-3", ... is put before the extension.
 * The name given goes to result, which holds room bytes. */
int sp_publish(const char *work, const char *final, char *result, size_t room, struct sp_error *err);

/* The n-th name to try: 1 is the name itself. -1 if it does not fit. Pure. */
int sp_numbered_name(const char *name, int n, char *result, size_t room);

#endif
