/* SPDX-License-Identifier: BSD-3-Clause */
/* What standing between a program and its MPI adds to a call. All calls here are of one process with itself or with nobody, so that
 * what is measured is not the other process. */
#include "sp_bench_child.h"

#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum { CALLS = 500, WARM_UP = 140000 /* calls: twice what the rings hold */ };

static MPI_Request pending;

static void comm_rank(void *data, int count)
{
    int rank;
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

static const struct {
    const char *name;
    void (*block)(void *data, int count);
} kinds[] = {
    {"MPI_Comm_rank, a group that is off", comm_rank},
    {"MPI_Barrier on one process", barrier},
    {"MPI_Send to MPI_PROC_NULL", send_to_nobody},
    {"MPI_Recv from MPI_PROC_NULL", receive_from_nobody},
    {"MPI_Irecv, MPI_Isend and MPI_Waitall to itself", exchange_with_itself},
    {"MPI_Allreduce on one process", allreduce},
    {"MPI_Test answered with no", test_in_vain},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    int in = 0, out = 0, blocks = options->is_short ? 3 : 201;
    char name[80];
    MPI_Init(NULL, NULL);
    sp_bench_pin(-1);
    barrier(NULL, options->is_short ? 1000 : WARM_UP);
    MPI_Irecv(&in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &pending);
    for (int i = 0; i < KINDS; i++) {
        snprintf(name, sizeof name, "%s: %s", options->state, kinds[i].name);
        sp_bench_measure(bench, name, kinds[i].block, NULL, CALLS, blocks);
    }
    MPI_Send(&out, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    MPI_Finalize();
}

static double median_of(const struct sp_bench *bench, const char *state, const char *kind)
{
    char name[80];
    snprintf(name, sizeof name, "%s: %s", state, kind);
    for (size_t i = 0; i < bench->row_count; i++)
        if (strcmp(bench->rows[i].name, name) == 0)
            return bench->rows[i].value.median;
    return 0;
}

static void conclude(struct sp_bench *bench)
{
    char name[80];
    for (int i = 0; i < KINDS; i++) {
        double added = median_of(bench, "preload", kinds[i].name) - median_of(bench, "absent", kinds[i].name);
        snprintf(name, sizeof name, "added: %s", kinds[i].name);
        struct sp_bench_row *row = sp_bench_add_value(bench, name, added, "ns");
        if (row && bench->floor_ns > 0)
            row->ratio = added / bench->floor_ns;
    }
}

int main(int argc, char **argv)
{
    static const struct sp_bench_state states[] = {
        {"preload", "SP_OUTPUT=none", SP_BENCH_DISK, 0},
        {"absent", NULL, SP_BENCH_DISK, 0},
    };
    const struct sp_bench_program program = {.name = "mpi",
        .events = 1,
        .states = states,
        .state_count = sizeof states / sizeof states[0],
        .measure = measure,
        .conclude = conclude};
    return sp_bench_main(&program, argc, argv);
}
