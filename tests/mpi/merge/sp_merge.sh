#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# sp-merge makes the file that the run would have written, alone or in parallel, and says what was lost.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
tests=$build_folder/tests
mkdir spills
"$tests/make_spills" spills 6 1000

says() { # says NAME FILE LINE
    if grep -qxF "$3" "$2"; then pass "$1"; else
        fail "$1: no line \"$3\""
        cat "$2" >&2
    fi
}

holds "merges alone" eval "$BIN/sp-merge -o alone.h5 spills >out 2>err"
says "names what it made" out "alone.h5: 6 ranks, 5 lanes, 64160 events"
holds "has nothing to complain about" test ! -s err
holds "the file is right" "$tests/check_run" alone.h5 6 1000
for n in 2 4; do
    holds "merges with $n processes" run_mpi $n "$BIN/sp-merge" -q -o par$n.h5 spills
    holds "$n processes write the same" cmp alone.h5 par$n.h5
done

printf 'scope-profiler-part 1\nrun_id fixture-run\nspill_dir %s\nranks 6\n' "$work/spills" >run.h5.part
holds "follows NAME.part" "$BIN/sp-merge" -q -o part.h5 run.h5.part
holds "to the same file" cmp alone.h5 part.h5
holds "takes single files" "$BIN/sp-merge" -q -o single.h5 spills/*
holds "and makes the same of them" cmp alone.h5 single.h5

mkdir some
cp spills/r000000-* spills/r000003-lane0 some/
"$BIN/sp-merge" -o some.h5 some >out 2>err || fail "merging what is left: $(cat err)"
says "counts what is there" out "some.h5: 6 ranks, 2 lanes, 20050 events"
says "ranks without files are named" err "sp-merge: ranks 1-2: no spill files found"
says "a rank without its process's file is named" err \
    "sp-merge: rank 3: no file of the process found: region names and times of the run are lost"
says "at the end as well" err "sp-merge: ranks 4-5: no spill files found"

echo odd >some/odd
status=0
"$BIN/sp-merge" -o skipped.h5 some >out 2>err || status=$?
holds "skipped files make exit code 7" test $status = 7
says "and are counted" err "sp-merge: 1 file skipped; some/odd: too short for a spill file (4 bytes)"
status=0
"$BIN/sp-merge" -o some.h5 some >out 2>err || status=$?
holds "a file that exists is not replaced" test $status = 6
says "and the way out is named" err "sp-merge: some.h5: exists (-f replaces it)"
holds "-f replaces it" "$BIN/sp-merge" -q -f -o some.h5 spills
holds "by the new one" cmp alone.h5 some.h5
holds "nothing is left over" test -z "$(find . -name '*merge*')"
holds "-V names the version" eval "$BIN/sp-merge -V | grep -qE '^sp-merge [0-9.]+$'"
holds "-h explains" eval "$BIN/sp-merge -h | grep -q '^usage: sp-merge -o RUN.h5'"

# Killed in the middle, it leaves nothing under the final name, and can be run again.
rm -r spills && mkdir spills
"$tests/make_spills" spills 4 60000
for delay in 0.02 0.1 0.3; do
    "$BIN/sp-merge" -q -o killed.h5 spills &
    pid=$!
    sleep $delay
    kill -KILL $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    if [ -e killed.h5 ]; then holds "a file under the final name is whole" "$tests/check_run" killed.h5 4 60000; fi
    rm -f killed.h5
done
holds "runs again after a kill" "$BIN/sp-merge" -q -o killed.h5 spills
holds "and is right" "$tests/check_run" killed.h5 4 60000
finish
