/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OVERRIDE_H
#define SP_OVERRIDE_H

/* Where settings come from: the environment, and what the program said instead of it (sp_set). All Local, any thread. */

/* The value of a variable SP_...; NULL where nobody set it. Valid until the program says another one. */
const char *sp_override_value(const char *variable);

/* Remembers a value for where the environment has none. -1 without memory. */
int sp_override_set(const char *variable, const char *value);

#endif
