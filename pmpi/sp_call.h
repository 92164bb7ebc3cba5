/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CALL_H
#define SP_CALL_H

/* What every wrapper does around the call it stands for. All Local, any thread. */

#include "sp_callsite.h"
#include "sp_entry.h"
#include "sp_internal.h"

#include "sp_clock.h"

extern const struct sp_runtime_internal *sp_call_runtime; /* set before the first wrapper runs */
extern uint32_t sp_call_clock;
extern int sp_call_follows;                /* completions are recorded, so requests are followed up to them */
extern int sp_call_regions[SP_CALL_COUNT]; /* region of each function; -1: only our books are kept; below: sp_callsite.h */

/* 0 outside, 1 in a call, 2 in a call that is not recorded, 3 in one with its call site. */
extern __thread int sp_call_depth __attribute__((tls_model("initial-exec")));

/* Inside another call of this thread: libraries of MPI (ROMIO, a Fortran layer) call MPI_ functions themselves. */
static inline int sp_call_is_inner(void)
{
    return sp_call_depth != 0;
}

/* site: where the call returns to; stack: the stack pointer there (canonical frame address of the wrapper). */
static inline void sp_call_begin(enum sp_call call, const void *site, const void *stack)
{
    int region = sp_call_regions[call];
    sp_call_depth = region >= 0 ? 1 : region == -1 ? 2 : 3;
    if (region >= 0)
        sp_call_runtime->begin(region);
    else if (region != -1)
        sp_callsite_begin(SP_CALLSITE_OF(region), site, stack);
}

static inline void sp_call_end(enum sp_call call)
{
    int region = sp_call_regions[call];
    if (region >= 0)
        sp_call_runtime->end(region, sp_clock_now(sp_call_clock));
    else if (region != -1)
        sp_callsite_end(SP_CALLSITE_OF(region), sp_clock_now(sp_call_clock), 1);
}

/* The end of a call that asks whether something has happened: where it has not (has_answer 0), the call is one of very many and is
 * counted only. */
static inline void sp_call_end_question(enum sp_call call, int has_answer)
{
    int region = sp_call_regions[call];
    if (has_answer)
        sp_call_end(call);
    else if (region >= 0)
        sp_call_runtime->end_unrecorded(region, sp_clock_now(sp_call_clock));
    else if (region != -1)
        sp_callsite_end(SP_CALLSITE_OF(region), sp_clock_now(sp_call_clock), 0);
}

/* What the call that ended last in this thread carried. operation: enum sp_operation; request: 0 none. */
static inline void sp_call_message(int operation, int64_t bytes, int32_t peer, int32_t tag, int32_t communicator, uint64_t request)
{
    if (sp_call_depth & 1)
        sp_call_runtime->message(bytes, request, peer, tag, communicator, operation);
}

/* After what is noted about the call. */
static inline void sp_call_leave(void)
{
    if (__builtin_expect(sp_call_depth == 3, 0))
        sp_callsite_leave();
    sp_call_depth = 0;
}

#endif
