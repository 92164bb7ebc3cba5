/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SYMBOLS_H
#define SP_SYMBOLS_H

/* The functions of an ELF file by address: of .symtab, static ones too, or of .dynsym where that was stripped. All Local. */

#include <stddef.h>
#include <stdint.h>

struct sp_symbols;

/* NULL where the file cannot be read or is not of this machine's kind. One without symbols has no names. */
struct sp_symbols *sp_symbols_open(const char *path);
void sp_symbols_close(struct sp_symbols *symbols);

/* Name, as the linker knows it, of the function that starts at an address of the file; NULL where there is none. Stays valid until
 * the close. Of several names the one that other files see, then the first by alphabet. */
const char *sp_symbols_name(const struct sp_symbols *symbols, uint64_t address);

/* Name of the function that an address lies in, as the last that starts before it; NULL where there is none. As above. */
const char *sp_symbols_around(const struct sp_symbols *symbols, uint64_t address);

/* Build id from the notes at p, as hexadecimal digits; "" where there is none. */
void sp_symbols_build_id(const void *notes, size_t bytes, char *id, size_t room);

/* Build id of the file. */
void sp_symbols_file_id(const struct sp_symbols *symbols, char *id, size_t room);

/* What stands for the build id of a file that has none: "SIZE.MTIME". */
struct stat;
void sp_symbols_stat_id(const struct stat *s, char *id, size_t room);

/* Is that the file's id: its build id, else its size and time? "-" is any file's. */
int sp_symbols_have_id(const struct sp_symbols *symbols, const char *id);

#endif
