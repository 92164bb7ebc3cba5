#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# export: files for other programs, read here by something else than what wrote them.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"
export PYTHONDONTWRITEBYTECODE=1
check() { "$python" "$here/check_export.py" "$@"; }

for n in 1 2 4; do make_run solver "run_$n.h5" "$n"; done
for kind in threads names open profile truncated empty; do make_run $kind $kind.h5; done
make_run many many.h5 100000
sample=$source/../shared/cases/upstream/schema3.h5
[ -f "$sample" ] || sample=

for run in run_4 threads names open truncated many; do
    "$pproc" export events -q -o $run.csv $run.h5 2>note.txt
    holds "$run: a line for every call" check csv $run.csv $run.h5
    "$pproc" export scope-profiler -q -o $run.sp.h5 $run.h5 2>note.txt
    # shellcheck disable=SC2086
    holds "$run: schema 3, field by field" check schema3 $run.sp.h5 $run.csv $sample
    holds "$run: is sound" "$pproc" verify -q $run.sp.h5
done
for run in run_1 run_2 run_4 threads many; do
    [ -f $run.sp.h5 ] || "$pproc" export scope-profiler -q -o $run.sp.h5 $run.h5
    "$pproc" -q --no-pictures -o $run.ours $run.h5
    "$pproc" -q --no-pictures -o $run.theirs $run.sp.h5
    holds "$run: read again, the statistics are identical" check same $run.ours $run.theirs
done
holds "what was not closed is left out, and said" grep -q '^sp-pproc: 1 call(s) were still open' <("$pproc" export scope-profiler -q -f -o open.sp.h5 open.h5 2>&1)

"$pproc" export scope-profiler -q -o profile.sp.h5 profile.h5 2>note.txt
holds "without a trace it is the aggregate layout" check schema3 profile.sp.h5 ""
holds "and says so" grep -q 'there is no trace: the file is of the aggregate layout' note.txt
"$pproc" -q --no-pictures -o profile.theirs profile.sp.h5
holds "whose sums are read again" "$python" -c '
import json
a, = json.load(open("run_2.ours/region_statistics.json"))["files"]
b, = json.load(open("profile.theirs/region_statistics.json"))["files"]
for name, ours in a["region_statistics"].items():
    theirs = b["region_statistics"][name]
    assert all(ours[k] == theirs[k] for k in ("count", "min_duration_seconds", "max_duration_seconds", "total_duration_seconds")), name
    assert theirs["std_duration_seconds"] is None and theirs["first_duration_seconds"] is None'

"$pproc" export scope-profiler -q -o twice.sp.h5 run_2.sp.h5
"$pproc" -q --no-pictures -o twice.theirs twice.sp.h5
holds "exported again, it stays the same, with one session" check same run_2.theirs twice.theirs
"$pproc" export events -q -i 'solve|MPI_A' -r 1,3 -o some.csv run_4.h5
holds "a selection of regions and ranks" "$python" -c '
import csv
lines = list(csv.DictReader(open("some.csv", newline="")))
assert {(l["rank"], l["region"]) for l in lines} == {(r, n) for r in "13" for n in ("solve", "MPI_Allreduce")}, lines
assert lines[0]["call_path"] == "step > solve" and len(lines) == 12'

for n in 2 3; do
    run_mpi $n "$pproc" export events -q -o "on_$n.csv" run_4.h5 threads.h5 names.h5 many.h5
    run_mpi $n "$pproc" export scope-profiler -q -o "on_$n.h5" run_4.h5
    holds "$n processes write the same file" cmp run_4.sp.h5 "on_$n.h5"
done
"$pproc" export events -q -o all.csv run_4.h5 threads.h5 names.h5 many.h5
for n in 2 3; do holds "$n processes write the same lines" cmp all.csv "on_$n.csv"; done
"$pproc" export events -q -o none.csv empty.h5
holds "no calls: the head alone" test "$(wc -l <none.csv)" = 1
"$pproc" export events -o said.csv run_1.h5 >out.txt
holds "the last line says how to go on" grep -q 'said.csv$' <(tail -n 1 out.txt)

refuses 2 "export needs a format: events or scope-profiler" export
refuses 2 "'otf3' is none: export needs a format: events or scope-profiler" export otf3 run_1.h5 -o x
refuses 2 "export events writes nothing without -o FILE" export events run_1.h5
refuses 2 "export scope-profiler takes one run, there are 2" export scope-profiler run_1.h5 run_2.h5 -o x
refuses 2 "$work/profile.h5: there is no trace to export, it holds statistics only" export events profile.h5 -o x
refuses 6 "said.csv: exists; -f replaces it" export events run_1.h5 -o said.csv
mkdir folder
refuses 6 "folder: is a directory; -o names a file here" export events run_1.h5 -o folder
holds "a file is replaced with -f" "$pproc" export events -q -f -o said.csv run_2.h5
holds "nothing is left behind" test -z "$(ls -d ./*.part-* 2>/dev/null)" -a ! -e x
status=0
"$pproc" export scope-profiler -o missing/x.h5 run_1.h5 2>err.txt || status=$?
holds "a folder that is not there is one line" test "$status" = 6 -a "$(wc -l <err.txt)" = 1
finish
