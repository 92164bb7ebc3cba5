/* SPDX-License-Identifier: BSD-3-Clause */
/* What a begin/end pair costs a program, in every state of the runtime. */
#include "sp_bench_child.h"

#include <scope_profiler.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 2000, REGIONS = 50, DEPTH = 8 };

static int one, regions[REGIONS], outer[DEPTH];

/* A call site's place in the code moves the price by up to 2 ns: so there are several, and their median is told. */
#if defined __x86_64__
#define PLACE(bytes) __asm__ volatile(".nops " #bytes : : : "memory")
#else
#define PLACE(bytes) __asm__ volatile("" : : : "memory")
#endif

#define PAIRS_AT(name, bytes)                                                                                                              \
    static void name(void *data, int count)                                                                                                \
    {                                                                                                                                      \
        (void)data;                                                                                                                        \
        for (int i = 0; i < count; i++) {                                                                                                  \
            PLACE(bytes);                                                                                                                  \
            sp_begin(one);                                                                                                                 \
            PLACE(bytes);                                                                                                                  \
            sp_end(one);                                                                                                                   \
        }                                                                                                                                  \
    }

PAIRS_AT(pairs_of_one, 0)
PAIRS_AT(pairs_at_3, 3)
PAIRS_AT(pairs_at_5, 5)
PAIRS_AT(pairs_at_8, 8)
PAIRS_AT(pairs_at_11, 11)
PAIRS_AT(pairs_at_14, 14)
PAIRS_AT(pairs_at_19, 19)

static void pairs_in_turn(void *data, int count)
{
    (void)data;
    for (int i = 0; i < count; i++) {
        sp_begin(regions[i % REGIONS]);
        __asm__ volatile("" : : : "memory");
        sp_end(regions[i % REGIONS]);
    }
}

static void pairs_deep(void *data, int count)
{
    (void)data;
    for (int i = 0; i < count; i += DEPTH) {
        for (int d = 0; d < DEPTH; d++)
            sp_begin(outer[d]);
        for (int d = DEPTH; d-- > 0;)
            sp_end(outer[d]);
    }
}

static void pairs_by_name(void *data, int count)
{
    (void)data;
    for (int i = 0; i < count; i++) {
        SP_BEGIN("by name");
        __asm__ volatile("" : : : "memory");
        SP_END("by name");
    }
}

static void empty_loop(void *data, int count)
{
    (void)data;
    for (int i = 0; i < count; i++)
        __asm__ volatile("" : : : "memory");
}

static int compare(const void *a, const void *b)
{
    const struct sp_bench_figures *x = a, *y = b;
    return (x->median > y->median) - (x->median < y->median);
}

/* The place whose median is the median of all. */
static void measure_places(struct sp_bench *bench, const char *name, int blocks, double goal)
{
    const struct sp_bench_subject subjects[] = {sp_bench_floor(), {pairs_of_one, NULL}, {pairs_at_3, NULL}, {pairs_at_5, NULL},
        {pairs_at_8, NULL}, {pairs_at_11, NULL}, {pairs_at_14, NULL}, {pairs_at_19, NULL}};
    enum { PLACES = sizeof subjects / sizeof subjects[0] - 1 };
    struct sp_bench_figures figures[PLACES + 1];
    if (sp_bench_run(subjects, PLACES + 1, PAIRS, blocks, sp_bench_wall_ns, figures) < 0)
        return;
    qsort(figures + 1, PLACES, sizeof figures[0], compare);
    bench->floor_ns = figures[0].median;
    const struct sp_bench_figures *middle = &figures[1 + PLACES / 2];
    struct sp_bench_row *row = sp_bench_add(bench, name, "ns", *middle, middle->median / figures[0].median);
    if (row)
        row->goal = goal;
}

static void set_goal(struct sp_bench_row *row, double goal)
{
    if (row)
        row->goal = goal;
}

/* All that recording costs in the long run, the batches of the statistics included: means, over ten blocks of what a batch holds. */
static void measure_with_batches(struct sp_bench *bench, const char *name, sp_bench_block *block, int is_short)
{
    enum { BATCH_PAIRS = 1 << 16, BLOCKS = 16 };
    const struct sp_bench_subject subjects[] = {sp_bench_floor(), {block, NULL}};
    struct sp_bench_figures figures[2];
    if (sp_bench_run(subjects, 2, is_short ? PAIRS : BATCH_PAIRS, is_short ? 3 : BLOCKS, sp_bench_wall_ns, figures) == 0)
        set_goal(
            sp_bench_add(bench, name, "ns", (struct sp_bench_figures){.median = figures[1].mean}, figures[1].mean / figures[0].mean), 1.3);
}

static void measure_recording(struct sp_bench *bench, const char *mode, int blocks)
{
    char name[80];
#define NAME(text) (snprintf(name, sizeof name, "%s: %s", mode, text), name)
    int nested = sp_region("nested"), filtered = sp_region("filtered out"), kept = one;
    sp_begin(nested);
    measure_places(bench, NAME("one region"), blocks, 1.15);
    set_goal(sp_bench_measure(bench, NAME("50 regions in turn"), pairs_in_turn, NULL, PAIRS, blocks), 1.3);
    set_goal(sp_bench_measure(bench, NAME("8 deep"), pairs_deep, NULL, PAIRS, blocks), 1.3);
    if (strcmp(mode, "profile") == 0) {
        measure_with_batches(bench, NAME("one region, batches included"), pairs_of_one, blocks < 10);
        measure_with_batches(bench, NAME("50 regions in turn, batches included"), pairs_in_turn, blocks < 10);
        measure_with_batches(bench, NAME("8 deep, batches included"), pairs_deep, blocks < 10);
    }
    sp_bench_measure(bench, NAME("SP_BEGIN, SP_END by name"), pairs_by_name, NULL, PAIRS, blocks);
    sp_pause();
    sp_bench_measure(bench, NAME("paused"), pairs_of_one, NULL, PAIRS, blocks);
    sp_resume();
    sp_end(nested);
    one = filtered;
    sp_bench_measure(bench, NAME("filtered out"), pairs_of_one, NULL, PAIRS, blocks);
    one = kept;
#undef NAME
}

static void make_regions(void)
{
    char name[32];
    one = sp_region("one");
    for (int i = 0; i < REGIONS; i++) {
        snprintf(name, sizeof name, "region %d", i);
        regions[i] = sp_region(name);
    }
    for (int i = 0; i < DEPTH; i++) {
        snprintf(name, sizeof name, "depth %d", i);
        outer[i] = sp_region(name);
    }
}

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    int blocks = options->is_short ? 3 : 301;
    sp_bench_pin(-1);
    sp_init(NULL, 0);
    make_regions();
    if (strcmp(options->state, "absent") == 0) {
        sp_bench_measure(bench, "empty loop", empty_loop, NULL, PAIRS, blocks);
        measure_places(bench, "absent: one region", blocks, 0);
        sp_bench_measure(bench, "absent: SP_BEGIN, SP_END by name", pairs_by_name, NULL, PAIRS, blocks);
    } else if (strcmp(options->state, "off") == 0) {
        measure_places(bench, "SP_ENABLE=0: one region", blocks, 0);
    } else {
        measure_recording(bench, options->state, blocks);
    }
}

int main(int argc, char **argv)
{
    static const struct sp_bench_state states[] = {{"trace", "SP_MODE=trace SP_OUTPUT=none SP_EXCLUDE='filtered*'", SP_BENCH_DISK, 0},
        {"profile", "SP_MODE=profile SP_OUTPUT=none SP_EXCLUDE='filtered*'", SP_BENCH_DISK, 0}, {"off", "SP_ENABLE=0", SP_BENCH_DISK, 0},
        {"absent", NULL, SP_BENCH_DISK, 0}};
    const struct sp_bench_program program = {
        .name = "region", .events = 1, .states = states, .state_count = sizeof states / sizeof states[0], .measure = measure};
    return sp_bench_main(&program, argc, argv);
}
