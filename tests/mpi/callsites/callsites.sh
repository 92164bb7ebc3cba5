#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# SP_CALLSITE=1 splits the calls of a function by the lines that make them: those marked site-a to site-d in the sources. Without it there is
# none, and with it all bytes are those of the program.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"

line() { grep -n "$1" "$source/tests/mpi/callsites/$2" | cut -d: -f1; }

check() { # check PROGRAM SOURCE FUNCTION
    local program=$build_folder/tests/$1 file=$2
    rm -f run.h5
    holds "$1 runs" run_mpi 1 "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 SP_CALLSITE=1 "$program"
    "$build_folder/tests/lang_dump" paths run.h5 | grep -E 'Bsend|Iprobe|Recv' | sed 's/ [^ ]* (/ (/' | sort >found
    {
        echo "0 3 ($file:$(line site-a "$file")) > MPI_Bsend"
        echo "0 5 ($file:$(line site-b "$file")) > MPI_Bsend"
        echo "0 7 ($file:$(line site-c "$file")) > MPI_Iprobe"
        echo "0 8 ($file:$(line site-d "$file")) > MPI_Recv"
    } | sort >wanted
    same "$1: calls by line" wanted found
    holds "$1: sites bear their function's name" grep -q "$3 ($file:$(line site-d "$file"))" <("$build_folder/tests/lang_dump" regions run.h5)
    rm -f run.h5
    holds "$1 runs without" run_mpi 1 "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "$program"
    holds "$1: no site without SP_CALLSITE" test "$("$build_folder/tests/lang_dump" paths run.h5 | grep -c '(')" = 0
}
check sites sites.c main
if [ -x "$build_folder/tests/sites_f" ]; then check sites_f sites_f.f90 'MAIN__'; fi

rm -f run.h5
holds "only what is included runs" run_mpi 1 "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 SP_CALLSITE=1 SP_INCLUDE=MPI_Recv "$build_folder/tests/sites"
"$build_folder/tests/lang_dump" paths run.h5 | grep '(' >found || true
echo "0 8 main (sites.c:$(line site-d sites.c))
0 8 main (sites.c:$(line site-d sites.c)) > MPI_Recv" >wanted
same "SP_INCLUDE=MPI_Recv: with its site, and no other" wanted found

# Callers: so many levels as SP_CALLSITE says, the outermost first.
deep() { # deep LEVELS, wanted rows on stdin: calls, then marks of the lines from the outermost to the call
    local calls marks mark path
    cat >rows # mpirun reads what is left there
    rm -f run.h5
    holds "deep runs, $1 levels" run_mpi 1 "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "SP_CALLSITE=$1" "$build_folder/tests/deep"
    "$build_folder/tests/lang_dump" paths run.h5 | grep ' > MPI_Bsend$' | sed 's/[^ ]* (/(/g' |
        awk '{ calls = $2; $1 = $2 = ""; sum[$0] += calls } END { for (path in sum) print "0 " sum[path] path }' | tr -s ' ' | sort >found # unrolled loops
    while read -r calls marks; do
        path=
        for mark in $marks; do path+="(deep.c:$(line "site-$mark " deep.c)) > "; done
        echo "0 $calls ${path}MPI_Bsend"
    done <rows | sort >wanted
    same "callers, $1 levels" wanted found
}
deep 2 <<'T'
7 steady send
5 varying send
6 deepest send
1250 untouched send
T
deep 3 <<'T'
3 main-a steady send
4 main-b steady send
5 main-c varying send
2 main-d deepest send
4 deeper deepest send
1000 main-e untouched send
250 other untouched send
T

for mode in trace profile; do
    rm -f run.h5
    holds "traffic runs, $mode" run_mpi 2 "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 SP_CALLSITE=1 "SP_MODE=$mode" "$build_folder/tests/traffic"
    holds "traffic, $mode: calls and bytes are those of the program" "$build_folder/tests/check_traffic" run.h5
done
finish
