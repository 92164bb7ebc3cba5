/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_FUNCTION_NAME_H
#define SP_FUNCTION_NAME_H

/* A function's name as its author wrote it: C++ demangled where the process holds a demangler, gfortran's __module_MOD_procedure as
 * module::procedure, that of a submodule as module:submodule::procedure; without the suffixes of a compiler's clones (".constprop.0",
 * ".part.1") and of procedures within others (".0"). Returns name. Local. */

#include <stddef.h>

char *sp_function_name(const char *symbol, char *name, size_t room);

#endif
