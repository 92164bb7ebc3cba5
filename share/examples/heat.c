/* SPDX-License-Identifier: BSD-3-Clause
 * The 2-D heat equation u_t = u_xx + u_yy on the unit square, implicit Euler in time, Jacobi sweeps for each step.
 * Rows are divided among the ranks. What it prints does not depend on their number.
 *
 *     mpicc -O2 heat.c -o heat -lm -ldl      (with -I to the folder of scope_profiler.h)
 *     mpirun -n 2 -x LD_PRELOAD=libsp_pmpi.so ./heat
 *
 * The last rank is given more rows than the others (--imbalance), which a profile must show. */
#include <mpi.h>
#include <scope_profiler.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct settings {
    int size; /* inner points in each direction */
    int steps;
    int sweeps;       /* Jacobi sweeps a step */
    double imbalance; /* extra work of the last rank, in percent */
    int mock;         /* sleep instead of computing */
    const char *output;
};

struct heat {
    struct settings set;
    int rank, ranks;
    int above, below;    /* neighbours, or MPI_PROC_NULL */
    int first_row, rows; /* this rank's share */
    double *now, *next;  /* rows + 2 rows of size + 2 values, with halo */
    double *right_side;  /* the step's right-hand side */
    double residual;     /* largest change of the last sweep, over all ranks */
    double *row_means;   /* rank 0: of the whole field */
    FILE *file;
};

static size_t at(const struct heat *heat, int row, int column)
{
    return (size_t)row * (size_t)(heat->set.size + 2) + (size_t)column;
}

/* Rows before rank's share: every rank weighs 1, the last one 1 + imbalance. */
static int rows_before(const struct settings *set, int rank, int ranks)
{
    double extra = ranks > 1 && !set->mock ? set->imbalance / 100 : 0;
    if (rank == ranks)
        return set->size;
    return (int)((double)set->size * rank / (ranks + extra));
}

/* Mock work: milliseconds at one rank, shrinking with the number of ranks as a code with 15 % serial work does. */
static void pretend(const struct heat *heat, double milliseconds)
{
    double n = heat->ranks;
    double scaled = milliseconds * (0.15 + 0.85 / n);
    if (heat->ranks > 1 && heat->rank == heat->ranks - 1)
        scaled *= 1 + heat->set.imbalance / 100;
    struct timespec pause = {(time_t)(scaled / 1000), (long)(fmod(scaled, 1000) * 1e6)};
    if (heat->set.mock)
        nanosleep(&pause, NULL);
}

/* Mock work that does not shrink. */
static void pretend_fixed(const struct heat *heat, double milliseconds)
{
    struct timespec pause = {0, (long)(milliseconds * 1e6)};
    if (heat->set.mock)
        nanosleep(&pause, NULL);
}

static double *field_create(const struct heat *heat)
{
    double *field = calloc(at(heat, heat->rows + 2, 0), sizeof *field);
    if (!field) {
        fprintf(stderr, "heat: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return field;
}

static void setup(struct heat *heat)
{
    const double pi = acos(-1);
    double spacing = 1.0 / (heat->set.size + 1);

    SP_BEGIN("setup");
    heat->first_row = rows_before(&heat->set, heat->rank, heat->ranks);
    heat->rows = rows_before(&heat->set, heat->rank + 1, heat->ranks) - heat->first_row;
    heat->above = heat->rank > 0 ? heat->rank - 1 : MPI_PROC_NULL;
    heat->below = heat->rank + 1 < heat->ranks ? heat->rank + 1 : MPI_PROC_NULL;
    heat->now = field_create(heat);
    heat->next = field_create(heat);
    heat->right_side = field_create(heat);
    if (heat->rank == 0)
        heat->row_means = calloc((size_t)heat->set.size, sizeof *heat->row_means);
    for (int i = 1; i <= heat->rows; i++)
        for (int j = 1; j <= heat->set.size; j++)
            heat->now[at(heat, i, j)] =
                sin(pi * spacing * (heat->first_row + i)) * sin(2 * pi * spacing * j) + 0.5 * sin(3 * pi * spacing * j);
    pretend(heat, 60);
    SP_END("setup");
}

static void assemble(struct heat *heat)
{
    SP_BEGIN("assemble");
    memcpy(heat->right_side, heat->now, at(heat, heat->rows + 2, 0) * sizeof *heat->now);
    pretend(heat, 25);
    SP_END("assemble");
}

static void exchange_halo(struct heat *heat)
{
    int count = heat->set.size + 2;
    MPI_Request requests[4];

    SP_BEGIN("halo");
    MPI_Irecv(heat->now + at(heat, 0, 0), count, MPI_DOUBLE, heat->above, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(heat->now + at(heat, heat->rows + 1, 0), count, MPI_DOUBLE, heat->below, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(heat->now + at(heat, heat->rows, 0), count, MPI_DOUBLE, heat->below, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(heat->now + at(heat, 1, 0), count, MPI_DOUBLE, heat->above, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    pretend_fixed(heat, 4.0 * heat->ranks);
    SP_END("halo");
}

/* One Jacobi sweep of (1 + 4 k) u = right side + k * neighbours; returns the largest change. */
static double sweep(struct heat *heat)
{
    const double k = 2.0; /* time step over spacing squared */
    double change = 0;
    for (int i = 1; i <= heat->rows; i++)
        for (int j = 1; j <= heat->set.size; j++) {
            size_t p = at(heat, i, j);
            double around = (heat->now[at(heat, i - 1, j)] + heat->now[at(heat, i + 1, j)]) + (heat->now[p - 1] + heat->now[p + 1]);
            double value = (heat->right_side[p] + k * around) / (1 + 4 * k);
            change = fmax(change, fabs(value - heat->now[p]));
            heat->next[p] = value;
        }
    return change;
}

static void solve(struct heat *heat)
{
    SP_BEGIN("solve");
    double change = sweep(heat);
    double *swap = heat->now;
    heat->now = heat->next;
    heat->next = swap;
    pretend(heat, 60);
    MPI_Allreduce(&change, &heat->residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    SP_END("solve");
}

/* Gathers the means of all rows on rank 0, which appends them to the output file if one was asked for. */
static void write_means(struct heat *heat)
{
    SP_BEGIN("io");
    double *means = calloc((size_t)heat->rows + 1, sizeof *means);
    int *counts = calloc((size_t)heat->ranks, sizeof *counts), *starts = calloc((size_t)heat->ranks, sizeof *starts);
    for (int i = 0; i < heat->rows; i++)
        for (int j = 1; j <= heat->set.size; j++)
            means[i] += heat->now[at(heat, i + 1, j)] / heat->set.size;
    for (int r = 0; r < heat->ranks; r++) {
        starts[r] = rows_before(&heat->set, r, heat->ranks);
        counts[r] = rows_before(&heat->set, r + 1, heat->ranks) - starts[r];
    }
    MPI_Gatherv(means, heat->rows, MPI_DOUBLE, heat->row_means, counts, starts, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; heat->file && i < heat->set.size; i++)
        fprintf(heat->file, "%.9e%c", heat->row_means[i], i + 1 < heat->set.size ? ' ' : '\n');
    pretend_fixed(heat, 12);
    free(means);
    free(counts);
    free(starts);
    SP_END("io");
}

static void run(struct heat *heat)
{
    for (int step = 1; step <= heat->set.steps; step++) {
        SP_BEGIN("step");
        assemble(heat);
        for (int i = 0; i < heat->set.sweeps; i++) {
            exchange_halo(heat);
            solve(heat);
        }
        if (step % 2 == 0)
            write_means(heat);
        SP_END("step");
    }
}

/* Added up as integers, so that the order of the ranks cannot show. */
static void print_result(const struct heat *heat)
{
    int64_t sum = 0, total = 0;
    for (int i = 1; i <= heat->rows; i++)
        for (int j = 1; j <= heat->set.size; j++)
            sum += llround(heat->now[at(heat, i, j)] * 1e9);
    MPI_Reduce(&sum, &total, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (heat->rank == 0)
        printf("heat: %d x %d points, %d steps, residual %.6e, checksum %.9f\n", heat->set.size, heat->set.size, heat->set.steps,
            heat->residual, (double)total * 1e-9);
}

static void heat_close(struct heat *heat)
{
    if (heat->file)
        fclose(heat->file);
    free(heat->now);
    free(heat->next);
    free(heat->right_side);
    free(heat->row_means);
}

static const char usage[] = "usage: heat [--size N] [--steps N] [--sweeps N] [--imbalance PERCENT] [--mock] [--output FILE]\n"
                            "--mock sleeps instead of computing, so that scaling shows on a machine with few cores\n";

/* 0, or -1 where an argument is wrong. */
static int settings_read(struct settings *set, int argc, char **argv)
{
    int size = 0, steps = 0, sweeps = 0;
    *set = (struct settings){.imbalance = 25};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--mock") == 0) {
            set->mock = 1;
            continue;
        }
        if (strcmp(argv[i], "--size") == 0)
            size = atoi(value);
        else if (strcmp(argv[i], "--steps") == 0)
            steps = atoi(value);
        else if (strcmp(argv[i], "--sweeps") == 0)
            sweeps = atoi(value);
        else if (strcmp(argv[i], "--imbalance") == 0)
            set->imbalance = atof(value);
        else if (strcmp(argv[i], "--output") == 0)
            set->output = value;
        else
            return -1;
        i++;
    }
    set->size = size ? size : set->mock ? 64 : 768;
    set->steps = steps ? steps : set->mock ? 3 : 10;
    set->sweeps = sweeps ? sweeps : set->mock ? 1 : 20;
    return set->size < 1 || set->steps < 1 || set->sweeps < 1 || set->imbalance < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    struct heat heat = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &heat.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &heat.ranks);
    int wrong = settings_read(&heat.set, argc, argv);
    if (wrong && heat.rank == 0)
        fputs(usage, stderr);
    if (!wrong && heat.rank == 0 && heat.set.output && !(heat.file = fopen(heat.set.output, "w"))) {
        perror(heat.set.output);
        wrong = 1;
    }
    MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!wrong) {
        setup(&heat);
        run(&heat);
        print_result(&heat);
    }
    heat_close(&heat);
    MPI_Finalize();
    return wrong ? 2 : 0;
}
