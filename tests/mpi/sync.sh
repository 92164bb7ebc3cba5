#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# SP_SYNC=1: what a collective waits stands in a region of its own before it, and only where all members make that barrier.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

run() { # run NAME COMMAND...: on 2 ranks, with SP_SYNC=1
    local name=$1
    shift
    run_mpi 2 "LD_PRELOAD=$build_preload" "SP_OUTPUT=$name.h5" SP_SYNC=1 "$@" >"$name.out" 2>"$name.err" || fail "$name: the program ends well"
    "$build_folder/tests/list_calls" "$name.h5" | awk '$2 ~ /MPI_(Allreduce|Bcast|Reduce|Barrier|Iallreduce)/ || $3 == "(sync)"' >"$name.calls" || true
}

collectives='MPI_Allreduce 4
MPI_Barrier 1
MPI_Bcast 2
MPI_Iallreduce 1
MPI_Reduce 1'
calls_of() { # calls_of FILE: "rank name calls", of all ranks
    sed 's/ (sync)/_(sync)/' "$1" | awk '{print $1, $2, $3}' | LC_ALL=C sort
}
expected_on() { # expected_on RANKS MORE...: the collectives of so many ranks, and more
    local ranks=$1 r
    shift
    for ((r = 0; r < ranks; r++)); do printf '%s\n' "$collectives" "$@" | sed "s/^/$r /"; done | LC_ALL=C sort
}

run all "$build_folder/tests/sync"
calls_of all.calls >found
expected_on 2 'MPI_Allreduce_(sync) 4' 'MPI_Bcast_(sync) 1' >expected
same "a barrier before the blocking collectives on the copy of the world" expected found
"$build_folder/tests/list_calls" all.h5 times >durations
time_of() { awk -v name="$1" '$1 == 0 {t = $NF; sub(/^[0-9]+ /, ""); sub(/ [0-9]+$/, ""); if ($0 == name) print t}' durations; }
waited=$(time_of 'MPI_Allreduce (sync)') moved=$(time_of MPI_Allreduce)
holds "the first process waits in the barrier, not in the collective ($waited and $moved ns)" [ "${waited:-0}" -gt "${moved:-0}" ]

# One process is not recorded: a barrier over the world would wait for it for ever. (The launcher's rank is in the environment.)
without='if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then unset LD_PRELOAD; fi; exec "$0"'
run part sh -c "$without" "$build_folder/tests/sync"
calls_of part.calls >found
expected_on 1 >expected
same "none where a member does not take part" expected found

differs='if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then export SP_EXCLUDE=MPI_Allreduce; fi; exec "$0"'
run differ sh -c "$differs" "$build_folder/tests/sync"
calls_of differ.calls >found
expected_on 2 | grep -v '^1 MPI_Allreduce' >expected
same "none where the settings differ" expected found
holds "and a line says so" grep -q 'scope-profiler: SP_SYNC.*differ between processes' differ.err
finish
