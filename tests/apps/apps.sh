# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2120
# Sourced by the tests on whole programs.
# shellcheck source=tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# What of a program's output may differ from run to run is taken out by this filter.
steady() { cat; }

# What a program reads on stdin; what is done before each run, and after it with its name (plain, recorded).
INPUT=/dev/null
before_run() { :; }
after_run() { :; }

# both NAME RANKS PROGRAM ARGS: runs it plain (plain.out) and recorded (recorded.out, recorded.err, run.h5), and compares.
both() {
    local name=$1 ranks=$2
    shift 2
    before_run
    run_mpi "$ranks" "$@" >plain.out 2>plain.err <"$INPUT" || { cat plain.err >&2; fail "$name runs"; finish; }
    after_run plain
    before_run
    run_mpi "$ranks" LD_PRELOAD="$build_preload" SP_OUTPUT="$work/run.h5" "$@" >recorded.out 2>recorded.err <"$INPUT" || {
        cat recorded.err >&2
        fail "$name runs recorded"
        finish
    }
    after_run recorded
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

# Is a program (or library) of the MPI of this build?
needs_this_mpi() {
    local library=libmpi.so
    if [ "$build_mpi" = mpich ]; then library=libmpich.so; fi
    case $(ldd "$1" 2>/dev/null) in *"$library".*) ;; *) skip "$1 is not of $build_mpi" ;; esac
}

within() { awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN {exit !(low <= value && value <= high)}'; }

# Total seconds in these MPI functions, all ranks together.
seconds_in() { regions "[$(printf '.%s,' "$@" | sed 's/,$//') | .total_duration_seconds // 0] | add"; }

# As the table has them: names in C of what a counter saw under any binding; local queries, and what has no row, are not recorded.
as_recorded() {
    awk '/^[^#]/ {print "MPI_" $1}' "$source/pmpi/not_wrapped.txt" >unrecorded
    awk '$1 == "local" {sub(/\(.*/, "", $2); print "MPI_" $2}' "$source/pmpi/mpi_table.def" >>unrecorded
    nm -D --defined-only --format=posix "$build_preload" | awk '/^MPI_/ {sub(/[@ ].*/, ""); print}' | cat - unrecorded >names
    awk 'FILENAME == "names" {canonical[tolower($1)] = $1; next}
        FILENAME == "unrecorded" {skip[$1] = 1; next}
        {sub(/\(.*\)/, "", $1); name = tolower($1); sub(/(_f08)?_$/, "", name)
         if (name in canonical) name = canonical[name]
         if (!(name in skip)) sum[name] += $2}
        END {for (name in sum) print name, sum[name]}' names unrecorded - | LC_ALL=C sort
}

# count_calls NAME RANKS PROGRAM ARGS: in one run our counts and those of an independent counter that stands behind us. Functions that
# are (also) called inside MPI_Finalize, when the record is over, stand in LATE, a pattern.
LATE=-
count_calls() {
    local name=$1 ranks=$2 counter=${SP_TEST_MPICOUNT:-$source/../shared/tools/mpicount/build}
    shift 2
    if [ ! -r "$counter" ] || [ "$build_mpi" != openmpi ]; then
        echo "no independent counter here: counts not compared"
        return
    fi
    mkdir -p counter
    (cd counter && bash "$counter") >/dev/null || { fail "the independent counter builds"; return; }
    rm -rf counted.h5 count.* report
    before_run
    run_mpi "$ranks" "LD_PRELOAD=$build_preload:$work/counter/libmpicount.so" "MPICOUNT_OUT=$work/count" SP_OUTPUT=counted.h5 "$@" \
        >/dev/null 2>counted.err <"$INPUT" || { cat counted.err >&2; fail "$name runs counted"; return; }
    cat count.* | as_recorded | grep -vE "^($LATE) " >expected.txt
    analyse counted.h5
    calls | grep '^MPI_' | grep -vE "^($LATE) " >counted.txt
    same "$name: calls as an independent counter sees them" expected.txt counted.txt
    echo "$(awk '{n += $2} END {print n}' counted.txt) calls of $(wc -l <counted.txt) functions"
}
