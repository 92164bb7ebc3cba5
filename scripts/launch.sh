# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by scripts that run MPI programs of a build folder, which load_build names first.

build_mpi=
build_mpirun=
build_mpicc=
build_cc=

load_build() { # load_build FOLDER
    build_folder=$1
    # shellcheck source=/dev/null
    . "$build_folder/build.sh"
    build_preload=$build_folder/lib/libsp_pmpi.so
    if [ "$(id -u)" = 0 ]; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    fi
}

# run_mpi RANKS [NAME=VALUE ...] PROGRAM ARGS: the variables are set for the program only, not for the launcher.
run_mpi() {
    local ranks=$1 settings=()
    shift
    while [[ $1 =~ ^[A-Za-z_0-9]+= ]]; do
        if [ "$build_mpi" = openmpi ]; then settings+=(-x "$1"); else settings+=(-genv "${1%%=*}" "${1#*=}"); fi
        shift
    done
    # shellcheck disable=SC2086
    timeout -k 5 "${PATIENCE:-100}" $build_mpirun -n "$ranks" "${settings[@]}" "$@"
}
