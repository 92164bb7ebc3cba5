/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_message.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum { NOT_KNOWN, IS_SPEAKER, IS_SILENT } role;
static char held[4096]; /* whole lines */
static size_t held_bytes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int sp_message_launcher_rank(void)
{
    static const char *const variables[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return atoi(value);
    }
    return -1;
}

static void print(const char *text, size_t bytes)
{
    if (write(STDERR_FILENO, text, bytes) < 0)
        return;
}

void sp_message_set_speaker(int speaks)
{
    pthread_mutex_lock(&lock);
    role = speaks ? IS_SPEAKER : IS_SILENT;
    if (speaks)
        print(held, held_bytes);
    held_bytes = 0;
    pthread_mutex_unlock(&lock);
}

/* Where it is not known yet who speaks: what does not fit is lost. */
static void hold(const char *line, size_t bytes)
{
    pthread_mutex_lock(&lock);
    if (bytes <= sizeof held - held_bytes) {
        memcpy(held + held_bytes, line, bytes);
        held_bytes += bytes;
    }
    pthread_mutex_unlock(&lock);
}

void sp_message_say(const char *format, ...)
{
    char line[1024] = "scope-profiler: ";
    size_t used = strlen(line);
    int speaks = role == IS_SPEAKER || (role == NOT_KNOWN && sp_message_launcher_rank() <= 0);
    if (role == IS_SILENT)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(line + used, sizeof line - used - 1, format, args);
    va_end(args);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    strcat(line, "\n");
    if (speaks)
        print(line, strlen(line));
    else
        hold(line, strlen(line));
}
