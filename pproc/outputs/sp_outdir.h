/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OUTDIR_H
#define SP_OUTDIR_H

/* A directory that results go to. Files get their names only when all of them are written; a file that exists is replaced only if
 * we wrote it and nobody changed it since, or with force. What is ours stands in the directory's manifest, `.sp-out`. Local. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct sp_error;
struct sp_outdir;

/* Makes the directory, with its parents, if it is not there. *dir is NULL on failure. */
int sp_outdir_open(const char *path, bool force, struct sp_outdir **dir, struct sp_error *err);

/* Forgets what was not published; removes the directory if we made it and nothing was. */
void sp_outdir_close(struct sp_outdir *dir);

/* A new file to write to, under a temporary name. One at a time; sp_outdir_end closes it. */
int sp_outdir_begin(struct sp_outdir *dir, const char *name, FILE **out, struct sp_error *err);
int sp_outdir_end(struct sp_outdir *dir, struct sp_error *err);

/* Fails where a picture of that name may not be written. */
int sp_outdir_claim(struct sp_outdir *dir, const char *name, struct sp_error *err);

/* A picture that another program wrote into the directory under a temporary name. */
int sp_outdir_adopt(struct sp_outdir *dir, const char *temporary, const char *name, struct sp_error *err);

/* Removes what another program left under a temporary name. */
void sp_outdir_discard(const struct sp_outdir *dir, const char *temporary);

/* Gives the files written so far their names. */
int sp_outdir_publish(struct sp_outdir *dir, struct sp_error *err);

const char *sp_outdir_path(const struct sp_outdir *dir);

/* Published files, in the order of writing: "DIR/NAME". */
size_t sp_outdir_count(const struct sp_outdir *dir);
const char *sp_outdir_file(const struct sp_outdir *dir, size_t which);

#endif
