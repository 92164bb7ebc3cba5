#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# verify: what it says of sound files, and that it notices what cannot be true.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"
export PYTHONDONTWRITEBYTECODE=1

make_run solver run_2.h5 2
for kind in truncated killed open profile empty threads; do make_run $kind $kind.h5; done
"$python" "$here/make_foreign.py" foreign
golden verify "$pproc" verify run_2.h5 truncated.h5 killed.h5 open.h5 profile.h5 empty.h5 threads.h5 foreign/overlap.h5 foreign/aggregate.h5
golden verify_json "$pproc" verify --json run_2.h5

finds() { # finds STATUS TEXT FILE...: the exit status, and a line with the text
    local status=$1 text=$2 got=0
    shift 2
    "$pproc" verify "$@" >out.txt 2>err.txt || got=$?
    if [ "$got" != "$status" ]; then
        fail "verify $*: exit status $got instead of $status"
    elif ! grep -qF "$text" out.txt; then
        fail "verify $*: does not say '$text' but: $(cat out.txt err.txt)"
    else
        pass "verify $*: $text"
    fi
}

break_run() { "$python" "$here/break_run.py" "$1" run_2.h5 "$1.h5"; }
"$python" "$here/break_run.py" histograms truncated.h5 histograms.h5 || fail "cannot break histograms"
finds 4 "1 call(s) by which histograms and statistics differ" histograms.h5
for kind in disordered outside backward statistics damaged lanes; do break_run $kind; done
finds 4 "1 event(s) start before the one before them" disordered.h5
finds 4 "1 call(s) reach beyond the call they were made in" outside.h5
finds 4 "1 call(s) end before they start" backward.h5
finds 4 "1 row(s) of statistics that no calls can have" statistics.h5
finds 4 "1 block(s) damaged or unreadable" damaged.h5
finds 4 "damaged.h5: is damaged (checksum of events/duration from 0 on)" damaged.h5
finds 4 "is damaged (checksum of lanes)" lanes.h5
finds 4 "1 call(s) end before they start" foreign/backward.spt
finds 4 "is damaged (line 1, column" foreign/cut.json
finds 5 "is of schema 4 of scope-profiler, this program reads up to 3: upgrade" foreign/newer.h5
head -c 5000 run_2.h5 >cut.h5
finds 4 "is truncated or damaged" run_2.h5 cut.h5 truncated.h5
holds "goes on after a damaged file" test "$(grep -c ': sound$' out.txt)" = 2
status=0
"$pproc" verify --json damaged.h5 cut.h5 >out.json || status=$?
holds "says the same in JSON" test "$status" = 4
holds "with all files" "$python" -c '
import json
files = json.load(open("out.json"))["files"]
assert [f["sound"] for f in files] == [False, False] and files[0]["faults"]["unreadable_blocks"] == 1, files'

files="run_2.h5 truncated.h5 damaged.h5 disordered.h5 cut.h5 foreign/overlap.h5 threads.h5"
status=0
# shellcheck disable=SC2086
"$pproc" --mpi off verify $files >alone.txt || status=$?
for n in 2 4; do
    got=0
    # shellcheck disable=SC2086
    run_mpi $n "$pproc" verify $files >"on_$n.txt" || got=$?
    same "what $n processes say" alone.txt "on_$n.txt"
    holds "$n processes have the same exit status" test "$got" = "$status"
done
finish
