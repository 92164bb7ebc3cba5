/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_outdir.h"

#include "sp_error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST ".sp-out"
#define MANIFEST_TITLE "files written by sp-pproc, which it may replace: hash, name"

/* A file of ours: known from the manifest, being written, or published by this call. */
struct file {
    char *name;
    char *path;      /* DIR/NAME */
    char *temporary; /* DIR/..., NULL unless it waits to be published */
    uint64_t hash;
    bool any_hash; /* a picture: its bytes depend on who draws it */
    bool published;
};

struct sp_outdir {
    char *path;
    bool force;
    bool made;
    struct file *files;
    size_t count;
    size_t *order; /* published files, in order */
    size_t published;
    FILE *out;
    size_t writing;
};

static uint64_t hash_bytes(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u; /* FNV-1a */
    return hash;
}

static int hash_file(const char *path, uint64_t *hash)
{
    unsigned char buffer[65536];
    FILE *in = fopen(path, "rb");
    if (!in)
        return -1;
    *hash = 14695981039346656037u;
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, in)) > 0;)
        *hash = hash_bytes(*hash, buffer, got);
    int status = ferror(in) ? -1 : 0;
    fclose(in);
    return status;
}

static char *join(const char *folder, const char *prefix, const char *name, const char *suffix)
{
    size_t size = strlen(folder) + strlen(prefix) + strlen(name) + strlen(suffix) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s%s", folder, prefix, name, suffix);
    return path;
}

static char *temporary_path(const struct sp_outdir *dir, const char *name)
{
    char suffix[40];
    snprintf(suffix, sizeof suffix, ".%ld.tmp", (long)getpid());
    return join(dir->path, ".", name, suffix);
}

static struct file *find_file(const struct sp_outdir *dir, const char *name)
{
    for (size_t i = 0; i < dir->count; i++)
        if (!strcmp(dir->files[i].name, name))
            return &dir->files[i];
    return NULL;
}

static struct file *add_file(struct sp_outdir *dir, const char *name)
{
    struct file *files = realloc(dir->files, (dir->count + 1) * sizeof *files);
    if (!files)
        return NULL;
    dir->files = files;
    size_t *order = realloc(dir->order, (dir->count + 1) * sizeof *order);
    if (!order)
        return NULL;
    dir->order = order;
    struct file *file = &files[dir->count];
    *file = (struct file){.name = strdup(name), .path = join(dir->path, "", name, "")};
    if (!file->name || !file->path) {
        free(file->name);
        free(file->path);
        return NULL;
    }
    dir->count++;
    return file;
}

static int read_manifest(struct sp_outdir *dir, struct sp_error *err)
{
    char line[600], name[512], hash[40];
    char *path = join(dir->path, "", MANIFEST, "");
    if (!path)
        return sp_fail(err, "out of memory");
    FILE *in = fopen(path, "r");
    free(path);
    if (!in)
        return 0;
    int status = 0;
    while (!status && fgets(line, sizeof line, in)) {
        if (sscanf(line, "%39[-0-9a-f] %511[^\n]", hash, name) != 2 || strchr(name, '/'))
            continue;
        struct file *file = add_file(dir, name);
        if (!file) {
            status = sp_fail(err, "out of memory");
            break;
        }
        file->any_hash = !strcmp(hash, "-");
        file->hash = strtoull(hash, NULL, 16);
    }
    fclose(in);
    return status;
}

static int write_manifest(const struct sp_outdir *dir, struct sp_error *err)
{
    char *path = join(dir->path, "", MANIFEST, ""), *temporary = temporary_path(dir, MANIFEST);
    FILE *out = path && temporary ? fopen(temporary, "w") : NULL;
    int status = -1;
    if (out) {
        fprintf(out, "# %s\n", MANIFEST_TITLE);
        for (size_t i = 0; i < dir->count; i++) {
            if (dir->files[i].any_hash)
                fprintf(out, "- %s\n", dir->files[i].name);
            else
                fprintf(out, "%016" PRIx64 " %s\n", dir->files[i].hash, dir->files[i].name);
        }
        bool bad = ferror(out);
        status = fclose(out) || bad || rename(temporary, path) ? -1 : 0;
    }
    if (status)
        sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s/%s: %s", dir->path, MANIFEST, strerror(errno));
    free(path);
    free(temporary);
    return status;
}

/* mkdir -p; *made: the last folder is new. */
static int make_folders(const char *path, bool *made, struct sp_error *err)
{
    char *copy = strdup(path);
    struct stat status;
    if (!copy)
        return sp_fail(err, "out of memory");
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(copy, 0777);
        *slash = '/';
    }
    *made = !mkdir(copy, 0777);
    int reason = errno;
    int failed = stat(copy, &status);
    free(copy);
    if (failed)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: cannot be made: %s", path, strerror(reason));
    if (!S_ISDIR(status.st_mode))
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: is not a directory; name another one with -o", path);
    return 0;
}

int sp_outdir_open(const char *path, bool force, struct sp_outdir **dir, struct sp_error *err)
{
    *dir = NULL;
    struct sp_outdir *new = calloc(1, sizeof *new);
    if (!new)
        return sp_fail(err, "out of memory");
    new->force = force;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    new->path = strndup(path, length);
    if (!new->path) {
        sp_fail(err, "out of memory");
        goto fail;
    }
    if (make_folders(new->path, &new->made, err) || read_manifest(new, err))
        goto fail;
    *dir = new;
    return 0;
fail:
    sp_outdir_close(new);
    return -1;
}

void sp_outdir_close(struct sp_outdir *dir)
{
    if (!dir)
        return;
    if (dir->out)
        fclose(dir->out);
    for (size_t i = 0; i < dir->count; i++) {
        if (dir->files[i].temporary)
            unlink(dir->files[i].temporary);
        free(dir->files[i].temporary);
        free(dir->files[i].name);
        free(dir->files[i].path);
    }
    if (dir->made && !dir->published)
        rmdir(dir->path);
    free(dir->files);
    free(dir->order);
    free(dir->path);
    free(dir);
}

/* Fails if the file is there and not ours to replace. */
static int check_ownership(const struct sp_outdir *dir, const char *name, struct sp_error *err)
{
    struct stat status;
    uint64_t hash = 0;
    const struct file *known = find_file(dir, name);
    char *path = join(dir->path, "", name, "");
    if (!path)
        return sp_fail(err, "out of memory");
    bool there = !lstat(path, &status);
    bool ours = there && S_ISREG(status.st_mode) && known && (known->any_hash || (!hash_file(path, &hash) && hash == known->hash));
    free(path);
    if (!there || ours || dir->force)
        return 0;
    return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s/%s: exists and %s; -f replaces it, -o names another place", dir->path, name,
        known ? "was changed since we wrote it" : "is not ours");
}

int sp_outdir_claim(struct sp_outdir *dir, const char *name, struct sp_error *err)
{
    return check_ownership(dir, name, err);
}

/* The record of a file of that name, new or known. */
static struct file *record_file(struct sp_outdir *dir, const char *name)
{
    struct file *known = find_file(dir, name);
    return known ? known : add_file(dir, name);
}

int sp_outdir_begin(struct sp_outdir *dir, const char *name, FILE **out, struct sp_error *err)
{
    *out = NULL;
    if (check_ownership(dir, name, err))
        return -1;
    struct file *file = record_file(dir, name);
    if (!file)
        return sp_fail(err, "out of memory");
    char *temporary = temporary_path(dir, name);
    if (!temporary)
        return sp_fail(err, "out of memory");
    unlink(temporary); /* of a process of that number, long gone */
    dir->out = fopen(temporary, "wx");
    if (!dir->out) {
        free(temporary);
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: %s", file->path, strerror(errno));
    }
    file->temporary = temporary;
    file->any_hash = false;
    dir->writing = (size_t)(file - dir->files);
    *out = dir->out;
    return 0;
}

int sp_outdir_end(struct sp_outdir *dir, struct sp_error *err)
{
    struct file *file = &dir->files[dir->writing];
    bool bad = ferror(dir->out);
    bad = fclose(dir->out) || bad;
    dir->out = NULL;
    if (bad || hash_file(file->temporary, &file->hash))
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: cannot be written: %s", file->path, strerror(errno));
    return 0;
}

static int publish_file(struct sp_outdir *dir, struct file *file, struct sp_error *err)
{
    if (rename(file->temporary, file->path))
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%.300s: %s", file->path, strerror(errno));
    free(file->temporary);
    file->temporary = NULL;
    if (!file->published)
        dir->order[dir->published++] = (size_t)(file - dir->files);
    file->published = true;
    return 0;
}

int sp_outdir_publish(struct sp_outdir *dir, struct sp_error *err)
{
    int status = 0;
    for (size_t i = 0; !status && i < dir->count; i++)
        if (dir->files[i].temporary)
            status = publish_file(dir, &dir->files[i], err);
    return write_manifest(dir, status ? NULL : err) || status ? -1 : 0;
}

int sp_outdir_adopt(struct sp_outdir *dir, const char *temporary, const char *name, struct sp_error *err)
{
    struct file *file = record_file(dir, name);
    if (!file || !(file->temporary = join(dir->path, "", temporary, "")))
        return sp_fail(err, "out of memory");
    file->any_hash = true;
    return publish_file(dir, file, err) || write_manifest(dir, err) ? -1 : 0;
}

void sp_outdir_discard(const struct sp_outdir *dir, const char *temporary)
{
    char *path = join(dir->path, "", temporary, "");
    if (path)
        unlink(path);
    free(path);
}

const char *sp_outdir_path(const struct sp_outdir *dir)
{
    return dir->path;
}

size_t sp_outdir_count(const struct sp_outdir *dir)
{
    return dir->published;
}

const char *sp_outdir_file(const struct sp_outdir *dir, size_t which)
{
    return dir->files[dir->order[which]].path;
}
