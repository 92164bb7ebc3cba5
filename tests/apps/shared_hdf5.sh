#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The build with the system's HDF5 (-DSP_HDF5=shared) works too.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/apps.sh"
pkg-config --exists "hdf5-$build_mpi" || skip "no parallel HDF5 of the system for $build_mpi"

{
    cmake -S "$source" -B shared -DSP_HDF5=shared -DSP_MPI="$build_mpi" -DSP_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug &&
        cmake --build shared -j 2
} >build.log 2>&1 || { tail -n 30 build.log >&2; fail "building"; finish; }
load_build "$work/shared"
BIN=$build_folder/bin
holds "the writer uses the shared HDF5" grep -q hdf5 <(readelf -d shared/lib/libsp_writer.so)
both heat 2 "$build_folder/examples/heat" --size 32 --steps 2 --sweeps 2
analyse run.h5
holds "both ranks are in the file" test "$(regions '.step.per_rank | length')" = 2
finish
