/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_error.h"

#include <stdarg.h>
#include <stdio.h>

static int fail(struct sp_error *err, enum sp_exit code, const char *format, va_list args)
{
    if (!err)
        return -1;
    err->code = (int)code;
    vsnprintf(err->text, sizeof err->text, format, args);
    for (char *c = err->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return -1;
}

int sp_fail_as(struct sp_error *err, enum sp_exit code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(err, code, format, args);
    va_end(args);
    return -1;
}

int sp_fail(struct sp_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(err, SP_EXIT_INTERNAL, format, args);
    va_end(args);
    return -1;
}
