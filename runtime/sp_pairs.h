/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PAIRS_H
#define SP_PAIRS_H

/* The hot pairs of all translation units (scope_profiler.h): what begin and end do is a choice of functions, made here for all of
 * them when recording starts, pauses or ends. Any thread. All Local. */

#include "scope_profiler.h"

/* Knows a pair from now on and sets it. */
void sp_pairs_attach(struct sp_pair_ *pair);

/* Sets all pairs. One whose object has been unloaded is forgotten. */
void sp_pairs_set(void (*begin)(int region), void (*end)(int region));

#endif
