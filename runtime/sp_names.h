/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_NAMES_H
#define SP_NAMES_H

/* What an instrumented function is called in a spill file until its name is looked up, and how the writer asks sp-names for it.
 *
 * In the spill file (line SP_SPILL_LINE_LATER) the name is "ID PATH+0xOFFSET": the ELF file, the function's address in it, so that it
 * is the same wherever the file is loaded, and what tells builds of the file apart: its build id, else SIZE.MTIME, else "-".
 *
 * A place that calls MPI (SP_CALLSITE) is "ID PATH@0xOFFSET", an address within the call instruction; it is answered with the function
 * it lies in and the line, "main (solver.c:42)".
 *
 * sp-names is a program of its own: what reads symbols and DWARF may be fed anything, and must not do it in the user's process. Its
 * standard input holds such names, each with a '\0' behind it. It answers on its standard output, all texts with a '\0' behind:
 * how it reads lines, then for each name a word of SP_NAME_*, the name, the file, the line; at last SP_NAMES_END, without which the
 * answer is not whole. With the argument SP_NAMES_SYMBOLS it reads no DWARF. */

#define SP_NAMES_PROGRAM "scope-profiler/sp-names" /* beside libsp_writer.so */
#define SP_NAMES_SYMBOLS "--symbols"
#define SP_NAMES_END "end"

#define SP_NAME_FOUND "found"
#define SP_NAME_NO_SYMBOL "no symbol"
#define SP_NAME_NO_FILE "no file"
#define SP_NAME_OTHER_BUILD "other build"

#endif
