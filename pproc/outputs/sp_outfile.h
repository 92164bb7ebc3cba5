/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OUTFILE_H
#define SP_OUTFILE_H

/* One file that a result goes to: written under a temporary name beside it, and given its name when it is whole. A file that exists
 * is replaced only with force. All Local. */

#include <stdbool.h>

struct sp_error;
struct sp_outfile;

/* *outfile is NULL on failure. The temporary file is not made yet. */
int sp_outfile_open(const char *path, bool force, struct sp_outfile **outfile, struct sp_error *err);

/* The temporary name, to be created and written by the caller. */
const char *sp_outfile_work(const struct sp_outfile *outfile);

/* Gives the file its name. */
int sp_outfile_publish(struct sp_outfile *outfile, struct sp_error *err);

/* Removes what was not published. NULL is fine. */
void sp_outfile_close(struct sp_outfile *outfile);

#endif
