# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Sourced by the tests on whole programs.
# shellcheck source=tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# What of a program's output may differ from run to run is taken out by this filter.
steady() { cat; }

# both NAME RANKS PROGRAM ARGS: runs it plain (plain.out) and recorded (recorded.out, recorded.err, run.h5), and compares.
both() {
    local name=$1 ranks=$2
    shift 2
    run_mpi "$ranks" "$@" >plain.out 2>plain.err </dev/null || { cat plain.err >&2; fail "$name runs"; finish; }
    run_mpi "$ranks" LD_PRELOAD="$build_preload" SP_OUTPUT="$work/run.h5" "$@" >recorded.out 2>recorded.err </dev/null || {
        cat recorded.err >&2
        fail "$name runs recorded"
        finish
    }
    steady <plain.out >plain.txt
    steady <recorded.out >recorded.txt
    same "$name prints the same" plain.txt recorded.txt
    grep -v '^scope-profiler:' recorded.err >recorded.own || true
    same "$name says the same on stderr" plain.err recorded.own
    holds "$name wrote its file" test -s run.h5
    [ "$failures" = 0 ] || { cat recorded.err >&2; finish; }
}

# analyse FILE: leaves its results in report/.
analyse() {
    "$BIN/sp-pproc" --no-pictures -o report "$1" >pproc.out 2>pproc.err || { cat pproc.out pproc.err >&2; fail "sp-pproc reads $1"; finish; }
}

regions() { jq -r ".files[0].region_statistics | $1" report/region_statistics.json; }

# calls [RANK]: "NAME COUNT" of every MPI function and region, sorted; of one rank or all together.
calls() {
    if [ $# = 0 ]; then
        regions 'to_entries[] | "\(.key) \(.value.count)"'
    else
        regions "to_entries[] | select(.value.per_rank[\"$1\"]) | \"\(.key) \(.value.per_rank[\"$1\"].count)\""
    fi | grep -v ' 0$' | LC_ALL=C sort
}
