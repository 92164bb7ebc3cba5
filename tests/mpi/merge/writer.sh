#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Files of the same spill files are the same whatever the number of processes that wrote them, and hold what was recorded.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
tests=$build_folder/tests
module=$build_folder/lib/libsp_writer.so

write() { # write PROCESSES RANKS OUTPUT [COMPRESSION [IO]]
    local processes=$1
    shift
    run_mpi "$processes" "$tests/write_run" "$module" spills "$@" >out 2>err
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
"$tests/make_spills" spills 4 20000
module=$build_folder/tests/libsp_writer_small.so
series "gathered in rounds" 4 20000 none gather 1 3
series "gathered in rounds, compressed" 4 20000 gzip gather 1 3
series "collective in rounds" 4 20000 none collective 1 3
for n in 1 3; do # the order of the chunks in the file follows the rounds
    write $n 4 $n.h5 gzip collective
    holds "collective in rounds, compressed: what $n processes wrote is right" "$tests/check_run" $n.h5 4 20000
    rm -f $n.h5
done
module=$build_folder/lib/libsp_writer.so

rm -r spills && mkdir spills
"$tests/make_spills" spills 6 5000
series "gathered, contiguous" 6 5000 none gather 1 4
series "collective, contiguous" 6 5000 none collective 1 4
series "gathered, compressed" 6 5000 gzip:3 gather 1 4
series "collective, compressed" 6 5000 auto collective 1 2 4
series "as it comes" 6 5000 - - 1 3

rm -r spills && mkdir spills
"$tests/make_spills" spills 3 20
series "fewer ranks than processes" 3 20 - - 1 4
series "fewer ranks than processes, collective" 3 20 gzip collective 1 4

# Each rank's histograms beside their sums, where that is asked for.
rm -r spills && mkdir spills
"$tests/make_spills" spills 6 100
for n in 1 2 3 4; do
    SP_HISTOGRAMS=rank write $n 6 $n.h5
    holds "histograms of ranks, written by $n" "$tests/check_run" $n.h5 6 100 rank
    holds "histograms of ranks: the same bytes" cmp 1.h5 $n.h5
done
SP_HISTOGRAMS=lane write 2 6 run.h5 && fail "odd setting of histograms"
holds "an odd setting is named" grep -q 'SP_HISTOGRAMS=lane: must be auto or rank' err
rm -f ./*.h5

# A directory that only process 0 sees: process 1 has an empty one in its place.
rm -rf spills && mkdir -p spills seen
"$tests/make_spills" spills 2 60000
program=("$tests/write_run" "$build_folder/lib/libsp_writer.so" spills 2 seen/run.h5)
apart=(unshare -m sh -c 'mount -t tmpfs none seen && exec "$0" "$@"')
if [ "$(id -u)" = 0 ] && "${apart[@]}" true 2>/dev/null; then
    holds "what not all can see is written by the one that does" run_mpi 1 "${program[@]}" : -n 1 "${apart[@]}" "${program[@]}"
    holds "and is right" "$tests/check_run" seen/run.h5 2 60000
    rm -f seen/run.h5
    run_mpi 1 "${program[@]}" - collective : -n 1 "${apart[@]}" "${program[@]}" - collective >out 2>err && fail "collective writing there succeeded"
    holds "unless told otherwise" grep -q 'seen/run.h5.part.h5: cannot be opened here: the directory must be one that all nodes see' err
    holds "which leaves nothing" test -z "$(ls seen)"
else
    echo "no mount namespaces here: a directory that not all see was not tried"
fi
rm -rf spills seen && mkdir spills
"$tests/make_spills" spills 3 20

# A name that is taken gets a number.
write 2 3 run.h5 && write 2 3 run.h5
holds "the second file is run-2.h5" grep -q '^run-2.h5 3 ' out
holds "the first file is untouched" cmp run.h5 run-2.h5
finish
