/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_collect.h"
#include "sp_spill_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_MAGIC "scope-profiler-part "

static int add_file(
    struct sp_collection *collection, const char *path, const struct sp_spill_header *header, uint64_t bytes, struct sp_error *err)
{
    if (collection->rank_count == 0) {
        collection->rank_count = header->rank_count;
        memcpy(collection->run_id, header->run_id, sizeof collection->run_id);
    }
    if (strcmp(collection->run_id, header->run_id) != 0 || collection->rank_count != header->rank_count)
        return sp_fail_as(
            err, SP_EXIT_COMBINE, "%s: is of run %s, the files before it are of run %s", path, header->run_id, collection->run_id);
    if (collection->count == collection->room) {
        size_t room = collection->room ? 2 * collection->room : 64;
        struct sp_found *files = realloc(collection->files, room * sizeof *files);
        if (!files)
            return sp_fail(err, "out of memory");
        collection->files = files;
        collection->room = room;
    }
    struct sp_found *found = &collection->files[collection->count];
    *found = (struct sp_found){
        .path = strdup(path), .rank = header->rank, .bytes = bytes, .lane = header->kind == SP_SPILL_PROCESS ? -1 : header->lane};
    if (!found->path)
        return sp_fail(err, "out of memory");
    collection->count++;
    return 0;
}

static int collect_spill(struct sp_collection *collection, const char *path, uint64_t bytes, struct sp_error *err)
{
    struct sp_spill *spill;
    if (sp_spill_open(path, &spill, err) < 0)
        return -1;
    int status = add_file(collection, path, sp_spill_header(spill), bytes, err);
    sp_spill_close(spill);
    return status;
}

static void skip(struct sp_collection *collection, const struct sp_error *why)
{
    if (collection->skipped++ == 0)
        snprintf(collection->first_skipped, sizeof collection->first_skipped, "%s", why->text);
}

static int collect_directory(struct sp_collection *collection, const char *path, struct sp_error *err)
{
    char name[4096];
    struct stat status;
    DIR *directory = opendir(path);
    if (!directory)
        return sp_fail_as(err, SP_EXIT_INPUT, "%s: %s", path, strerror(errno));
    int result = 0;
    for (struct dirent *entry; result == 0 && (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof name || lstat(name, &status) < 0 || !S_ISREG(status.st_mode))
            continue;
        result = collect_spill(collection, name, (uint64_t)status.st_size, err);
        if (result < 0 && (err->code == SP_EXIT_CORRUPT || err->code == SP_EXIT_INPUT)) {
            skip(collection, err);
            result = 0;
        }
    }
    closedir(directory);
    return result;
}

/* Snapshots beside NAME.part; how many, -1 on failure. */
static int collect_copies(struct sp_collection *collection, const char *part, struct sp_error *err)
{
    char path[4200];
    struct stat status;
    size_t first = collection->count;
    int length = snprintf(path, sizeof path, "%s.d", part);
    if (length < 0 || (size_t)length >= sizeof path || stat(path, &status) < 0 || !S_ISDIR(status.st_mode))
        return 0;
    if (collect_directory(collection, path, err) < 0)
        return -1;
    for (size_t i = first; i < collection->count; i++)
        collection->files[i].is_copy = 1;
    return (int)(collection->count - first);
}

/* NAME.part: lines "key value" after a first line with the version. */
static int collect_part(struct sp_collection *collection, const char *path, FILE *file, struct sp_error *err)
{
    char line[4200];
    int directories = 0, copies = collect_copies(collection, path, err);
    if (copies < 0)
        return -1;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "spill_dir ", 10) != 0 || !line[10])
            continue;
        directories++;
        struct sp_error why = {0};
        if (collect_directory(collection, line + 10, &why) < 0 && copies == 0)
            return sp_fail_as(err, (enum sp_exit)why.code, "%.150s says where: %.300s", path, why.text);
    }
    if (directories == 0)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: names no spill directory (the run recorded into memory, or had just begun)", path);
    return 0;
}

static int collect_file(struct sp_collection *collection, const char *path, uint64_t bytes, struct sp_error *err)
{
    char start[sizeof PART_MAGIC + 32] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return sp_fail_as(err, SP_EXIT_INPUT, "%s: %s", path, strerror(errno));
    int status;
    if (!fgets(start, sizeof start, file) || strncmp(start, PART_MAGIC, sizeof PART_MAGIC - 1) != 0)
        status = collect_spill(collection, path, bytes, err);
    else if (strtol(start + sizeof PART_MAGIC - 1, NULL, 10) != 1)
        status = sp_fail_as(err, SP_EXIT_COMBINE, "%s: is of a newer version than this program reads: upgrade", path);
    else
        status = collect_part(collection, path, file, err);
    fclose(file);
    return status;
}

int sp_collect(struct sp_collection *collection, const char *operand, struct sp_error *err)
{
    struct stat status;
    if (stat(operand, &status) < 0)
        return sp_fail_as(err, SP_EXIT_INPUT, "%s: %s", operand, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return collect_directory(collection, operand, err);
    if (!S_ISREG(status.st_mode))
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is neither a file nor a directory", operand);
    return collect_file(collection, operand, (uint64_t)status.st_size, err);
}

static int by_place(const void *a, const void *b)
{
    const struct sp_found *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    if (x->is_copy != y->is_copy)
        return x->is_copy - y->is_copy;
    return strcmp(x->path, y->path);
}

static int same_place(const struct sp_found *x, const struct sp_found *y)
{
    return x->rank == y->rank && x->lane == y->lane;
}

static int check_claims(const struct sp_collection *collection, struct sp_error *err)
{
    for (size_t i = 1; i < collection->count; i++) {
        const struct sp_found *one = &collection->files[i - 1], *other = &collection->files[i];
        if (!same_place(one, other))
            continue;
        if (one->lane < 0)
            return sp_fail_as(
                err, SP_EXIT_COMBINE, "%.200s and %.200s are both of the process of rank %d", one->path, other->path, one->rank);
        return sp_fail_as(
            err, SP_EXIT_COMBINE, "%.200s and %.200s are both of lane %d of rank %d", one->path, other->path, one->lane, one->rank);
    }
    return 0;
}

/* Copies of files that are there, which stand behind them. */
static void drop_copies(struct sp_collection *collection)
{
    size_t kept = 0;
    for (size_t i = 0; i < collection->count; i++) {
        if (kept > 0 && collection->files[i].is_copy && same_place(&collection->files[kept - 1], &collection->files[i]))
            free(collection->files[i].path);
        else
            collection->files[kept++] = collection->files[i];
    }
    collection->count = kept;
}

int sp_collect_finish(struct sp_collection *collection, struct sp_error *err)
{
    if (collection->count == 0 && collection->skipped > 0)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "no sound spill files found; %.400s", collection->first_skipped);
    if (collection->count == 0)
        return sp_fail_as(err, SP_EXIT_INPUT, "no spill files found");
    qsort(collection->files, collection->count, sizeof *collection->files, by_place);
    drop_copies(collection);
    return check_claims(collection, err);
}

void sp_collect_free(struct sp_collection *collection)
{
    for (size_t i = 0; i < collection->count; i++)
        free(collection->files[i].path);
    free(collection->files);
    memset(collection, 0, sizeof *collection);
}

/* Process that takes the rank whose files start after so many bytes. */
static int taker(uint64_t before, uint64_t total, int size)
{
    return total == 0 ? 0 : (int)((long double)before / (long double)total * (long double)size);
}

void sp_collect_share(const struct sp_collection *collection, int process, int size, size_t *first, size_t *count)
{
    uint64_t total = 0, before = 0, rank_start = 0;
    *first = *count = 0;
    for (size_t i = 0; i < collection->count; i++)
        total += collection->files[i].bytes;
    for (size_t i = 0; i < collection->count; i++) {
        if (i == 0 || collection->files[i].rank != collection->files[i - 1].rank)
            rank_start = before;
        before += collection->files[i].bytes;
        if (taker(rank_start, total, size) != process)
            continue;
        if (*count == 0)
            *first = i;
        ++*count;
    }
}
