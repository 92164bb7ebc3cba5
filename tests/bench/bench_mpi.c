/* SPDX-License-Identifier: BSD-3-Clause */
/* What standing between a program and its MPI adds to a call: of one process with itself or with nobody, so that what is measured is
 * not the other process, and of two with each other. */
#include "sp_bench_child.h"

#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum { CALLS = 500, WARM_UP = 140000 /* calls: twice what the rings hold */ };

static MPI_Request pending;
static int rank;

static void comm_rank(void *data, int count)
{
    (void)data;
    for (int i = 0; i < count; i++)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void barrier(void *data, int count)
{
    (void)data;
    for (int i = 0; i < count; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

static void send_to_nobody(void *data, int count)
{
    double x = 0;
    (void)data;
    for (int i = 0; i < count; i++)
        MPI_Send(&x, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}

static void receive_from_nobody(void *data, int count)
{
    double x = 0;
    (void)data;
    for (int i = 0; i < count; i++)
        MPI_Recv(&x, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange_with_itself(void *data, int count)
{
    double sent = 0, received = 0;
    MPI_Request requests[2];
    (void)data;
    for (int i = 0; i < count; i++) {
        MPI_Irecv(&received, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, &requests[0]);
        MPI_Isend(&sent, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void allreduce(void *data, int count)
{
    double x = 0, sum = 0;
    (void)data;
    for (int i = 0; i < count; i++)
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void test_in_vain(void *data, int count)
{
    int flag;
    (void)data;
    for (int i = 0; i < count; i++)
        MPI_Test(&pending, &flag, MPI_STATUS_IGNORE);
}

static void ping_pong(void *data, int count)
{
    double x = 0;
    (void)data;
    for (int i = 0; i < 2 * count; i++)
        if (i % 2 == rank)
            MPI_Send(&x, 1, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD);
        else
            MPI_Recv(&x, 1, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange_between_two(void *data, int count)
{
    double sent = 0, received = 0;
    MPI_Request requests[2];
    (void)data;
    for (int i = 0; i < count; i++) {
        MPI_Irecv(&received, 1, MPI_DOUBLE, 1 - rank, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&sent, 1, MPI_DOUBLE, 1 - rank, 4, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void allreduce_of_two(void *data, int count)
{
    double x = 0, sum = 0;
    (void)data;
    for (int i = 0; i < count; i++)
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* goal: of what is added, x floor (0: none); there and back are four calls, each of which the other waits for. */
static const struct kind {
    const char *name;
    void (*block)(void *data, int count);
    int processes;
    double goal;
} kinds[] = {
    {"MPI_Comm_rank, a group that is off", comm_rank, 1, 0},
    {"MPI_Barrier on one process", barrier, 1, 1.7},
    {"MPI_Send to MPI_PROC_NULL", send_to_nobody, 1, 1.7},
    {"MPI_Recv from MPI_PROC_NULL", receive_from_nobody, 1, 1.7},
    {"MPI_Irecv, MPI_Isend and MPI_Waitall to itself", exchange_with_itself, 1, 8},
    {"MPI_Allreduce on one process", allreduce, 1, 1.7},
    {"MPI_Test answered with no", test_in_vain, 1, 0},
    {"MPI_Send and MPI_Recv, there and back", ping_pong, 2, 6.8},
    {"MPI_Irecv, MPI_Isend and MPI_Waitall of two", exchange_between_two, 2, 8},
    {"MPI_Allreduce of two", allreduce_of_two, 2, 1.7},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const struct sp_bench_state states[] = {
    {"preload", "SP_OUTPUT=none", SP_BENCH_DISK, 0},
    {"absent", NULL, SP_BENCH_DISK, 0},
    {"call site", "SP_OUTPUT=none SP_CALLSITE=1", SP_BENCH_DISK, 0},
    {"preload, two", "SP_OUTPUT=none", SP_BENCH_DISK, 2},
    {"absent, two", NULL, SP_BENCH_DISK, 2},
};
enum { STATES = sizeof states / sizeof states[0] };

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    static struct sp_bench of_others;
    int in = 0, out = 0, size, blocks = options->is_short ? 3 : 201;
    char name[80];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sp_bench_pin(size == 1 ? -1 : rank);
    barrier(NULL, options->is_short ? 1000 : WARM_UP);
    MPI_Irecv(&in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &pending);
    for (int i = 0; i < KINDS; i++) {
        snprintf(name, sizeof name, "%s: %s", options->state, kinds[i].name);
        if (kinds[i].processes == size)
            sp_bench_measure(rank == 0 ? bench : &of_others, name, kinds[i].block, NULL, CALLS, blocks);
    }
    MPI_Send(&out, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    MPI_Finalize();
}

static const struct sp_bench_row *row_of(const struct sp_bench *bench, const char *state, const struct kind *kind)
{
    char name[80];
    snprintf(name, sizeof name, "%s: %s", state, kind->name);
    for (size_t i = 0; i < bench->row_count; i++)
        if (strcmp(bench->rows[i].name, name) == 0)
            return &bench->rows[i];
    return NULL;
}

static void add_difference(struct sp_bench *bench, const char *what, const struct kind *kind, const char *with, const char *without)
{
    char name[80];
    const struct sp_bench_row *a = row_of(bench, with, kind), *b = row_of(bench, without, kind);
    snprintf(name, sizeof name, "%s: %s", what, kind->name);
    struct sp_bench_row *row = a && b ? sp_bench_add_value(bench, name, a->value.median - b->value.median, "ns") : NULL;
    if (row && bench->floor_ns > 0)
        row->ratio = row->value.median / bench->floor_ns;
    if (row && strcmp(what, "added") == 0)
        row->goal = kind->goal;
}

static void conclude(struct sp_bench *bench)
{
    sp_bench_unite(bench);
    for (size_t i = 0; i < bench->row_count && bench->floor_ns > 0; i++)
        bench->rows[i].ratio = bench->rows[i].value.median / bench->floor_ns;
    for (int i = 0; i < KINDS; i++)
        add_difference(bench, "added", &kinds[i], kinds[i].processes == 1 ? "preload" : "preload, two",
            kinds[i].processes == 1 ? "absent" : "absent, two");
    for (int i = 0; i < KINDS; i++)
        add_difference(bench, "by its call site", &kinds[i], "call site", "preload");
}

int main(int argc, char **argv)
{
    const struct sp_bench_program program = {
        .name = "mpi", .events = 1, .states = states, .state_count = STATES, .turns = 3, .measure = measure, .conclude = conclude};
    return sp_bench_main(&program, argc, argv);
}
