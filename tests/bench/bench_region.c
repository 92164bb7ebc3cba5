/* SPDX-License-Identifier: BSD-3-Clause */
/* What a begin/end pair costs a program, in every state of the runtime. The program starts itself once a state, since a state
 * is chosen by the environment: the child prints its numbers, the parent the table.
 *
 *     bench_region LIBSP [--json]
 *
 * Budgets (ratio to two clock readings and a store): trace and profile 1.15, 50 regions or 8 deep 1.3, sustained 1.8. */
#define _XOPEN_SOURCE 700 /* mkdtemp, setenv */
#include "sp_bench.h"

#include <scope_profiler.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 2000, BLOCKS = 301, REGIONS = 50, DEPTH = 8 };

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

static void empty_loop(void *data, int count)
{
    (void)data;
    for (int i = 0; i < count; i++)
        __asm__ volatile("" : : : "memory");
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double over_places(void)
{
    static void (*const places[])(void *, int) = {pairs_of_one, pairs_at_3, pairs_at_5, pairs_at_8, pairs_at_11, pairs_at_14, pairs_at_19};
    enum { PLACES = sizeof places / sizeof places[0] };
    double ns[PLACES];
    for (int i = 0; i < PLACES; i++)
        ns[i] = sp_bench_median_ns(places[i], NULL, PAIRS, BLOCKS);
    qsort(ns, PLACES, sizeof ns[0], compare);
    return ns[PLACES / 2];
}

static void say(const char *name, double ns)
{
    printf("%s %s\t%.4f\n", getenv("SP_BENCH_STATE"), name, ns);
}

static double sustained(int pairs)
{
    int64_t start = sp_bench_now_ns();
    pairs_of_one(NULL, pairs);
    return (double)(sp_bench_now_ns() - start) / pairs;
}

static void measure_recording(void)
{
    int nested = sp_region("nested");
    sp_begin(nested);
    say("one region", over_places());
    say("50 regions in turn", sp_bench_median_ns(pairs_in_turn, NULL, PAIRS, BLOCKS));
    say("8 deep", sp_bench_median_ns(pairs_deep, NULL, PAIRS, BLOCKS));
    say("10^6 pairs, batches included", sustained(1000000));
    say("10^7 pairs, turn-overs included", sustained(10000000));
    sp_pause();
    say("paused", sp_bench_median_ns(pairs_of_one, NULL, PAIRS, BLOCKS));
    sp_resume();
    sp_end(nested);
    int all = one;
    one = sp_region("filtered out");
    say("filtered out", sp_bench_median_ns(pairs_of_one, NULL, PAIRS, BLOCKS));
    one = all;
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

static int child(const char *state)
{
    sp_bench_pin();
    sp_init(NULL, 0);
    make_regions();
    if (strcmp(state, "absent") == 0) {
        say("empty loop", sp_bench_median_ns(empty_loop, NULL, PAIRS, BLOCKS));
        say("one region", over_places());
    } else {
        measure_recording();
    }
    return 0;
}

/* Starts this program again in a state, in a directory of its own, and adds the lines it prints. */
static int measure(struct sp_bench *bench, const char *program, const char *library, const char *state, const char *directory)
{
    char command[16384], line[256];
    int preload = strcmp(state, "absent") != 0;
    snprintf(command, sizeof command,
        "cd '%s' && SP_BENCH_STATE=%s SP_MODE=%s SP_EXCLUDE='filtered*' SP_TRACE_LIMIT=0 SP_SPILL_DIR='%s' SP_OUTPUT=none %s%s%s '%s' "
        "2>/dev/null",
        directory, state, strcmp(state, "profile") == 0 ? "profile" : "trace", directory, preload ? "LD_PRELOAD='" : "",
        preload ? library : "", preload ? "'" : "", program);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return -1;
    while (fgets(line, sizeof line, pipe)) {
        char *tab = strchr(line, '\t');
        if (!tab)
            continue;
        *tab = '\0';
        double ns = strtod(tab + 1, NULL);
        sp_bench_add(bench, line, ns, "ns", bench->floor_ns > 0 ? ns / bench->floor_ns : 0);
    }
    return pclose(pipe);
}

int main(int argc, char **argv)
{
    static const char *const states[] = {"trace", "profile", "absent"};
    struct sp_bench bench = {.name = "region pair"};
    char program[4096], library[4096], directory[] = "/tmp/sp-bench-XXXXXX", command[64];
    const char *state = getenv("SP_BENCH_STATE");
    if (state)
        return child(state);
    if (argc < 2 || !realpath(argv[0], program) || !realpath(argv[1], library) || !mkdtemp(directory)) {
        fprintf(stderr, "usage: bench_region LIBSP [--json]\n");
        return 2;
    }
    sp_bench_pin();
    bench.floor_ns = sp_bench_floor_ns();
    int status = 0;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        status |= measure(&bench, program, library, states[i], directory);
    sp_bench_print(&bench, argc > 2 && strcmp(argv[2], "--json") == 0);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command) == 0 && status == 0 ? 0 : 1;
}
