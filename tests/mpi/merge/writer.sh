#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Files of the same spill files are the same whatever the number of processes that wrote them, and hold what was recorded.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
tests=$build_folder/tests

write() { # write PROCESSES RANKS OUTPUT [COMPRESSION [IO]]
    local processes=$1
    shift
    run_mpi "$processes" "$tests/write_run" "$build_folder/lib/libsp_writer.so" spills "$@" >out 2>err
}

series() { # series NAME RANKS STEPS COMPRESSION IO PROCESSES...: the first number of processes is what the others are compared with
    local name=$1 ranks=$2 steps=$3 compression=$4 io=$5 n first=
    shift 5
    for n in "$@"; do
        rm -f "$n.h5"
        if ! write "$n" "$ranks" "$n.h5" "$compression" "$io"; then
            fail "$name: written by $n processes: $(head -n 3 err)"
        elif [ -z "$first" ]; then
            first=$n
            holds "$name: what $n processes wrote is right" "$tests/check_run" "$n.h5" "$ranks" "$steps"
        else
            holds "$name: $n processes wrote the same bytes" cmp "$first.h5" "$n.h5"
        fi
    done
    holds "$name: nothing is left over" test -z "$(find . -name '*.part.h5')"
    rm -f ./*.h5
}

mkdir spills
"$tests/make_spills" spills 6 5000
series "gathered, contiguous" 6 5000 none gather 1 2 4
series "collective, contiguous" 6 5000 none collective 1 2 4
series "gathered, compressed" 6 5000 gzip:3 gather 1 2 4
series "collective, compressed" 6 5000 auto collective 1 2 4
series "as it comes" 6 5000 - - 1 2 3 4

rm -r spills && mkdir spills
"$tests/make_spills" spills 3 20
series "fewer ranks than processes" 3 20 - - 1 4
series "fewer ranks than processes, collective" 3 20 gzip collective 1 4

# A name that is taken gets a number.
write 2 3 run.h5 && write 2 3 run.h5
holds "the second file is run-2.h5" grep -q '^run-2.h5 3 ' out
holds "the first file is untouched" cmp run.h5 run-2.h5
finish
