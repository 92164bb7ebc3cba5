/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_MODULE_H
#define SP_MODULE_H

/* The executable and the libraries that functions were called of. Nothing here holds a lock while it asks the dynamic linker, nor
 * relies on a constructor. Any thread. All Local. */

#include <stddef.h>
#include <stdint.h>

struct sp_module {
    uintptr_t base, start, end; /* load address; its first byte, and the one behind its last */
    int is_executable, number;
    char *path, *id; /* id as in sp_names.h */
    int is_gone;     /* it was unloaded */
    struct sp_symbols *symbols; /* NULL: not read, or none that can be read */
    int has_tried_symbols;
    struct sp_module *next;
};

/* The module that holds an address, NULL where none does, it is no wanted one or memory is short. *is_new: it was not known before.
 * Never freed. */
const struct sp_module *sp_module_of(const void *address, int with_libraries, int *is_new);

/* The function's name as filters know it: from the symbol table, read now, else "FILE+0xOFFSET". Returns name. */
const char *sp_module_name(const struct sp_module *module, const void *address, char *name, size_t room);

/* Calls forget for each module that is no longer loaded; once. */
void sp_module_forget_unloaded(void (*forget)(const void *start, const void *end));

#endif
