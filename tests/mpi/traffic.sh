#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# One sequence of calls in three bindings ($1: the program) on $2 ranks leaves what was worked out by hand, in both modes.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

program=$build_folder/tests/$1 ranks=$2
for mode in trace profile; do
    holds "$1 runs on $ranks ranks, $mode" run_mpi "$ranks" "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "SP_MODE=$mode" "$program"
    holds "$1 on $ranks ranks, $mode: calls and bytes are those of the program" "$build_folder/tests/check_traffic" run.h5
    holds "$1 on $ranks ranks, $mode: the tables agree with each other" "$build_folder/bin/sp-pproc" verify run.h5
    rm -f run.h5
done
finish
