/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_record.h"
#include "sp_process.h"

#include <stdlib.h>

static __thread int thread_has_ended __attribute__((tls_model("initial-exec")));
static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;

static int is_child;

static void leave_lane(void *lane)
{
    if (is_child) /* the lane is its parent's, also the part of it that is shared memory */
        return;
    thread_has_ended = 1;
    if (sp_hot.lane)
        sp_lane_leave(sp_hot.lane);
    sp_process_leave_lane(sp_process_get(), lane);
}

static void make_thread_end(void)
{
    pthread_key_create(&thread_end, leave_lane);
}

/* The calling thread's lane; at its first call it enters one. NULL where there can be none. */
static struct sp_lane *lane_of_thread(void)
{
    struct sp_process *process = sp_process_get();
    if (sp_hot.lane || !process || thread_has_ended)
        return sp_hot.lane;
    struct sp_lane *lane = sp_process_take_lane(process);
    if (!lane)
        return NULL;
    pthread_once(&thread_end_once, make_thread_end);
    pthread_setspecific(thread_end, lane);
    sp_lane_enter(lane);
    return lane;
}

static int gate_of(void)
{
    return __atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED);
}

/* No lane yet, a path that is not in the cache, or a full ring. */
static __attribute__((noinline, cold)) void begin_slowly(int region)
{
    struct sp_lane *lane = region >= 0 ? lane_of_thread() : NULL;
    if (lane)
        sp_lane_begin(lane, region);
}

static __attribute__((noinline, cold)) void end_slowly(int region, uint64_t now)
{
    if (region >= 0 && sp_hot.lane)
        sp_lane_end(sp_hot.lane, region, now);
}

static void begin_fast(int region)
{
    if (SP_UNLIKELY(!sp_lane_try_begin(region, SP_CLOCK_FAST)))
        begin_slowly(region);
}

static void end_fast(int region)
{
    uint64_t now = sp_clock_now(SP_CLOCK_FAST);
    if (SP_UNLIKELY(!sp_lane_try_end(region, now)))
        end_slowly(region, now);
}

static void begin_monotonic(int region)
{
    if (SP_UNLIKELY(!sp_lane_try_begin(region, SP_CLOCK_MONOTONIC)))
        begin_slowly(region);
}

static void end_monotonic(int region)
{
    uint64_t now = sp_clock_now(SP_CLOCK_MONOTONIC);
    if (SP_UNLIKELY(!sp_lane_try_end(region, now)))
        end_slowly(region, now);
}

/* While recording pauses, what begins is passed over, and its end is told from the end of a region that was open before. No reading of
 * the clock: two calls by pointer, which alone are 4.2 ns a pair here, and two counters (counting inline in the header took the same). */
static void begin_paused(int region)
{
    struct sp_frame *top = sp_hot.top;
    if (SP_UNLIKELY(!sp_hot.lane || region < 0))
        return;
    top->skipped++;
    if (SP_UNLIKELY(!(top->region & SP_FRAME_SLOW)))
        top->region |= SP_FRAME_SLOW;
}

static void end_paused(int region)
{
    struct sp_frame *top = sp_hot.top;
    if (SP_LIKELY(sp_frame_skipped(top) > 0))
        top->skipped_ends++;
    else if (sp_hot.lane)
        end_slowly(region, sp_clock_now(sp_hot.lane->head.clock.source));
}

static void do_nothing(int region)
{
    (void)region;
}

sp_record_function *sp_record_begin_for(int gate, uint32_t source)
{
    if (gate & SP_GATE_OFF)
        return do_nothing;
    if (gate & SP_GATE_PAUSED)
        return begin_paused;
    return source == SP_CLOCK_FAST ? begin_fast : begin_monotonic;
}

sp_record_function *sp_record_end_for(int gate, uint32_t source)
{
    if (gate & SP_GATE_OFF)
        return do_nothing;
    if (gate & SP_GATE_PAUSED)
        return end_paused;
    return source == SP_CLOCK_FAST ? end_fast : end_monotonic;
}

static void begin_in_fast(int outer, int inner)
{
    if (SP_LIKELY(sp_lane_try_begin_in(outer, inner, SP_CLOCK_FAST)))
        return;
    begin_fast(outer);
    begin_fast(inner);
}

sp_record_function_of_two *sp_record_begin_in_for(int gate, uint32_t source)
{
    return gate == 0 && source == SP_CLOCK_FAST ? begin_in_fast : sp_record_begin_in;
}

void sp_record_begin(int region)
{
    const struct sp_process *process = sp_process_get();
    if (process)
        sp_record_begin_for(gate_of(), process->clock.source)(region);
}

void sp_record_begin_in(int outer, int inner)
{
    sp_record_begin(outer);
    sp_record_begin(inner);
}

void sp_record_end(int region)
{
    const struct sp_process *process = sp_process_get();
    if (process)
        sp_record_end_for(gate_of(), process->clock.source)(region);
}

void sp_record_forget_lane(void)
{
    sp_lane_forget();
    thread_has_ended = 1;
    is_child = 1;
}

void sp_record_end_call(int region, uint64_t now)
{
    struct sp_lane *lane = sp_hot.lane;
    if (SP_LIKELY(lane && region >= 0 && !(gate_of() & SP_GATE_OFF)))
        sp_lane_end_call(lane, region, now);
}

void sp_record_end_unrecorded(int region, uint64_t now)
{
    struct sp_lane *lane = sp_hot.lane;
    if (SP_LIKELY(lane && region >= 0 && !(gate_of() & SP_GATE_OFF)))
        sp_lane_end_unrecorded(lane, region, now);
}

void sp_record_message(int64_t bytes, uint64_t request, int32_t peer, int32_t tag, int32_t communicator, int operation)
{
    struct sp_lane *lane = sp_hot.lane;
    if (SP_LIKELY(lane && !(gate_of() & SP_GATE_OFF)))
        sp_lane_message(lane, bytes, request, peer, tag, communicator, operation);
}

void sp_record_end_last(void)
{
    struct sp_lane *lane = sp_hot.lane;
    if (!lane || sp_hot.top == lane->frames || (gate_of() & SP_GATE_OFF))
        return;
    sp_lane_end(lane, (int)(sp_hot.top->region & ~SP_FRAME_SLOW), sp_clock_now(lane->head.clock.source));
}

int64_t sp_record_calls(int region)
{
    return sp_hot.lane ? (int64_t)sp_lane_calls(sp_hot.lane, region) : 0;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t sp_record_calibrate(void)
{
    enum { BLOCKS = 15, PAIRS = 100 };
    struct sp_process *process = sp_process_get();
    struct sp_trace_budget none = {0};
    struct sp_lane *scratch = process ? sp_lane_create(&process->clock, &none) : NULL, *own = sp_hot.lane;
    int64_t picoseconds[BLOCKS];
    if (!scratch)
        return 0;
    sp_record_function *begin = sp_record_begin_for(0, process->clock.source), *end = sp_record_end_for(0, process->clock.source);
    if (own)
        sp_lane_leave(own);
    sp_lane_enter(scratch);
    for (int b = 0; b < BLOCKS; b++) {
        int64_t start = sp_clock_monotonic_ns();
        for (int i = 0; i < PAIRS; i++) {
            begin(0);
            end(0);
        }
        picoseconds[b] = (sp_clock_monotonic_ns() - start) * 1000 / PAIRS;
    }
    sp_lane_destroy(scratch);
    if (own)
        sp_lane_enter(own);
    qsort(picoseconds, BLOCKS, sizeof picoseconds[0], compare);
    return picoseconds[BLOCKS / 2];
}
