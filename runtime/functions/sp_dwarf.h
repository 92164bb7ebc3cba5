/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_DWARF_H
#define SP_DWARF_H

/* Where the functions of an ELF file stand in their sources, by DWARF, which may lie in a file of its own (build id, debug link).
 * Read with elfutils' libdw, loaded when it is first needed. All Local. */

#include <stdint.h>

struct sp_dwarf;

/* Version of libdw, NULL where it cannot be loaded; *why then says so. */
const char *sp_dwarf_version(const char **why);

/* NULL where there is no libdw or it cannot read the file. */
struct sp_dwarf *sp_dwarf_open(const char *path);
void sp_dwarf_close(struct sp_dwarf *dwarf);

/* The linker's name of the function that starts at an address of the file, NULL unknown. The dwarf owns it. */
const char *sp_dwarf_symbol(struct sp_dwarf *dwarf, uint64_t address);

/* File and line of an address; NULL unknown. The dwarf owns the text. */
const char *sp_dwarf_line(struct sp_dwarf *dwarf, uint64_t address, int *line);

#endif
