/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* realpath */
#include "sp_spill_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#define TMPFS_NUMBER 0x01021994

static int is_ours(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == getuid() && (s.st_mode & 077) == 0;
}

int sp_spill_dir_make(const char *base, const char *run_id, char *path, size_t room, struct sp_error *err)
{
    char resolved[4096];
    const char *tmp = getenv("TMPDIR");
    if (!base[0])
        base = tmp && *tmp ? tmp : "/tmp";
    if (!realpath(base, resolved))
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: no directory for spill files: %s", base, strerror(errno));
    int n = snprintf(path, room, "%s/sp-%ld-%s", resolved, (long)getuid(), run_id);
    if (n < 0 || (size_t)n >= room)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: name too long", base);
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: cannot create: %s", path, strerror(errno));
    if (!is_ours(path))
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: exists and is not a private directory of this user", path);
    return 0;
}

static uint64_t free_memory(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib ? (uint64_t)kib * 1024 : UINT64_MAX;
}

uint64_t sp_spill_dir_room(const char *path)
{
    struct statvfs space;
    struct statfs kind;
    if (statvfs(path, &space) < 0)
        return 0;
    uint64_t room = (uint64_t)space.f_bavail * space.f_frsize;
    if (statfs(path, &kind) == 0 && kind.f_type == TMPFS_NUMBER && free_memory() < room)
        room = free_memory();
    return room / 4;
}
