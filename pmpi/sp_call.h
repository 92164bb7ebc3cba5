/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CALL_H
#define SP_CALL_H

/* What every wrapper does around the call it stands for. All Local, any thread. */

#include "sp_entry.h"
#include "sp_internal.h"

#include "sp_clock.h"

extern const struct sp_runtime_internal *sp_call_runtime; /* set before the first wrapper runs */
extern uint32_t sp_call_clock;
extern int sp_call_regions[SP_CALL_COUNT]; /* region of each function */
extern __thread int sp_call_depth __attribute__((tls_model("initial-exec")));

/* Inside another recorded call of this thread: libraries of MPI (ROMIO, a Fortran layer) call MPI_ functions themselves. */
static inline int sp_call_is_inner(void)
{
    return sp_call_depth != 0;
}

static inline void sp_call_begin(enum sp_call call)
{
    sp_call_depth = 1;
    sp_call_runtime->begin(sp_call_regions[call]);
}

static inline void sp_call_end(enum sp_call call)
{
    sp_call_runtime->end(sp_call_regions[call], sp_clock_now(sp_call_clock));
}

/* After what is noted about the call. */
static inline void sp_call_leave(void)
{
    sp_call_depth = 0;
}

#endif
