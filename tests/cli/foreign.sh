#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Files of the Python scope-profiler, in all its formats: the same numbers from each, and one line where something is wrong.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"
export PYTHONDONTWRITEBYTECODE=1

"$python" "$here/make_foreign.py" .
holds "every format gives the numbers of the run" "$python" "$here/check_foreign.py" "$pproc" .

refuses 5 "newer.h5: is of schema 4 of scope-profiler, this program reads up to 3: upgrade" newer.h5
refuses 5 "newer.spt: is of trace version 3 of scope-profiler, this program reads up to 2: upgrade" newer.spt
refuses 5 "newer.json: is of JSON format version 2 of scope-profiler, this program reads up to 1: upgrade" newer.json
refuses 4 "foreign.h5: is an HDF5 file, but not a run file of scope-profiler for MPI" foreign.h5
refuses 4 "other.json: is JSON, but not a profile of scope-profiler" other.json
refuses 4 "tail.spt: is damaged (1 bytes after the last region)" tail.spt
refuses 4 "cut.json.gz: is damaged (its compressed data)" cut.json.gz
refuses 4 "flipped.json.gz: is damaged (its compressed data)" flipped.json.gz
refuses 4 "real.json: is damaged (a time that is no integer)" real.json
refuses 4 "beyond.h5: is damaged (row 0 has events that are not there)" beyond.h5
refuses 4 "region.h5: is damaged (row 0 names a region that is not there)" region.h5
refuses 4 "rank.h5: is damaged (rank 2147483648)" rank.h5
refuses 4 "events.h5: is damaged (no events)" events.h5
refuses 4 "column.h5: is damaged (no column durations)" column.h5
refuses 4 "floats.h5: is damaged (column durations holds no integers)" floats.h5
refuses 4 "centuries.spt: is damaged (its times are centuries apart)" centuries.spt
mkfifo pipe.h5
refuses 4 "pipe.h5: is not a regular file" pipe.h5
status=0
"$pproc" cut.json 2>err.txt || status=$?
holds "JSON that ends early is one line with its place" test "$status" = 4 -a "$(wc -l <err.txt)" = 1
holds "and exactly" grep -q 'cut.json: is damaged (line 1, column [0-9]*: premature end of input' err.txt

"$pproc" --mpi off -q --no-pictures -o alone schema1.h5 threads.h5
run_mpi 2 "$pproc" -q --no-pictures -o two schema1.h5 threads.h5
holds "two processes find the same" diff -r alone two

"$python" "$here/make_foreign.py" . many 1000000
"$pproc" -q --no-pictures -o many many.h5
holds "a million calls" test "$(sed -n 's/.*"count": \([0-9]*\).*/\1/p' many/region_statistics.json | sort -u)" = 500000

upstream=$source/../shared/cases/upstream
if [ -d "$upstream" ]; then
    holds "the numbers of the Python scope-profiler" "$python" "$here/check_foreign.py" "$pproc" "$upstream" upstream "$upstream/expected"
    for file in schema2.h5 schema3.h5 v2.spt; do
        "$pproc" inspect --json "$upstream/$file" >found.json
        holds "$file: three calls of 5, 13 and 15 ns" "$python" -c '
import json
row, = json.load(open("found.json"))["files"][0]["call_paths"]
assert (row["calls"], row["min_seconds"], row["max_seconds"], row["total_seconds"]) == (3, 5e-9, 15e-9, 33e-9), row'
    done
fi
finish
