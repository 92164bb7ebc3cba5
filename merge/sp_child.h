/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CHILD_H
#define SP_CHILD_H

/* Runs a program of ours from within somebody's process, which notices nothing: not its child for wait(), no SIGCHLD, no SIGPIPE, none
 * of its signals, nothing of its memory copied, LD_PRELOAD not passed on. All Local. */

#include <stddef.h>

/* argv[0] is the path. Input is what it reads on its standard input; *output (the caller's, terminated by '\0', never NULL on success)
 * what it wrote when it had ended, however it ended. -1 where it cannot be started, is not done after so many seconds, or memory is
 * short. */
int sp_child_run(char *const *argv, const void *input, size_t input_bytes, int seconds, char **output, size_t *output_bytes);

#endif
