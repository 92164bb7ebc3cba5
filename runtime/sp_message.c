/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int known_rank = -1;

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

void sp_message_set_rank(int rank)
{
    known_rank = rank;
}

void sp_message_say(const char *format, ...)
{
    char line[1024] = "scope-profiler: ";
    size_t used = strlen(line);
    int rank = known_rank >= 0 ? known_rank : sp_message_launcher_rank();
    if (rank > 0)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(line + used, sizeof line - used - 1, format, args);
    va_end(args);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    strcat(line, "\n");
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        return;
}
