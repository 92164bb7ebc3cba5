/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that record at once, each in its own lane: what a pair costs one of them, and that none writes what another touches. */
#define _DEFAULT_SOURCE /* sysconf's number of processors */
#include "sp_bench_child.h"
#include "sp_bench_writes.h"

#include <scope_profiler.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAIRS = 2000, MOST = 8 };

static int one;

static void pairs(void *data, int count)
{
    (void)data;
    for (int i = 0; i < count; i++) {
        sp_begin(one);
        __asm__ volatile("" : : : "memory");
        sp_end(one);
    }
}

struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    sp_bench_clock *clock;
    int core; /* -1: any */
    int blocks;
    struct sp_bench_figures figures[2]; /* floor, pair */
};

static void *work(void *data)
{
    struct worker *w = data;
    struct sp_bench_subject subjects[] = {sp_bench_floor(), {pairs, NULL}};
    if (w->core >= 0)
        sp_bench_pin(w->core);
    pthread_barrier_wait(w->start);
    sp_bench_run(subjects, 2, PAIRS, w->blocks, w->clock, w->figures);
    return NULL;
}

static int by_pair(const void *a, const void *b)
{
    const struct worker *x = a, *y = b;
    return (x->figures[1].median > y->figures[1].median) - (x->figures[1].median < y->figures[1].median);
}

/* The row is of the thread in the middle; its quartiles are those over the threads. */
static void add_row(struct sp_bench *bench, const char *name, struct worker *workers, int count)
{
    qsort(workers, (size_t)count, sizeof workers[0], by_pair);
    const struct worker *middle = &workers[count / 2];
    struct sp_bench_figures f = middle->figures[1];
    if (count > 1) {
        f.low = workers[count / 4].figures[1].median;
        f.high = workers[count * 3 / 4].figures[1].median;
    }
    sp_bench_add(bench, name, "ns", f, middle->figures[0].median > 0 ? f.median / middle->figures[0].median : 0);
    if (bench->floor_ns == 0)
        bench->floor_ns = middle->figures[0].median;
}

static void measure_threads(struct sp_bench *bench, const char *name, int count, sp_bench_clock *clock, int is_pinned, int blocks)
{
    struct worker workers[MOST];
    pthread_barrier_t start;
    int started = 0, cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    pthread_barrier_init(&start, NULL, (unsigned)count);
    for (; started < count; started++) {
        workers[started] = (struct worker){.start = &start, .clock = clock, .core = is_pinned ? started % cores : -1, .blocks = blocks};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            exit(1); /* the others wait for it */
    }
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&start);
    add_row(bench, name, workers, count);
}

/* What no hot path may do, to see that it is found. */
static void add_to_one_counter(void *data, int count)
{
    for (int i = 0; i < count; i++)
        __atomic_fetch_add((int *)data, 1, __ATOMIC_RELAXED);
}

/* In a process of its own: a lane that an earlier thread left may be about to turn over, which is not the hot path. */
static void measure_writes(struct sp_bench *bench)
{
    static int counter;
    struct sp_bench_writes found, control;
    if (sp_bench_writes_trace(pairs, NULL, 1000, MOST, &found) < 0 ||
        sp_bench_writes_trace(add_to_one_counter, &counter, 1000, MOST, &control) < 0) {
        sp_bench_skip(bench, "shared writes: the pages of this system cannot be watched");
        return;
    }
    sp_bench_add_value(bench, "8 threads: pages a thread writes in 1000 pairs", (double)found.written_pages, "pages");
    sp_bench_add_value(bench, "8 threads: pages a thread touches in 1000 pairs", (double)found.touched_pages, "pages");
    sp_bench_add_value(bench, "8 threads: pages one writes and another touches", (double)found.shared_pages, "pages");
    sp_bench_add_value(bench, "8 threads: the same where all add to one counter", (double)control.shared_pages, "pages");
}

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    int blocks = options->is_short ? 3 : 1001;
    sp_init(NULL, 0);
    one = sp_region("one");
    if (strcmp(options->state, "writes") == 0) {
        measure_writes(bench);
        return;
    }
    measure_threads(bench, "1 thread, wall time: a pair", 1, sp_bench_wall_ns, 1, blocks);
    if (sysconf(_SC_NPROCESSORS_ONLN) >= 2) {
        measure_threads(bench, "2 threads on 2 cores, wall time: a pair", 2, sp_bench_wall_ns, 1, blocks);
        sp_bench_add_quotient(bench, "2 threads to 1, wall time", "2 threads on 2 cores, wall time: a pair", "1 thread, wall time: a pair");
    } else {
        sp_bench_skip(bench, "2 threads on 2 cores: there is one core");
    }
    measure_threads(bench, "1 thread, CPU time: a pair", 1, sp_bench_thread_cpu_ns, 1, blocks);
    measure_threads(bench, "2 threads, CPU time: a pair", 2, sp_bench_thread_cpu_ns, 0, blocks);
    measure_threads(bench, "8 threads, CPU time: a pair", 8, sp_bench_thread_cpu_ns, 0, blocks);
    sp_bench_add_quotient(bench, "2 threads to 1, CPU time", "2 threads, CPU time: a pair", "1 thread, CPU time: a pair");
    sp_bench_add_quotient(bench, "8 threads to 1, CPU time", "8 threads, CPU time: a pair", "1 thread, CPU time: a pair");
}

int main(int argc, char **argv)
{
    static const struct sp_bench_state states[] = {
        {"writes", "SP_MODE=trace SP_OUTPUT=none", SP_BENCH_MEMORY, 0}, {"threads", "SP_MODE=trace SP_OUTPUT=none", SP_BENCH_MEMORY, 0}};
    const struct sp_bench_program program = {
        .name = "threads", .events = 1, .states = states, .state_count = sizeof states / sizeof states[0], .measure = measure};
    return sp_bench_main(&program, argc, argv);
}
