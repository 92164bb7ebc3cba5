/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BENCH_WRITES_H
#define SP_BENCH_WRITES_H

/* Which memory a thread writes while it does something, and whether another thread touches the same: by taking the pages' permissions
 * away and noting what faults, so it needs no counter of the hardware and sees the code as it is shipped. A page holds 64 cache lines,
 * so that no page in common is more than no line in common.
 *
 * Each thread does it three times, alone: to warm up, with every writable page read-only (what faults is written), and with none
 * accessible (what faults is touched). Its own stack, with its thread-local storage, counts as written by it. */

#include <stddef.h>

struct sp_bench_writes {
    size_t written_pages;  /* that a thread wrote beside its own stack; most of a thread */
    size_t touched_pages;  /* likewise, or only read */
    size_t shared_pages;   /* written by one and touched by another thread */
};

/* -1 where it cannot be done. Not while other threads run. */
int sp_bench_writes_trace(void (*subject)(void *data, int count), void *data, int count, int thread_count, struct sp_bench_writes *found);

#endif
