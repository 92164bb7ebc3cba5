#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# calls.sh PROGRAM RANKS: the program's calls leave what expected/PROGRAM says, worked out by hand, in both modes; its output and
# exit code are those of a run without us.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/mpi/calls/expect.sh
. "$source/tests/mpi/calls/expect.sh"
program=$1 ranks=$2

run() { # run NAME VARIABLES...: stdout and exit code into NAME.out, NAME.code
    local name=$1 code=0
    shift
    run_mpi "$ranks" "$@" "$build_folder/tests/$program" >"$name.out" 2>"$name.err" || code=$?
    sort -o "$name.out" "$name.out"
    echo "$code" >"$name.code"
}

run plain
case $(cat plain.code) in 77 | 124) skip "the MPI here cannot run $program" ;; esac
for mode in trace profile; do
    run "$mode" "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "SP_MODE=$mode" SP_TRACE_LIMIT=1G
    same "$program on $ranks ranks, $mode: exit code" plain.code "$mode.code"
    grep -v '^-\|^=\|^Primary job\|^ *$\|mpiexec\|mpirun' plain.out >plain.own || true
    grep -v '^-\|^=\|^Primary job\|^ *$\|mpiexec\|mpirun' "$mode.out" >"$mode.own" || true
    same "$program on $ranks ranks, $mode: output" plain.own "$mode.own"
    expect "$program" "$ranks" "$mode" >"$mode.expected"
    list_calls run.h5 >"$mode.found" || fail "$program: no file"
    same "$program on $ranks ranks, $mode: calls and bytes are those of the program" "$mode.expected" "$mode.found"
    rm -f run.h5
done
finish
