/* SPDX-License-Identifier: BSD-3-Clause */
/* A long run of begin/end pairs, every one of which is kept: the ring is spilled again and again, to memory and to a disk. And beside
 * a peer that writes as much. */
#include "sp_bench_child.h"
#include "sp_bench_otf2.h"

#include <scope_profiler.h>

#include <stdio.h>
#include <string.h>

/* Ten turn-overs of the ring a block, so that each block has the same share of them; beside OTF2 as many pairs as the 128 MiB that it
 * gathers before it writes, at 22 bytes a pair. */
enum { RING = 65536, BLOCK = 10 * RING, OTF2_BLOCK = 93 * RING };

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

static void add_memory(struct sp_bench *bench, const char *place, const char *when, struct sp_bench_memory memory)
{
    char name[80];
    snprintf(name, sizeof name, "%s: resident %s, anonymous", place, when);
    sp_bench_add_value(bench, name, memory.anonymous, "MiB");
    snprintf(name, sizeof name, "%s: resident %s, files", place, when);
    sp_bench_add_value(bench, name, memory.file, "MiB");
    snprintf(name, sizeof name, "%s: resident %s, shared memory", place, when);
    sp_bench_add_value(bench, name, memory.shared, "MiB");
}

static double sum(struct sp_bench_memory memory)
{
    return memory.anonymous + memory.file + memory.shared;
}

static void measure_alone(struct sp_bench *bench, const struct sp_bench_options *options, const char *place, int count, int blocks)
{
    char name[80];
    struct sp_bench_memory before = sp_bench_memory_now();
    snprintf(name, sizeof name, "%s: a pair", place);
    struct sp_bench_row *row = sp_bench_measure(bench, name, pairs, NULL, count, blocks);
    if (row)
        row->goal = 1.8;
    struct sp_bench_memory after = sp_bench_memory_now();
    double events = (double)count * (blocks + 1); /* one block warmed up */
    snprintf(name, sizeof name, "%s: pairs", place);
    sp_bench_add_value(bench, name, events / 1e6, "10^6");
    snprintf(name, sizeof name, "%s: spilled a pair", place);
    sp_bench_add_value(bench, name, (double)sp_bench_bytes_below(options->directory, ".spill") / events, "bytes");
    add_memory(bench, place, "before", before);
    add_memory(bench, place, "after", after);
    snprintf(name, sizeof name, "%s: resident more after than before", place);
    row = sp_bench_add_value(bench, name, sum(after) - sum(before), "MiB");
    if (row)
        row->goal = 16;
}

/* Writes as much as will be spilled and removes it: in a virtual machine a page that was not in use lately costs a fault of the host,
 * which is no concern of who writes first. */
static void wake_memory(int64_t bytes)
{
    static char chunk[1 << 20];
    FILE *file = fopen("memory", "w");
    for (int64_t at = 0; file && at < bytes; at += (int64_t)sizeof chunk)
        if (fwrite(chunk, sizeof chunk, 1, file) != 1)
            break;
    if (file)
        fclose(file);
    remove("memory");
}

/* The peer keeps 128 MiB before it writes them at once: only the mean over whole turns of it compares. */
static void measure_beside_otf2(struct sp_bench *bench, const struct sp_bench_options *options, const char *place, int count, int blocks)
{
    char ours[80], peers[80], name[80];
    struct sp_bench_memory before = sp_bench_memory_now();
    struct sp_bench_otf2 *otf2 = sp_bench_otf2_open(options->directory);
    if (!otf2) {
        sp_bench_skip(bench, "the OTF2 writer: libopen-trace-format2-dev was not there when this was built (scripts/deps bench)");
        return;
    }
    struct sp_bench_subject subjects[] = {sp_bench_floor(), {pairs, NULL}, sp_bench_otf2_subject(otf2)};
    struct sp_bench_figures f[3];
    if (sp_bench_run(subjects, 3, count, blocks, sp_bench_wall_ns, f) < 0)
        return;
    struct sp_bench_memory after = sp_bench_memory_now();
    sp_bench_otf2_close(otf2);
    bench->floor_ns = f[0].median;
    snprintf(ours, sizeof ours, "%s, beside OTF2: a pair of ours", place);
    sp_bench_add(bench, ours, "ns", f[1], f[1].mean / f[0].mean);
    snprintf(peers, sizeof peers, "%s, beside OTF2: a pair of OTF2's writer", place);
    sp_bench_add(bench, peers, "ns", f[2], f[2].mean / f[0].mean);
    snprintf(name, sizeof name, "%s, beside OTF2: OTF2's mean pair to ours", place);
    sp_bench_add_value(bench, name, f[2].mean / f[1].mean, "times");
    snprintf(name, sizeof name, "%s, beside OTF2: bytes of OTF2's pair", place);
    sp_bench_add_value(bench, name, (double)sp_bench_bytes_below(options->directory, ".evt") / ((double)count * (blocks + 1)), "bytes");
    snprintf(name, sizeof name, "%s, beside OTF2: resident more after than before", place);
    sp_bench_add_value(bench, name, sum(after) - sum(before), "MiB");
}

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    int is_beside = strstr(options->state, "OTF2") != NULL;
    int count = options->is_short ? RING : is_beside ? OTF2_BLOCK : BLOCK, blocks = options->is_short ? 3 : (int)(options->events / count);
    char place[16];
    sscanf(options->state, "%15s", place);
    blocks = blocks < 3 ? 3 : blocks;
    sp_bench_pin(-1);
    wake_memory((int64_t)count * (blocks + 1) * (is_beside ? 38 : 16));
    sp_init(NULL, 0);
    one = sp_region("one");
    if (is_beside)
        measure_beside_otf2(bench, options, place, count, blocks);
    else
        measure_alone(bench, options, place, count, blocks);
}

int main(int argc, char **argv)
{
    static const char trace[] = "SP_MODE=trace SP_OUTPUT=none";
    static const struct sp_bench_state states[] = {{"tmpfs", trace, SP_BENCH_MEMORY, 0}, {"disk", trace, SP_BENCH_DISK, 0},
        {"tmpfs OTF2", trace, SP_BENCH_MEMORY, 0}, {"disk OTF2", trace, SP_BENCH_DISK, 0}};
    const struct sp_bench_program program = {
        .name = "sustained", .events = 10000000, .states = states, .state_count = sizeof states / sizeof states[0], .measure = measure};
    return sp_bench_main(&program, argc, argv);
}
