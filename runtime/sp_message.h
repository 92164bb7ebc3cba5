/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_MESSAGE_H
#define SP_MESSAGE_H

/* The only place in the user's process that prints: whole lines on stderr, each starting "scope-profiler: ". All Local. */

/* One line, in one write. Says nothing where sp_message_mute was called, or where the launcher says that this is not process 0. */
void sp_message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Once MPI says which rank this is: only rank 0 speaks. */
void sp_message_set_rank(int rank);

/* Rank by the launcher's environment (PMIx, Open MPI, PMI), -1 without one. */
int sp_message_launcher_rank(void);

#endif
