/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* copy_file_range */
#include "sp_snapshot.h"
#include "sp_message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM 8400

int sp_snapshot_sync(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int status = fd < 0 ? -1 : fdatasync(fd);
    if (fd >= 0)
        close(fd);
    return status;
}

/* Ticks between two snapshots, as exact as the clock's rate is known so far. */
static uint64_t period(const struct sp_process *process)
{
    return (uint64_t)((double)process->config.snapshot * 1e9 / sp_spill_ns_per_tick(&process->clock));
}

static int copy_name(const struct sp_process *process, const char *path, char *name)
{
    const char *slash = strrchr(path, '/');
    int length = snprintf(name, PATH_ROOM, "%s.part.d/%s", process->output_path, slash ? slash + 1 : path);
    return process->output_path[0] && length > 0 && length < PATH_ROOM ? 0 : -1;
}

static int copy_bytes(int from, int to)
{
    char buffer[65536];
    ssize_t got;
    while ((got = copy_file_range(from, NULL, to, NULL, (size_t)1 << 30, 0)) > 0)
        ;
    if (got == 0)
        return 0;
    if (lseek(from, 0, SEEK_SET) < 0 || lseek(to, 0, SEEK_SET) < 0) /* a kernel or file system that cannot */
        return -1;
    while ((got = read(from, buffer, sizeof buffer)) > 0)
        if (write(to, buffer, (size_t)got) != got)
            return -1;
    return (int)got;
}

/* The head comes first: what it says is published lies in the file by then. A whole copy replaces the one before. */
static int copy_file(const char *path, const char *name)
{
    char fresh[PATH_ROOM + 8];
    snprintf(fresh, sizeof fresh, "%s.new", name);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    int status = to >= 0 && copy_bytes(from, to) == 0 && fdatasync(to) == 0 ? 0 : -1;
    if (to >= 0)
        close(to);
    if (from >= 0)
        close(from);
    if (status == 0)
        status = rename(fresh, name);
    else if (to >= 0)
        unlink(fresh);
    return status;
}

static int save(const struct sp_process *process, struct sp_store *store)
{
    char name[PATH_ROOM], *end;
    const char *path = sp_store_path(store);
    if (!path)
        return 0;
    if (sp_snapshot_sync(path) < 0)
        return -1;
    if (copy_name(process, path, name) < 0)
        return 0; /* no output, no folder beside it */
    end = strrchr(name, '/');
    *end = 0;
    if (mkdir(name, 0700) < 0 && errno != EEXIST)
        return -1;
    *end = '/';
    return copy_file(path, name);
}

static void complain_once(const struct sp_process *process)
{
    static int has_complained;
    if (!__atomic_exchange_n(&has_complained, 1, __ATOMIC_RELAXED))
        sp_message_say("%.400s.part.d: no snapshot could be written there (%s); recording goes on", process->output_path, strerror(errno));
}

static uint64_t process_at; /* reading at which the process's file is due */

/* The lane's own thread: nothing of the file changes meanwhile. The process's file is saved by whoever comes first. */
static void take(struct sp_lane *lane, uint64_t now)
{
    struct sp_process *process = sp_process_get();
    if (!process || !process->spill_directory[0])
        return;
    int saved_errno = errno;
    lane->snapshot_at = now + period(process);
    uint64_t due = __atomic_load_n(&process_at, __ATOMIC_RELAXED);
    int is_first = now >= due && __atomic_compare_exchange_n(&process_at, &due, lane->snapshot_at, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (save(process, lane->store) < 0 || (is_first && save(process, process->store) < 0))
        complain_once(process);
    errno = saved_errno;
}

void sp_snapshot_take_now(const struct sp_process *process)
{
    struct sp_lane *lane = sp_hot.lane;
    if (process->config.snapshot == 0 || !lane || !lane->take_snapshot)
        return;
    __atomic_store_n(&process_at, 0, __ATOMIC_RELAXED);
    lane->take_snapshot(lane, sp_clock_now(process->clock.source));
}

void sp_snapshot_arm(const struct sp_process *process, struct sp_lane *lane)
{
    if (process->config.snapshot == 0 || !process->spill_directory[0])
        return;
    lane->take_snapshot = take;
    lane->snapshot_at = sp_clock_now(process->clock.source) + period(process);
}

static void discard(const struct sp_process *process, struct sp_store *store)
{
    char name[PATH_ROOM];
    const char *path = sp_store_path(store);
    if (path && copy_name(process, path, name) == 0)
        unlink(name);
}

void sp_snapshot_discard(const struct sp_process *process)
{
    char name[PATH_ROOM];
    if (process->config.snapshot == 0)
        return;
    for (struct sp_lane *lane = process->lanes; lane; lane = lane->next)
        discard(process, lane->store);
    discard(process, process->store);
    if (copy_name(process, "", name) == 0)
        rmdir(name);
}
