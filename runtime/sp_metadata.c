/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_metadata.h"

#include <ctype.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct entry {
    char *key, *value;
    struct entry *next;
};

struct sp_metadata {
    pthread_mutex_t lock;
    struct entry *first, **last;
    time_t started;
};

struct sp_metadata *sp_metadata_create(void)
{
    struct sp_metadata *metadata = calloc(1, sizeof *metadata);
    if (!metadata)
        return NULL;
    pthread_mutex_init(&metadata->lock, NULL);
    metadata->last = &metadata->first;
    metadata->started = time(NULL);
    return metadata;
}

void sp_metadata_destroy(struct sp_metadata *metadata)
{
    if (!metadata)
        return;
    for (struct entry *e = metadata->first, *next; e; e = next) {
        next = e->next;
        free(e->key);
        free(e->value);
        free(e);
    }
    pthread_mutex_destroy(&metadata->lock);
    free(metadata);
}

static struct entry *find_or_add(struct sp_metadata *metadata, const char *key)
{
    for (struct entry *e = metadata->first; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            return e;
    struct entry *e = calloc(1, sizeof *e);
    if (!e || !(e->key = strdup(key))) {
        free(e);
        return NULL;
    }
    *metadata->last = e;
    metadata->last = &e->next;
    return e;
}

int sp_metadata_set(struct sp_metadata *metadata, const char *key, const char *value)
{
    int status = -1;
    pthread_mutex_lock(&metadata->lock);
    char *copy = strdup(value);
    struct entry *e = copy ? find_or_add(metadata, key) : NULL;
    if (e) {
        free(e->value);
        e->value = copy;
        status = 0;
    } else {
        free(copy);
    }
    pthread_mutex_unlock(&metadata->lock);
    return status;
}

void sp_metadata_executable(char *name, size_t room)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(name, room, "%s", slash ? slash + 1 : "unknown");
}

/* Reads a small file of /proc or /sys; the number of bytes, zero-terminated. */
static size_t read_file(const char *path, char *buffer, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, buffer, room - 1);
    if (fd >= 0)
        close(fd);
    buffer[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

static void add_cpu(struct sp_text *text)
{
    char buffer[4096];
    read_file("/proc/cpuinfo", buffer, sizeof buffer);
    char *line = strstr(buffer, "model name");
    char *value = line ? strchr(line, ':') : NULL;
    if (value) {
        value += strspn(value, ": \t");
        value[strcspn(value, "\n")] = '\0';
        sp_text_add_member(text, "cpu_model", value);
    }
    sp_text_add_number(text, "cores", sysconf(_SC_NPROCESSORS_ONLN));
}

static void add_command_line(struct sp_text *text)
{
    char buffer[8192];
    size_t n = read_file("/proc/self/cmdline", buffer, sizeof buffer);
    for (size_t i = 0; i + 1 < n; i++)
        if (buffer[i] == '\0')
            buffer[i] = ' ';
    sp_text_add_member(text, "command_line", buffer);
}

static void add_private(struct sp_text *text)
{
    char buffer[4096];
    struct utsname system;
    const char *user = getenv("USER"); /* a look into the user database could wait for a network */
    if (uname(&system) == 0) {
        sp_text_add_member(text, "hostname", system.nodename);
        snprintf(buffer, sizeof buffer, "%s-%s-%s", system.sysname, system.release, system.machine);
        sp_text_add_member(text, "platform", buffer);
    }
    sp_text_add_member(text, "user", user ? user : "unknown");
    if (getcwd(buffer, sizeof buffer))
        sp_text_add_member(text, "working_directory", buffer);
    ssize_t n = readlink("/proc/self/exe", buffer, sizeof buffer - 1);
    buffer[n > 0 ? n : 0] = '\0';
    sp_text_add_member(text, "executable", buffer);
    add_command_line(text);
    const char *modules = getenv("LOADEDMODULES");
    if (modules && *modules)
        sp_text_add_member(text, "modules", modules);
}

static void add_environment(struct sp_text *text)
{
    for (char **entry = environ; entry && *entry; entry++) {
        char key[128];
        size_t length = strcspn(*entry, "=");
        if (length >= sizeof key || (*entry)[length] == '\0')
            continue;
        if (strncmp(*entry, "SLURM_", 6) != 0 && strncmp(*entry, "OMP_", 4) != 0)
            continue;
        memcpy(key, *entry, length);
        key[length] = '\0';
        sp_text_add_member(text, key, *entry + length + 1);
    }
}

static void add_times(struct sp_text *text, const struct sp_metadata *metadata)
{
    char stamp[32];
    struct tm utc;
    gmtime_r(&metadata->started, &utc);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    sp_text_add_member(text, "timestamp", stamp);
    sp_text_add_number(text, "start_time_unix", (int64_t)metadata->started);
    sp_text_add_number(text, "end_time_unix", (int64_t)time(NULL));
}

static int is_whole_number(const char *value)
{
    size_t n = strlen(value);
    if (n == 0 || n > 18 || (value[0] == '0' && n > 1))
        return 0;
    return strspn(value, "0123456789") == n;
}

static void add_said(struct sp_text *text, struct sp_metadata *metadata)
{
    pthread_mutex_lock(&metadata->lock);
    for (const struct entry *e = metadata->first; e; e = e->next)
        if (is_whole_number(e->value))
            sp_text_add_number(text, e->key, strtoll(e->value, NULL, 10));
        else
            sp_text_add_member(text, e->key, e->value);
    pthread_mutex_unlock(&metadata->lock);
}

#define ADD_TEXT(field, variable, standard, meaning) sp_text_add_member(text, variable, config->field);
#define ADD_NUMBER(field, variable, standard, meaning) sp_text_add_number(text, variable, (int64_t)config->field);

static void add_settings(struct sp_text *text, const struct sp_config *config)
{
    if (config->config_path)
        sp_text_add_member(text, "config_file", config->config_path);
    SP_SETTINGS(ADD_TEXT, ADD_NUMBER, ADD_NUMBER, ADD_TEXT)
}

char *sp_metadata_text(struct sp_metadata *metadata, const struct sp_config *config)
{
    struct sp_text text = {0};
    int minimal = strcmp(config->metadata, "minimal") == 0;
    sp_text_add(&text, "{");
    sp_text_add_member(&text, "scope_profiler_version", SP_VERSION);
    if (config->label[0])
        sp_text_add_member(&text, "label", config->label);
    if (minimal && config->work[0]) /* else it is among the settings */
        sp_text_add_member(&text, "SP_WORK", config->work);
    add_times(&text, metadata);
    if (!minimal)
        add_private(&text);
    add_cpu(&text);
    const char *threads = getenv("OMP_NUM_THREADS");
    sp_text_add_number(&text, "omp_num_threads", threads && atoi(threads) > 0 ? atoi(threads) : 1);
    add_said(&text, metadata);
    if (!minimal) {
        add_environment(&text);
        add_settings(&text, config);
    }
    sp_text_add(&text, "}");
    if (text.failed) {
        sp_text_free(&text);
        return NULL;
    }
    return text.bytes;
}
