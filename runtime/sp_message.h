/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_MESSAGE_H
#define SP_MESSAGE_H

/* The only place in the user's process that prints: whole lines on stderr, each starting "scope-profiler: ". All Local. */

/* One line, in one write, by the process that speaks for the run. Until it is known which that is, process 0 by the launcher's word
 * speaks, and the others hold their lines. */
void sp_message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Once that is known: what was held is said, or dropped. */
void sp_message_set_speaker(int speaks);

/* Rank by the launcher's environment (PMIx, Open MPI, PMI), -1 without one. */
int sp_message_launcher_rank(void);

#endif
