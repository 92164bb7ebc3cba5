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

/* What a compiler puts behind the name of a clone, or of a procedure within another. */
static void cut_suffix(char *name)
{
    char *suffix = name[0] ? strchr(name + 1, '.') : NULL;
    if (suffix)
        *suffix = '\0';
}

/* A submodule's own procedures are __module.submodule_MOD_procedure. */
static int join_module_and_procedure(char *name)
{
    static const char separator[] = "_MOD_";
    char *module = name + 2, *found = strncmp(name, "__", 2) == 0 ? strstr(module, separator) : NULL;
    if (!found || found == module || found[sizeof separator - 1] == '\0')
        return -1;
    cut_suffix(found);
    size_t bytes = (size_t)(found - module);
    memmove(name, module, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (name[i] == '.')
            name[i] = ':';
    memcpy(name + bytes, "::", 2);
    memmove(name + bytes + 2, found + sizeof separator - 1, strlen(found + sizeof separator - 1) + 1);
    return 0;
}

char *sp_function_name(const char *symbol, char *name, size_t room)
{
    snprintf(name, room, "%s", symbol);
    if (join_module_and_procedure(name) == 0)
        return name;
    cut_suffix(name);
    if (strncmp(name, "_Z", 2) == 0)
        demangle(name, room);
    return name;
}
