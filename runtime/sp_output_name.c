/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_output_name.h"
#include "sp_clock.h"
#include "sp_config.h"
#include "sp_metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TRIES 10000

void sp_output_name_run_id(char *run_id, size_t room)
{
    unsigned noise = (unsigned)sp_clock_monotonic_ns();
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        if (read(fd, &noise, sizeof noise) < 0)
            noise ^= (unsigned)getpid();
        close(fd);
    }
    snprintf(run_id, room, "%llx-%d-%08x", (unsigned long long)time(NULL), (int)getpid(), noise);
}

static const char *variable_or(const char *variable, const char *standard)
{
    const char *value = getenv(variable);
    return value && *value ? value : standard;
}

static int expand(const char *pattern, int rank_count, char *path, int room)
{
    char executable[256], host[64] = "", stamp[32], expanded[4096], directory[4096];
    time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%S", &local);
    gethostname(host, sizeof host - 1);
    sp_metadata_executable(executable, sizeof executable);
    struct sp_name_values values = {.executable = executable,
        .job = variable_or("SLURM_JOB_ID", "0"),
        .step = variable_or("SLURM_STEP_ID", "0"),
        .host = host,
        .time = stamp,
        .rank_count = rank_count};
    if (sp_config_expand_name(pattern, &values, expanded, sizeof expanded) < 0)
        return -1;
    directory[0] = '\0';
    if (expanded[0] != '/' && !getcwd(directory, sizeof directory))
        return -1;
    int n = snprintf(path, (size_t)room, "%s%s%s", directory, expanded[0] == '/' ? "" : "/", expanded);
    return n < 0 || n >= room ? -1 : 0;
}

/* The n-th name of a series: NAME.h5, NAME-2.h5, ... */
static int name_in_series(const char *path, int n, char *name, size_t room)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash))
        dot = path + strlen(path);
    int written = n == 1 ? snprintf(name, room, "%s", path) : snprintf(name, room, "%.*s-%d%s", (int)(dot - path), path, n, dot);
    return written < 0 || (size_t)written >= room ? -1 : 0;
}

/* The pattern's path; a directory gets the usual name in it. */
static int path_of(const char *pattern, int rank_count, char *path, int room)
{
    char inside[4096];
    struct stat s;
    if (expand(pattern, rank_count, path, room) < 0)
        return -1;
    if (stat(path, &s) < 0 || !S_ISDIR(s.st_mode))
        return 0;
    int n = snprintf(inside, sizeof inside, "%s/%s", pattern, SP_OUTPUT_STANDARD);
    return n < 0 || (size_t)n >= sizeof inside ? -1 : expand(inside, rank_count, path, room);
}

int sp_output_name_reserve(struct sp_output_name *name, const char *pattern, int rank_count, struct sp_error *err)
{
    char path[4000];
    struct stat s;
    *name = (struct sp_output_name){{0}, {0}, {0}};
    if (strcmp(pattern, "none") == 0)
        return 0;
    if (path_of(pattern, rank_count, path, sizeof path) < 0)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "SP_OUTPUT=%.200s: name too long", pattern);
    for (int n = 1; n <= TRIES; n++) {
        if (name_in_series(path, n, name->output, sizeof name->output) < 0)
            break;
        snprintf(name->part, sizeof name->part, "%s.part", name->output);
        snprintf(name->work, sizeof name->work, "%s.part.h5", name->output);
        if (lstat(name->output, &s) == 0)
            continue;
        int fd = open(name->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd >= 0) {
            close(fd);
            return 0;
        }
        if (errno != EEXIST)
            break;
    }
    sp_fail_as(err, SP_EXIT_OUTPUT, "%.400s: cannot create: %s", path, strerror(errno));
    *name = (struct sp_output_name){{0}, {0}, {0}};
    return -1;
}

void sp_output_name_describe(const struct sp_output_name *name, const char *run_id, const char *spill_directory, int rank_count)
{
    if (!name->output[0])
        return;
    FILE *file = fopen(name->part, "we");
    if (!file)
        return;
    fprintf(file, "scope-profiler-part 1\nrun_id %s\nspill_dir %s\nranks %d\n", run_id, spill_directory, rank_count);
    fclose(file);
}

void sp_output_name_release(const char *output)
{
    char part[4200];
    snprintf(part, sizeof part, "%s.part", output);
    if (output[0])
        unlink(part);
}
