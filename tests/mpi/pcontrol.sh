#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# MPI_Pcontrol: 0 records nothing, 1 records again, 2 takes a snapshot (where SP_SNAPSHOT is set), other levels do nothing.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

barriers() { # barriers RUN.h5 RANKS WANTED: so many of each rank
    for ((r = 0; r < $2; r++)); do echo "$r MPI_Barrier $3 0 0"; done >wanted
    "$build_folder/tests/list_calls" "$1" | grep Barrier >found || true
    same "$1: barriers of $2 rank(s)" wanted found
}

run_mpi 2 "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "$build_folder/tests/pcontrol" 2>messages || fail "the program ends well"
barriers run.h5 2 $((3 + 2 + 1 + 4))
holds "without SP_SNAPSHOT there is no snapshot" [ ! -e run.h5.part.d ]

mkdir spill
run_mpi 1 "LD_PRELOAD=$build_preload" SP_OUTPUT=lost.h5 SP_SNAPSHOT=3600 "SP_SPILL_DIR=$PWD/spill" "$build_folder/tests/pcontrol" kill >out 2>messages ||
    true
rm -rf spill
holds "level 2 took a snapshot" [ -d lost.h5.part.d ]
holds "from which the record is recovered" "$BIN/sp-merge" -q -o recovered.h5 lost.h5.part
barriers recovered.h5 1 $((3 + 2 + 1))
finish
