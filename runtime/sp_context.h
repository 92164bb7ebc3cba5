/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CONTEXT_H
#define SP_CONTEXT_H

/* Contexts (scope_profiler_contexts.h): who may record into the one run of the process. All Local, any thread. Results are of enum
 * sp_status. */

#include "scope_profiler.h"

/* sp_init and sp_finalize: those of the default context. */
int sp_context_init(const char *prefix, int rank);
int sp_context_finish(void);

/* A new context, or with a NULL prefix the default one. NULL without memory. */
sp_profiler *sp_context_open(const char *prefix, int rank);

/* The context records no longer; with the last one that is open the run ends and the file is written. */
int sp_context_finalize(sp_profiler *context);
void sp_context_close(sp_profiler *context);

#endif
