/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAID_H
#define SAID_H

/* A say function that keeps what it is given, a line each. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char said[8192];

static void say(const char *format, ...)
{
    size_t used = strlen(said);
    va_list args;
    va_start(args, format);
    vsnprintf(said + used, sizeof said - used - 1, format, args);
    va_end(args);
    strcat(said, "\n");
}

#endif
