/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_record.h"
#include "sp_process.h"

#include <stdlib.h>

static __thread struct sp_lane *current __attribute__((tls_model("initial-exec")));
static __thread int thread_has_ended __attribute__((tls_model("initial-exec")));
static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;

static void leave_lane(void *lane)
{
    thread_has_ended = 1;
    current = NULL;
    sp_process_leave_lane(sp_process_get(), lane);
}

static void make_thread_end(void)
{
    pthread_key_create(&thread_end, leave_lane);
}

/* The first call of a thread. */
static struct sp_lane *take_lane(void)
{
    struct sp_process *process = sp_process_get();
    if (!process || thread_has_ended)
        return NULL;
    struct sp_lane *lane = sp_process_take_lane(process);
    if (!lane)
        return NULL;
    pthread_once(&thread_end_once, make_thread_end);
    pthread_setspecific(thread_end, lane);
    current = lane;
    return lane;
}

/* Where the gate is not open or the thread has no lane yet: the lane to record on, or NULL where nothing is to be. */
static struct sp_lane *lane_for_begin(void)
{
    struct sp_lane *lane = current ? current : take_lane();
    int gate = __atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED);
    if (gate == 0 || !lane)
        return lane;
    if (gate & SP_GATE_OFF)
        return NULL;
    sp_lane_skip(lane);
    return NULL;
}

void sp_record_begin(int region)
{
    struct sp_lane *lane = current;
    if (region < 0)
        return;
    if (SP_UNLIKELY(!lane || __atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED)))
        lane = lane_for_begin();
    if (SP_LIKELY(lane != NULL))
        sp_lane_begin(lane, region);
}

void sp_record_end_at(int region, uint64_t now)
{
    struct sp_lane *lane = current;
    if (SP_UNLIKELY(!lane || region < 0 || (__atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED) & SP_GATE_OFF)))
        return;
    sp_lane_end(lane, region, now);
}

void sp_record_end(int region)
{
    struct sp_lane *lane = current;
    if (SP_UNLIKELY(!lane))
        return;
    sp_record_end_at(region, sp_clock_now(lane->clock_source));
}

void sp_record_end_last(void)
{
    struct sp_lane *lane = current;
    if (lane && lane->top > lane->frames)
        sp_record_end((int)lane->top->node->region);
}

void sp_record_message(struct sp_spill_message message)
{
    struct sp_lane *lane = current;
    if (lane && !(__atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED) & SP_GATE_OFF))
        sp_lane_message(lane, message);
}

int64_t sp_record_calls(int region)
{
    const struct sp_lane *lane = current;
    uint64_t calls = 0;
    for (uint32_t id = 1; lane && id < lane->head->node_count; id++) {
        const struct sp_spill_node *node = sp_paths_node(lane->paths, id);
        if (node->region == (uint32_t)region)
            calls += node->calls;
    }
    return (int64_t)calls;
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
    struct sp_lane *scratch = process ? sp_lane_create(&process->clock, &none) : NULL;
    struct sp_lane *own = current;
    int64_t picoseconds[BLOCKS];
    if (!scratch)
        return 0;
    current = scratch;
    for (int b = 0; b < BLOCKS; b++) {
        int64_t start = sp_clock_monotonic_ns();
        for (int i = 0; i < PAIRS; i++) {
            sp_record_begin(0);
            sp_record_end(0);
        }
        picoseconds[b] = (sp_clock_monotonic_ns() - start) * 1000 / PAIRS;
    }
    current = own;
    sp_lane_destroy(scratch);
    qsort(picoseconds, BLOCKS, sizeof picoseconds[0], compare);
    return picoseconds[BLOCKS / 2];
}
