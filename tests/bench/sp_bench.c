/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sched_setaffinity */
#include "sp_bench.h"
#include "sp_clock.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t sp_bench_wall_ns(void)
{
    return sp_clock_monotonic_ns();
}

int64_t sp_bench_thread_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void sp_bench_pin(int core)
{
    cpu_set_t set;
    if (core < 0)
        core = sched_getcpu();
    CPU_ZERO(&set);
    CPU_SET((size_t)(core < 0 ? 0 : core), &set);
    sched_setaffinity(0, sizeof set, &set);
}

struct stamp {
    uint64_t start, duration;
};
enum { STAMPS = 2048 };

static void floor_block(void *data, int count)
{
    struct stamp buffer[STAMPS];
    uint32_t source = *(const uint32_t *)data;
    for (int done = 0; done < count; done += STAMPS) {
        int n = count - done < STAMPS ? count - done : STAMPS;
        for (int i = 0; i < n; i++) {
            uint64_t start = sp_clock_now(source), end = sp_clock_now(source);
            buffer[i].start = start;
            buffer[i].duration = end - start;
            __asm__ volatile("" : : "r"(&buffer[i]) : "memory");
        }
    }
}

struct sp_bench_subject sp_bench_floor(void)
{
    static uint32_t source;
    uint32_t chosen = sp_clock_choose("auto");
    __atomic_store_n(&source, chosen, __ATOMIC_RELAXED);
    return (struct sp_bench_subject){floor_block, &source};
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct sp_bench_figures figures_of(double *ns, int blocks)
{
    struct sp_bench_figures f = {0};
    for (int i = 0; i < blocks; i++)
        f.mean += ns[i] / blocks;
    qsort(ns, (size_t)blocks, sizeof *ns, compare);
    f.median = ns[blocks / 2];
    f.low = ns[blocks / 4];
    f.high = ns[blocks * 3 / 4];
    return f;
}

int sp_bench_run(const struct sp_bench_subject *subjects, int subject_count, int count, int blocks, sp_bench_clock *clock,
    struct sp_bench_figures *figures)
{
    double *ns = calloc((size_t)blocks * (size_t)subject_count, sizeof *ns);
    if (!ns)
        return -1;
    for (int s = 0; s < subject_count; s++)
        subjects[s].block(subjects[s].data, count);
    for (int b = 0; b < blocks; b++)
        for (int s = 0; s < subject_count; s++) {
            int64_t start = clock();
            subjects[s].block(subjects[s].data, count);
            ns[s * blocks + b] = (double)(clock() - start) / count;
        }
    for (int s = 0; s < subject_count; s++)
        figures[s] = figures_of(ns + s * blocks, blocks);
    free(ns);
    return 0;
}

struct sp_bench_row *sp_bench_add(struct sp_bench *bench, const char *name, const char *unit, struct sp_bench_figures value, double ratio)
{
    if (bench->row_count == sizeof bench->rows / sizeof bench->rows[0])
        return NULL;
    struct sp_bench_row *row = &bench->rows[bench->row_count++];
    *row = (struct sp_bench_row){.value = value, .ratio = ratio};
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->unit, sizeof row->unit, "%s", unit);
    return row;
}

struct sp_bench_row *sp_bench_add_value(struct sp_bench *bench, const char *name, double value, const char *unit)
{
    return sp_bench_add(bench, name, unit, (struct sp_bench_figures){.median = value, .mean = value}, 0);
}

static const struct sp_bench_row *find(const struct sp_bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->row_count; i++)
        if (strcmp(bench->rows[i].name, name) == 0)
            return &bench->rows[i];
    return NULL;
}

void sp_bench_add_quotient(struct sp_bench *bench, const char *name, const char *over, const char *under)
{
    const struct sp_bench_row *a = find(bench, over), *b = find(bench, under);
    if (a && b && b->value.median > 0)
        sp_bench_add_value(bench, name, a->value.median / b->value.median, "times");
}

/* The row and those after it of the same name: as figures; they are taken out. */
static struct sp_bench_figures take_equal(struct sp_bench *bench, size_t first)
{
    double values[sizeof bench->rows / sizeof bench->rows[0]];
    int count = 0;
    size_t kept = first + 1;
    values[count++] = bench->rows[first].value.median;
    for (size_t i = first + 1; i < bench->row_count; i++)
        if (strcmp(bench->rows[i].name, bench->rows[first].name) == 0)
            values[count++] = bench->rows[i].value.median;
        else
            bench->rows[kept++] = bench->rows[i];
    bench->row_count = kept;
    return figures_of(values, count);
}

void sp_bench_unite(struct sp_bench *bench)
{
    for (size_t i = 0; i < bench->row_count; i++)
        bench->rows[i].value = take_equal(bench, i);
}

void sp_bench_skip(struct sp_bench *bench, const char *why)
{
    for (size_t i = 0; i < bench->skipped_count; i++)
        if (strcmp(bench->skipped[i], why) == 0)
            return;
    if (bench->skipped_count < sizeof bench->skipped / sizeof bench->skipped[0])
        snprintf(bench->skipped[bench->skipped_count++], sizeof bench->skipped[0], "%s", why);
}

void sp_bench_send(const struct sp_bench *bench)
{
    for (size_t i = 0; i < bench->row_count; i++) {
        const struct sp_bench_row *r = &bench->rows[i];
        printf("row\t%s\t%s\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", r->name, r->unit, r->value.median, r->value.low, r->value.high,
            r->value.mean, r->ratio, r->goal);
    }
    for (size_t i = 0; i < bench->skipped_count; i++)
        printf("skipped\t%s\n", bench->skipped[i]);
    fflush(stdout);
}

void sp_bench_receive(struct sp_bench *bench, char *line)
{
    struct sp_bench_row r = {0};
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "skipped\t", 8) == 0)
        sp_bench_skip(bench, line + 8);
    if (sscanf(line, "row\t%79[^\t]\t%15[^\t]\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf", r.name, r.unit, &r.value.median, &r.value.low, &r.value.high,
            &r.value.mean, &r.ratio, &r.goal) != 8)
        return;
    struct sp_bench_row *row = sp_bench_add(bench, r.name, r.unit, r.value, r.ratio);
    if (row)
        row->goal = r.goal;
}

void sp_bench_print_table(const struct sp_bench *bench)
{
    fprintf(stderr, "%s", bench->name);
    if (bench->floor_ns > 0)
        fprintf(stderr, ": floor %.2f ns", bench->floor_ns);
    fputc('\n', stderr);
    fprintf(stderr, "  %-58s %10s %-6s %9s %9s %9s %8s\n", "", "median", "", "quartiles", "", "mean", "x floor");
    for (size_t i = 0; i < bench->row_count; i++) {
        const struct sp_bench_row *r = &bench->rows[i];
        fprintf(stderr, "  %-58s %10.2f %-6s", r->name, r->value.median, r->unit);
        if (r->value.high > 0)
            fprintf(stderr, " %9.2f %9.2f %9.2f", r->value.low, r->value.high, r->value.mean);
        if (r->ratio > 0)
            fprintf(stderr, " %8.2f", r->ratio);
        if (r->goal > 0)
            fprintf(stderr, "%*s (goal %g)", r->value.high > 0 ? 0 : 38, "", r->goal);
        fputc('\n', stderr);
    }
    for (size_t i = 0; i < bench->skipped_count; i++)
        fprintf(stderr, "  skipped: %s\n", bench->skipped[i]);
}

static void print_number(const char *key, double number)
{
    if (number > 0)
        printf(", \"%s\": %.4f", key, number);
    else
        printf(", \"%s\": null", key);
}

void sp_bench_print_json(const struct sp_bench *bench)
{
    printf("{\"benchmark\": \"%s\", \"floor_ns\": %.3f, \"rows\": [", bench->name, bench->floor_ns);
    for (size_t i = 0; i < bench->row_count; i++) {
        const struct sp_bench_row *r = &bench->rows[i];
        printf("%s\n  {\"name\": \"%s\", \"unit\": \"%s\", \"value\": %.4f", i ? "," : "", r->name, r->unit, r->value.median);
        print_number("low_quartile", r->value.low);
        print_number("high_quartile", r->value.high);
        print_number("mean", r->value.high > 0 ? r->value.mean : 0);
        print_number("ratio", r->ratio);
        print_number("goal", r->goal);
        printf("}");
    }
    printf("\n], \"skipped\": [");
    for (size_t i = 0; i < bench->skipped_count; i++)
        printf("%s\"%s\"", i ? ", " : "", bench->skipped[i]);
    printf("]}\n");
}
