/* SPDX-License-Identifier: BSD-3-Clause */
/* The file at the end of a run: how fast it is written, beside plain HDF5 writing the same bytes to the same folder, and how large
 * it is. */
#include "sp_bench_child.h"
#include "sp_bench_run.h"
#include "sp_hdf5.h"

#include <scope_profiler.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCKS = 3, EVENT_BYTES = 20, SHORT_EVENTS = 400000, COMPRESSED_EVENTS = 5000000 };

/* A subject: the same run, written in a way. */
struct writing {
    MPI_Comm communicator;
    const struct sp_bench_run_images *run;
    const char *path, *compression;
    int64_t rows;               /* of a rank */
    int to_disk;                /* plain: until it is on disk, as ours */
    int64_t file_bytes, events; /* after it was written */
};

static void write_ours(void *data, int count)
{
    struct writing *w = data;
    (void)count;
    struct sp_writer_result result = sp_bench_write(w->communicator, w->run, w->path, w->compression);
    w->file_bytes = result.file_bytes;
    w->events = (int64_t)result.event_count;
    MPI_Barrier(w->communicator);
}

static void bring_to_disk(const char *path)
{
    int fd = open(path, O_RDWR);
    if (fd < 0 || fsync(fd) < 0)
        perror(path);
    close(fd);
}

/* A contiguous dataset over all ranks, each its slab, at once. */
static herr_t write_column(hid_t file, const char *name, hid_t type, int rank, int size, hsize_t rows, const void *values)
{
    hsize_t all = rows * (hsize_t)size, first = rows * (hsize_t)rank;
    hid_t space = H5Screate_simple(1, &all, NULL), slab = H5Screate_simple(1, &rows, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &rows, NULL);
    herr_t status = H5Dwrite(dataset, type, slab, space, transfer, values);
    H5Dclose(dataset);
    H5Pclose(transfer);
    H5Pclose(creation);
    H5Sclose(slab);
    H5Sclose(space);
    return status;
}

static void write_plain(void *data, int count)
{
    const struct writing *w = data;
    int rank, size;
    (void)count;
    MPI_Comm_rank(w->communicator, &rank);
    MPI_Comm_size(w->communicator, &size);
    unlink(w->path);
    MPI_Barrier(w->communicator);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, w->communicator, MPI_INFO_NULL);
    hid_t file = H5Fcreate(w->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    /* the content does not matter: rows of the spill files, as they lie there */
    const void *values = w->run->lanes;
    if (write_column(file, "start", H5T_NATIVE_INT64, rank, size, (hsize_t)w->rows, values) < 0 ||
        write_column(file, "duration", H5T_NATIVE_INT64, rank, size, (hsize_t)w->rows, values) < 0 ||
        write_column(file, "callpath", H5T_NATIVE_INT32, rank, size, (hsize_t)w->rows, values) < 0)
        fprintf(stderr, "%s: plain HDF5 cannot write\n", w->path);
    if (w->to_disk)
        H5Fflush(file, H5F_SCOPE_GLOBAL);
    H5Fclose(file);
    H5Pclose(access);
    if (w->to_disk && rank == 0)
        bring_to_disk(w->path);
    MPI_Barrier(w->communicator);
}

static const char *name_of(const struct sp_bench_options *options, const char *what)
{
    static char name[80];
    snprintf(name, sizeof name, "%.20s: %.55s", options->state, what);
    return name;
}

static double megabytes_per_second(double ns_per_event)
{
    return ns_per_event > 0 ? EVENT_BYTES * 1e3 / ns_per_event : 0;
}

static struct sp_bench_figures rate_of(struct sp_bench_figures f)
{
    return (struct sp_bench_figures){
        megabytes_per_second(f.median), megabytes_per_second(f.high), megabytes_per_second(f.low), megabytes_per_second(f.mean)};
}

/* ours and plain are in turn, so that both meet the same disk and the same neighbours. */
static void measure_rate(struct sp_bench *bench, const struct sp_bench_options *options, const struct writing *base)
{
    enum { OURS, PLAIN, CACHED, SUBJECTS };
    struct writing w[SUBJECTS] = {*base, *base, *base};
    w[OURS].compression = "none";
    w[PLAIN].to_disk = 1;
    const struct sp_bench_subject subjects[] = {{write_ours, &w[OURS]}, {write_plain, &w[PLAIN]}, {write_plain, &w[CACHED]}};
    struct sp_bench_figures figures[SUBJECTS];
    int rank, size;
    MPI_Comm_rank(base->communicator, &rank);
    MPI_Comm_size(base->communicator, &size);
    int events = (int)base->rows * size;
    if (sp_bench_run(subjects, SUBJECTS, events, options->is_short ? 1 : BLOCKS, sp_bench_wall_ns, figures) < 0 || rank != 0)
        return;
    sp_bench_add_value(bench, name_of(options, "events"), (double)w[OURS].events / 1e6, "million");
    sp_bench_add(bench, name_of(options, "uncompressed"), "MB/s", rate_of(figures[OURS]), 0);
    sp_bench_add(bench, name_of(options, "plain HDF5"), "MB/s", rate_of(figures[PLAIN]), 0);
    sp_bench_add(bench, name_of(options, "plain HDF5, left in the page cache"), "MB/s", rate_of(figures[CACHED]), 0);
    sp_bench_add_value(bench, name_of(options, "uncompressed, rate to plain HDF5's"), figures[PLAIN].median / figures[OURS].median, "times")
        ->goal = 0.8;
}

/* With SP_COMPRESSION=auto and none in turn. */
static void measure_compressed(
    struct sp_bench *bench, const struct sp_bench_options *options, const struct writing *base, const char *trace, double goal)
{
    struct writing w[] = {*base, *base};
    char what[80];
    w[1].compression = "none";
    const struct sp_bench_subject subjects[] = {{write_ours, &w[0]}, {write_ours, &w[1]}};
    struct sp_bench_figures figures[2];
    int rank, size;
    MPI_Comm_rank(base->communicator, &rank);
    MPI_Comm_size(base->communicator, &size);
    int events = (int)base->rows * size;
    if (sp_bench_run(subjects, 2, events, options->is_short ? 1 : BLOCKS, sp_bench_wall_ns, figures) < 0 || rank != 0)
        return;
    snprintf(what, sizeof what, "%s trace, compressed: an event", trace);
    sp_bench_add_value(bench, name_of(options, what), (double)w[0].file_bytes / (double)w[0].events, "bytes")->goal = goal;
    snprintf(what, sizeof what, "%s trace, compressed: shrinks by", trace);
    sp_bench_add_value(bench, name_of(options, what), (double)w[1].file_bytes / (double)w[0].file_bytes, "times");
    snprintf(what, sizeof what, "%s trace, compressed: time to uncompressed", trace);
    sp_bench_add_value(bench, name_of(options, what), figures[0].median / figures[1].median, "times")->goal = 2;
}

/* Of a trace of so many events or, where that is less, COMPRESSED_EVENTS. */
static void measure_trace(
    struct sp_bench *bench, const struct sp_bench_options *options, MPI_Comm communicator, int64_t events, const char *trace)
{
    int rank, size, is_jittered = strcmp(trace, "jittered") == 0, is_for_rate = strcmp(trace, "uncompressed") == 0;
    struct sp_bench_run_images run;
    char path[4096];
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    snprintf(path, sizeof path, "%s/run.h5", options->directory);
    int64_t steps = (is_for_rate || events < COMPRESSED_EVENTS ? events : COMPRESSED_EVENTS) / size / SP_BENCH_STEP_EVENTS;
    sp_bench_solver_make(&run, rank, size, steps, is_jittered);
    struct writing base = {.communicator = communicator, .run = &run, .path = path, .rows = steps * SP_BENCH_STEP_EVENTS};
    if (is_for_rate)
        measure_rate(bench, options, &base);
    else
        measure_compressed(bench, options, &base, trace, is_jittered ? 6 : 3);
    sp_bench_run_free(&run);
    unlink(path);
}

static void measure_writer(struct sp_bench *bench, const struct sp_bench_options *options, int64_t events)
{
    static const char *const traces[] = {"uncompressed", "regular", "jittered"};
    MPI_Comm communicator;
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    sp_hdf5_init();
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++)
        measure_trace(bench, options, communicator, events, traces[i]);
    MPI_Comm_free(&communicator);
    MPI_Finalize();
}

/* Recorded for real: three halo exchanges in a ring, a stencil and a reduction a step. */
static void solver_step(double *field, int length, int rank, int size)
{
    double ends[2], sum = 0;
    SP_BEGIN("step");
    for (int side = 0; side < 3; side++) {
        SP_BEGIN("halo");
        MPI_Sendrecv(field, 1, MPI_DOUBLE, (rank + 1) % size, 1, ends, 1, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
        SP_END("halo");
    }
    SP_BEGIN("stencil");
    for (int i = 1; i + 1 < length; i++)
        field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
    SP_END("stencil");
    sum = field[length / 2] + ends[0];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    field[0] = sum;
    SP_END("step");
}
enum { SOLVER_EVENTS = 9 };

static void measure_recorded(struct sp_bench *bench, const struct sp_bench_options *options, const char *path, int64_t events)
{
    int rank, size;
    double field[4096] = {0};
    struct stat file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int64_t i = 0; i < events / size / SOLVER_EVENTS; i++)
        solver_step(field, sizeof field / sizeof field[0], rank, size);
    MPI_Finalize();
    if (rank != 0 || stat(path, &file) < 0)
        return;
    if (events < 1000)
        sp_bench_add_value(bench, name_of(options, "the file"), (double)file.st_size / 1024, "KiB")->goal = 100;
    else
        sp_bench_add_value(bench, name_of(options, "an event, with its messages"), (double)file.st_size / (double)events, "bytes");
}

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/run.h5", options->directory);
    if (strcmp(options->state, "200 events recorded") == 0)
        measure_recorded(bench, options, path, 200);
    else if (strcmp(options->state, "recorded solver") == 0)
        measure_recorded(bench, options, path, options->is_short ? 20000 : 200000);
    else
        measure_writer(bench, options, options->is_short ? SHORT_EVENTS : options->events);
}

int main(int argc, char **argv)
{
    static const char record[] = "SP_MODE=trace SP_OUTPUT=run.h5";
    static const struct sp_bench_state states[] = {{"tmpfs", NULL, SP_BENCH_MEMORY, 2}, {"disk", NULL, SP_BENCH_DISK, 2},
        {"200 events recorded", record, SP_BENCH_DISK, 2}, {"recorded solver", record, SP_BENCH_DISK, 2}};
    const struct sp_bench_program program = {
        .name = "writer", .events = 5000000, .states = states, .state_count = sizeof states / sizeof states[0], .measure = measure};
    return sp_bench_main(&program, argc, argv);
}
