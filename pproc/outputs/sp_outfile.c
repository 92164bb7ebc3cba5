/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_outfile.h"

#include "sp_error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sp_outfile {
    char *path, *work;
    bool force, published;
};

static int check_target(const char *path, bool force, struct sp_error *err)
{
    struct stat status;
    if (stat(path, &status))
        return 0;
    if (S_ISDIR(status.st_mode))
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: is a directory; -o names a file here", path);
    return force ? 0 : sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: exists; -f replaces it", path);
}

int sp_outfile_open(const char *path, bool force, struct sp_outfile **out, struct sp_error *err)
{
    *out = NULL;
    if (check_target(path, force, err))
        return -1;
    struct sp_outfile *outfile = calloc(1, sizeof *outfile);
    size_t size = strlen(path) + 32;
    if (!outfile || !(outfile->path = strdup(path)) || !(outfile->work = malloc(size))) {
        sp_outfile_close(outfile);
        return sp_fail(err, "out of memory");
    }
    outfile->force = force;
    snprintf(outfile->work, size, "%s.part-%ld", path, (long)getpid());
    unlink(outfile->work); /* left by an earlier process of that number */
    *out = outfile;
    return 0;
}

const char *sp_outfile_work(const struct sp_outfile *outfile)
{
    return outfile->work;
}

/* Without force the name must still be free: a link never replaces. Where links are not to be had, a rename has to do. */
static int give_name(const struct sp_outfile *outfile)
{
    if (outfile->force || (link(outfile->work, outfile->path) && errno != EEXIST))
        return rename(outfile->work, outfile->path);
    struct stat work, path;
    if (stat(outfile->work, &work) || stat(outfile->path, &path) || work.st_ino != path.st_ino)
        return -1;
    return unlink(outfile->work);
}

int sp_outfile_publish(struct sp_outfile *outfile, struct sp_error *err)
{
    errno = EEXIST;
    if (give_name(outfile))
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: %s", outfile->path, strerror(errno));
    outfile->published = true;
    return 0;
}

void sp_outfile_close(struct sp_outfile *outfile)
{
    if (!outfile)
        return;
    if (outfile->work && !outfile->published)
        unlink(outfile->work);
    free(outfile->path);
    free(outfile->work);
    free(outfile);
}
