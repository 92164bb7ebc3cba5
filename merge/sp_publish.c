/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* fallocate, renameat2 */
#include "sp_publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAMES_MAX 100000
#define NO_REPLACE 1u /* RENAME_NOREPLACE */

static int reserve_in(int fd, uint64_t bytes)
{
    struct statvfs space;
    /* from 0 on: the file itself may have holes where nothing was written yet */
    if (fallocate(fd, 0, 0, (off_t)bytes) == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return -1;
    if (fstatvfs(fd, &space) < 0)
        return -1;
    if (space.f_bavail < bytes / space.f_frsize + 1) {
        errno = ENOSPC;
        return -1;
    }
    return 0;
}

int sp_reserve(const char *path, uint64_t more_bytes, struct sp_error *err)
{
    struct stat file;
    uint64_t bytes = more_bytes;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: %s", path, strerror(errno));
    int status = fstat(fd, &file);
    if (status == 0) {
        bytes += (uint64_t)file.st_size;
        status = reserve_in(fd, bytes);
    }
    if (status < 0)
        sp_fail_as(err, SP_EXIT_OUTPUT, "%s: no room for %llu bytes: %s", path, (unsigned long long)bytes, strerror(errno));
    close(fd);
    return status;
}

int sp_numbered_name(const char *name, int n, char *result, size_t room)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot != base ? (size_t)(dot - name) : strlen(name);
    int length = n == 1 ? snprintf(result, room, "%s", name) : snprintf(result, room, "%.*s-%d%s", (int)stem, name, n, name + stem);
    return length < 0 || (size_t)length >= room ? -1 : 0;
}

/* 0, or -1 with errno; EEXIST where there is such a file. */
static int rename_without_replacing(const char *from, const char *to)
{
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NO_REPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (link(from, to) == 0)
        return unlink(from);
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        return -1;
    /* no hard links either: take the name first, then replace what is ours */
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    close(fd);
    return rename(from, to);
}

int sp_sync(const char *path, struct sp_error *err)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: %s", path, strerror(errno));
    int status = fsync(fd);
    if (status < 0)
        sp_fail_as(err, SP_EXIT_OUTPUT, "%s: cannot be brought to disk: %s", path, strerror(errno));
    close(fd);
    return status;
}

void sp_sync_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    size_t bytes = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    if (bytes >= sizeof folder)
        return;
    memcpy(folder, slash ? path : ".", slash ? bytes : 1);
    folder[slash ? bytes : 1] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

int sp_publish(const char *work, const char *final, char *result, size_t room, struct sp_error *err)
{
    for (int n = 1; n < NAMES_MAX; n++) {
        if (sp_numbered_name(final, n, result, room) < 0)
            return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: name too long", final);
        if (rename_without_replacing(work, result) == 0)
            return 0;
        if (errno != EEXIST)
            return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: cannot rename to %s: %s", work, result, strerror(errno));
    }
    return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: all names up to %d are taken", final, NAMES_MAX);
}
