/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CALLSITE_H
#define SP_CALLSITE_H

/* SP_CALLSITE=N: around each MPI call a region for the place in the program that called it, and N-1 for those that led there. Only wrappers of functions whose region
 * is stored as SP_CALLSITE_OF come here, so that other runs do not pay for it. All Local, any thread. */

#include <stdint.h>

/* A region in sp_call_regions whose calls are told apart by call site: below -1. Its own inverse. */
#define SP_CALLSITE_OF(region) (-2 - (region))

/* Begins the call site's region and the function's. site: the return address of the call; NULL: unknown. */
void sp_callsite_begin(int region, const void *site, const void *stack);

/* How many levels: the place of the call, and of the calls that led there. Once, before the first. */
void sp_callsite_set_depth(int levels);

/* Ends the function's; is_recorded 0: it is counted only, and its site with it. */
void sp_callsite_end(int region, uint64_t now, int is_recorded);

/* Ends the site's, as of the function's end: what was noted in between speaks of the function. */
void sp_callsite_leave(void);

#endif
