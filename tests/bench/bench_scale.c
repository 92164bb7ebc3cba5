/* SPDX-License-Identifier: BSD-3-Clause */
/* Many regions, deep recursion, many call paths: the cost of one must not grow with their number, but for what no longer fits into
 * the caches. */
#include "sp_bench_child.h"

#include <scope_profiler.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of every size as many pairs, so that each block has its share of the turn-overs of the ring: two rings full. */
enum { BLOCK = 131072, BLOCKS = 31 };

struct set {
    int *regions;
    int count;
};

static void add_single(struct sp_bench *bench, const char *state, const char *what, double ns)
{
    char name[80];
    snprintf(name, sizeof name, "%s: %s", state, what);
    sp_bench_add_value(bench, name, ns, "ns");
}

static struct set make_regions(const char *format, int count)
{
    struct set set = {calloc((size_t)count, sizeof(int)), count};
    char name[64];
    for (int i = 0; set.regions && i < count; i++) {
        snprintf(name, sizeof name, "%s %d", format, i);
        set.regions[i] = sp_region(name);
    }
    return set;
}

static void in_turn(void *data, int count)
{
    const struct set *set = data;
    for (int i = 0, at = 0; i < count; i++, at = at + 1 < set->count ? at + 1 : 0) {
        sp_begin(set->regions[at]);
        __asm__ volatile("" : : : "memory");
        sp_end(set->regions[at]);
    }
}

static void measure_regions(struct sp_bench *bench, const struct sp_bench_options *options, int count)
{
    char name[80];
    int64_t start = sp_bench_wall_ns();
    struct set set = make_regions("region", count);
    int64_t made = sp_bench_wall_ns();
    if (!set.regions)
        return;
    in_turn(&set, count);
    int64_t begun = sp_bench_wall_ns();
    add_single(bench, options->state, "sp_region", (double)(made - start) / count);
    add_single(bench, options->state, "first pair", (double)(begun - made) / count);
    snprintf(name, sizeof name, "%s: a later pair", options->state);
    sp_bench_measure(bench, name, in_turn, &set, BLOCK, options->is_short ? 3 : BLOCKS);
    free(set.regions);
}

struct recursion {
    int region, depth;
};

static void recurse(void *data, int count)
{
    const struct recursion *r = data;
    for (int i = 0; i < count; i += r->depth) {
        for (int d = 0; d < r->depth; d++)
            sp_begin(r->region);
        for (int d = 0; d < r->depth; d++)
            sp_end(r->region);
    }
}

static void measure_recursion(struct sp_bench *bench, const struct sp_bench_options *options, int depth)
{
    char name[80];
    struct recursion r = {sp_region("recursive"), depth};
    int64_t start = sp_bench_wall_ns();
    recurse(&r, depth);
    add_single(bench, options->state, "a call, the first time down", (double)(sp_bench_wall_ns() - start) / depth);
    snprintf(name, sizeof name, "%s: a later call", options->state);
    sp_bench_measure(bench, name, recurse, &r, BLOCK, options->is_short ? 3 : BLOCKS);
}

/* Each of n regions inside each of n: n*n call paths besides. */
struct square {
    struct set outer, inner;
};

static void visit(void *data, int count)
{
    const struct square *s = data;
    for (int i = 0, at = 0; i < count; i += s->inner.count, at = at + 1 < s->outer.count ? at + 1 : 0) {
        sp_begin(s->outer.regions[at]);
        for (int j = 0; j < s->inner.count; j++) {
            sp_begin(s->inner.regions[j]);
            sp_end(s->inner.regions[j]);
        }
        sp_end(s->outer.regions[at]);
    }
}

static void measure_paths(struct sp_bench *bench, const struct sp_bench_options *options, int count)
{
    char name[80];
    int side = 1;
    while (side * side < count)
        side++;
    struct square s = {make_regions("outer", side), make_regions("inner", side)};
    int64_t start = sp_bench_wall_ns();
    visit(&s, side * side);
    add_single(bench, options->state, "a pair on a new path", (double)(sp_bench_wall_ns() - start) / (side * side));
    snprintf(name, sizeof name, "%s: a later pair", options->state);
    sp_bench_measure(bench, name, visit, &s, BLOCK, options->is_short ? 3 : BLOCKS);
    free(s.outer.regions);
    free(s.inner.regions);
}

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    char kind;
    int count = (int)strtol(options->state, NULL, 10);
    sp_bench_pin(-1);
    sp_init(NULL, 0);
    sscanf(options->state, "%*d %c", &kind);
    int first = sp_region("first"); /* makes the thread's lane */
    sp_begin(first);
    sp_end(first);
    if (kind == 'r')
        measure_regions(bench, options, count);
    else if (kind == 'd')
        measure_recursion(bench, options, count);
    else
        measure_paths(bench, options, count);
    int64_t start = sp_bench_wall_ns();
    sp_finalize();
    if (kind != 'd')
        add_single(bench, options->state, "the file at the end, an item", (double)(sp_bench_wall_ns() - start) / count);
}

static void conclude(struct sp_bench *bench)
{
    static const char *const rows[][3] = {{"100000 regions: sp_region", "1000 regions: sp_region", "sp_region"},
        {"100000 regions: first pair", "1000 regions: first pair", "a region's first pair"},
        {"100000 regions: a later pair", "1000 regions: a later pair", "a region's later pair"},
        {"10000 deep: a call, the first time down", "1000 deep: a call, the first time down", "first call, 10000 deep to 1000"},
        {"10000 deep: a later call", "10 deep: a later call", "later call, 10000 deep to 10"},
        {"100000 paths: a pair on a new path", "1000 paths: a pair on a new path", "a pair on a new path"},
        {"100000 paths: a later pair", "1000 paths: a later pair", "a path's later pair"}};
    char name[80];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(name, sizeof name, "%s%s", rows[i][2], strstr(rows[i][2], "deep") ? "" : ", 100000 to 1000");
        sp_bench_add_quotient(bench, name, rows[i][0], rows[i][1]);
    }
    sp_bench_add_quotient(bench, "a region in the file at the end, 100000 to 10000", "100000 regions: the file at the end, an item",
        "10000 regions: the file at the end, an item");
    sp_bench_add_quotient(bench, "a path in the file at the end, 100000 to 10000", "100000 paths: the file at the end, an item",
        "10000 paths: the file at the end, an item");
}

int main(int argc, char **argv)
{
    static const char profile[] = "SP_MODE=profile SP_OUTPUT=run.h5";
    static const struct sp_bench_state states[] = {{"1000 regions", profile, SP_BENCH_DISK, 0},
        {"10000 regions", profile, SP_BENCH_DISK, 0}, {"100000 regions", profile, SP_BENCH_DISK, 0}, {"10 deep", profile, SP_BENCH_DISK, 0},
        {"1000 deep", profile, SP_BENCH_DISK, 0}, {"10000 deep", profile, SP_BENCH_DISK, 0}, {"1000 paths", profile, SP_BENCH_DISK, 0},
        {"10000 paths", profile, SP_BENCH_DISK, 0}, {"100000 paths", profile, SP_BENCH_DISK, 0}};
    const struct sp_bench_program program = {.name = "scale",
        .events = 1,
        .states = states,
        .state_count = sizeof states / sizeof states[0],
        .measure = measure,
        .conclude = conclude};
    return sp_bench_main(&program, argc, argv);
}
