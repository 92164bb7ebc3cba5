#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs with an HDF5 of their own ($1: serial, or the parallel one of this MPI), closed in time or left open until MPI_Finalize.
# shellcheck source=tests/mpi/life/life.sh
. "$(dirname "$0")/life.sh"
flavour=$1
if [ "$flavour" = parallel ]; then package=hdf5-$build_mpi; else package=hdf5-serial; fi
pkg-config --exists "$package" || skip "no $package here"
need h5dump

cat >own.c <<'C'
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, values[100], leave = argc > 1 && strcmp(argv[1], "leave") == 0;
    char name[40];
    unsigned major, minor, release;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#ifdef H5_HAVE_PARALLEL
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    snprintf(name, sizeof name, "own.data");
#else
    snprintf(name, sizeof name, "own%d.data", rank);
#endif
    hsize_t count = 100;
    for (int i = 0; i < 100; i++)
        values[i] = i * i;
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t set = H5Dcreate2(file, "values", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (!leave) {
        H5Dclose(set);
        H5Sclose(space);
        H5Fclose(file);
        H5Pclose(access);
    }
    H5get_libversion(&major, &minor, &release);
    if (rank == 0)
        printf("HDF5 %u.%u.%u\n", major, minor, release);
    MPI_Finalize();
    return 0;
}
C
read -ra flags <<<"$(pkg-config --cflags --libs "$package")"
"$build_mpicc" own.c -o own "${flags[@]}" 2>compile.log || { cat compile.log >&2; fail "compiling"; finish; }

for way in close leave; do
    for ranks in 1 2; do
        name="$flavour HDF5, $way, $ranks ranks"
        rm -f own*.data
        observe plain run_mpi $ranks ./own $way
        for file in own*.data; do h5dump "$file" >"$file.plain" 2>&1 || true; done
        rm -f own*.data
        observe recorded run_mpi $ranks "LD_PRELOAD=$build_preload" "SP_SPILL_DIR=$SP_SPILL_DIR" SP_OUTPUT=run.h5 ./own $way
        unharmed "$name"
        same "$name: stderr of its own" plain.own recorded.own
        for file in own*.data; do
            h5dump "$file" >"$file.recorded" 2>&1 || true
            same "$name: $file" "$file.plain" "$file.recorded"
        done
        if [ "$flavour" = serial ]; then # the parallel one has barriers of its own
            count_is "$name" $((10 * ranks)) run.h5
        else
            holds "$name: its barriers are in the file" test "$(barriers run.h5)" -ge $((10 * ranks))
        fi
        tidy
    done
done
finish
