/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OVERRIDE_H
#define SP_OVERRIDE_H

/* Where settings come from: the environment, else the configuration file, else what the program said (sp_set). All Local, any
 * thread; the file's are set before others read. */

/* The value of a variable SP_...; NULL where nobody set it. Valid until it is set again. */
const char *sp_override_value(const char *variable);

/* Where that value stands, "FILE:LINE: ", if it is the file's; else "". */
const char *sp_override_place(const char *variable);

/* Has the environment or the file a value, so that the program's counts for nothing? */
int sp_override_is_fixed(const char *variable);

/* Remembers the program's value. -1 without memory. */
int sp_override_set(const char *variable, const char *value);

/* Remembers a value of the file and its place; a later one replaces it, unless only the earlier one goes before others. -1 without
 * memory. */
int sp_override_set_in_file(const char *variable, const char *value, const char *place, int goes_before);

/* Forgets the file. */
void sp_override_forget_file(void);

#endif
