/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of many ranks, written by few processes: what the ranks have in common must stand in the file once, and nothing that one
 * process does may grow faster than the ranks. */
#include "sp_bench_child.h"
#include "sp_bench_run.h"
#include "sp_hdf5.h"
#include "sp_part.h"
#include "sp_unify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double ms_since(int64_t start)
{
    return (double)(sp_bench_wall_ns() - start) / 1e6;
}

static void add(struct sp_bench *bench, const char *of, const char *what, double value, const char *unit)
{
    char name[80];
    snprintf(name, sizeof name, "%s: %s", of, what);
    sp_bench_add_value(bench, name, value, unit);
}

/* Groups and datasets below and with a group. */
static int count_objects(hid_t group)
{
    H5G_info_t info = {0};
    int count = 1;
    char name[64];
    H5Gget_info(group, &info);
    for (hsize_t i = 0; i < info.nlinks; i++) {
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        count += H5Iget_type(object) == H5I_GROUP ? count_objects(object) : 1;
        H5Oclose(object);
    }
    return count;
}

static double stored_bytes(hid_t file, const char *name)
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    double bytes = (double)H5Dget_storage_size(dataset);
    H5Dclose(dataset);
    return bytes;
}

static void look_into(struct sp_bench *bench, const char *of, const struct sp_writer_result *result)
{
    hid_t file = sp_hdf5_open(result->path, H5F_ACC_RDONLY);
    if (file < 0)
        return;
    add(bench, of, "the file, a rank", (double)result->file_bytes / result->rank_count, "bytes");
    add(bench, of, "names and paths", stored_bytes(file, "strings") + stored_bytes(file, "regions") + stored_bytes(file, "callpaths"),
        "bytes");
    add(bench, of, "HDF5 objects", count_objects(file), "objects");
    H5Fclose(file);
}

/* The steps before the file, each for itself: the slowest process counts. */
static void time_steps(const struct sp_bench_run_images *run, MPI_Comm communicator, double ms[2])
{
    struct sp_team team;
    struct sp_error err = {0};
    struct sp_part *part;
    struct sp_dictionary *united;
    struct sp_dictionary_map map;
    MPI_Barrier(communicator);
    int64_t start = sp_bench_wall_ns();
    if (sp_team_init(&team, &communicator, &err) < 0 || sp_part_open(run->sources, run->count, &part, &err) < 0)
        MPI_Abort(communicator, 1);
    ms[0] = ms_since(start);
    MPI_Barrier(communicator);
    start = sp_bench_wall_ns();
    if (sp_unify(&team, part->dictionary, &united, &map, &err) < 0)
        MPI_Abort(communicator, 1);
    ms[1] = ms_since(start);
    sp_dictionary_map_free(&map);
    sp_dictionary_destroy(united);
    sp_part_close(part);
    MPI_Allreduce(MPI_IN_PLACE, ms, 2, MPI_DOUBLE, MPI_MAX, communicator);
}

static void measure_run(struct sp_bench *bench, const struct sp_bench_options *options, MPI_Comm communicator, int ranks, int has_own_names)
{
    int process, processes;
    char of[48], path[4096];
    double ms[2];
    struct sp_bench_run_images run;
    MPI_Comm_rank(communicator, &process);
    MPI_Comm_size(communicator, &processes);
    int first = (int)((int64_t)ranks * process / processes), end = (int)((int64_t)ranks * (process + 1) / processes);
    sp_bench_run_make(&run, first, end, ranks, has_own_names);
    time_steps(&run, communicator, ms);
    snprintf(path, sizeof path, "%s/run.h5", options->directory);
    MPI_Barrier(communicator);
    int64_t start = sp_bench_wall_ns();
    struct sp_writer_result result = sp_bench_write(communicator, &run, path, NULL);
    double whole = ms_since(start);
    sp_bench_run_free(&run);
    if (process != 0)
        return;
    snprintf(of, sizeof of, "%s, %d ranks%s", options->state, ranks, has_own_names ? ", own names" : "");
    add(bench, of, "reading what they left", ms[0], "ms");
    add(bench, of, "uniting names", ms[1], "ms");
    add(bench, of, "all", whole, "ms");
    look_into(bench, of, &result);
    unlink(path);
}

static void measure(struct sp_bench *bench, const struct sp_bench_options *options)
{
    MPI_Comm communicator;
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    sp_hdf5_init();
    int most = options->is_short ? 1000 : (int)options->events;
    for (int has_own_names = 0; has_own_names < 2; has_own_names++)
        for (int ranks = most / 100; ranks <= most; ranks *= 10)
            measure_run(bench, options, communicator, ranks, has_own_names);
    MPI_Comm_free(&communicator);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    static const struct sp_bench_state states[] = {{"1 process", NULL, SP_BENCH_DISK, 1}, {"2 processes", NULL, SP_BENCH_DISK, 2}};
    const struct sp_bench_program program = {.name = "ranks",
        .events = 100000, /* ranks, at most */
        .states = states,
        .state_count = sizeof states / sizeof states[0],
        .measure = measure};
    return sp_bench_main(&program, argc, argv);
}
