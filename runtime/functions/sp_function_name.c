/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "sp_function_name.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_function(const char *symbol, char *buffer, size_t *bytes, int *status);

static int demangle(char *name, size_t room)
{
    int status = -1;
    demangle_function *function;
    *(void **)&function = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    char *text = function ? function(name, NULL, NULL, &status) : NULL;
    if (text && status == 0)
        snprintf(name, room, "%s", text);
    free(text);
    return status;
}

static void join_module_and_procedure(char *name)
{
    static const char separator[] = "_MOD_";
    char *module = name + 2, *found = strstr(module, separator);
    if (strncmp(name, "__", 2) != 0 || !found || found == module || found[sizeof separator - 1] == '\0')
        return;
    size_t bytes = (size_t)(found - module);
    memmove(name, module, bytes);
    memcpy(name + bytes, "::", 2);
    memmove(name + bytes + 2, found + sizeof separator - 1, strlen(found + sizeof separator - 1) + 1);
}

char *sp_function_name(const char *symbol, char *name, size_t room)
{
    snprintf(name, room, "%s", symbol);
    char *suffix = name[0] ? strchr(name + 1, '.') : NULL;
    if (suffix)
        *suffix = '\0';
    if (strncmp(name, "_Z", 2) == 0)
        demangle(name, room);
    else
        join_module_and_procedure(name);
    return name;
}
