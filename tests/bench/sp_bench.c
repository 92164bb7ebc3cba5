/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sched_setaffinity */
#include "sp_bench.h"
#include "sp_clock.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

int64_t sp_bench_now_ns(void)
{
    return sp_clock_monotonic_ns();
}

void sp_bench_pin(void)
{
    cpu_set_t set;
    int core = sched_getcpu();
    CPU_ZERO(&set);
    CPU_SET((size_t)(core < 0 ? 0 : core), &set);
    sched_setaffinity(0, sizeof set, &set);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sp_bench_median_ns(void (*block)(void *data, int count), void *data, int count, int blocks)
{
    double *ns = calloc((size_t)blocks, sizeof *ns);
    if (!ns)
        return 0;
    block(data, count);
    for (int i = 0; i < blocks; i++) {
        int64_t start = sp_bench_now_ns();
        block(data, count);
        ns[i] = (double)(sp_bench_now_ns() - start) / count;
    }
    qsort(ns, (size_t)blocks, sizeof *ns, compare);
    double median = ns[blocks / 2];
    free(ns);
    return median;
}

struct floor_data {
    uint32_t source;
    struct {
        uint64_t start, duration;
    } * buffer;
};

static void floor_block(void *data, int count)
{
    struct floor_data *f = data;
    for (int i = 0; i < count; i++) {
        uint64_t start = sp_clock_now(f->source);
        uint64_t end = sp_clock_now(f->source);
        __asm__ volatile("" : : : "memory");
        f->buffer[i].start = start;
        f->buffer[i].duration = end - start;
    }
}

double sp_bench_floor_ns(void)
{
    enum { COUNT = 2000, BLOCKS = 501 };
    struct floor_data f = {sp_clock_choose("auto"), calloc(COUNT, 16)};
    double ns = f.buffer ? sp_bench_median_ns(floor_block, &f, COUNT, BLOCKS) : 0;
    free(f.buffer);
    return ns;
}

void sp_bench_add(struct sp_bench *bench, const char *name, double value, const char *unit, double ratio)
{
    if (bench->case_count == sizeof bench->cases / sizeof bench->cases[0])
        return;
    struct sp_bench_case *c = &bench->cases[bench->case_count++];
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(c->unit, sizeof c->unit, "%s", unit);
    c->value = value;
    c->ratio = ratio;
}

static void print_json(const struct sp_bench *bench)
{
    printf("{\"benchmark\": \"%s\", \"floor_ns\": %.3f, \"cases\": [", bench->name, bench->floor_ns);
    for (size_t i = 0; i < bench->case_count; i++) {
        const struct sp_bench_case *c = &bench->cases[i];
        printf("%s\n  {\"name\": \"%s\", \"value\": %.3f, \"unit\": \"%s\", \"ratio\": ", i ? "," : "", c->name, c->value, c->unit);
        if (c->ratio > 0)
            printf("%.3f}", c->ratio);
        else
            printf("null}");
    }
    printf("\n]}\n");
}

static void print_table(const struct sp_bench *bench)
{
    printf("%s: floor %.2f ns\n", bench->name, bench->floor_ns);
    for (size_t i = 0; i < bench->case_count; i++) {
        const struct sp_bench_case *c = &bench->cases[i];
        printf("  %-44s %10.2f %-8s", c->name, c->value, c->unit);
        if (c->ratio > 0)
            printf(" %6.2f x", c->ratio);
        printf("\n");
    }
}

void sp_bench_print(const struct sp_bench *bench, int as_json)
{
    if (as_json)
        print_json(bench);
    else
        print_table(bench);
}
