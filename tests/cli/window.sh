#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --time and --min-duration: a part of a run, counted from its events. Numbers by hand, from the time line of make_run.py's solver.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"
command -v jq >/dev/null || skip "jq is not installed"

for n in 1 2 4; do make_run solver "run_$n.h5" "$n"; done
for kind in profile truncated open threads names empty; do make_run $kind $kind.h5; done
make_run many many.h5 300000

rows() { # rows ARGS...: region calls total self, ms, a line each, of inspect
    "$pproc" inspect --json "$@" | jq -r '.files[].call_paths[] | select(.region != "(own)") |
        "\(.region) \(.calls) \(.total_seconds * 1e8 | round / 1e5) \(.self_seconds * 1e8 | round / 1e5)"'
}

# The first call, setup, starts at 1 ms: the window is 101 to 201 ms. step lasts 61 to 162.05 and 162.05 to 251.1, solve 86 to
# 146.05 and 187.05 to 247.1, the first MPI_Allreduce the last 0.05 ms of solve, halo 4 ms to 150.05, io 12 ms to 162.05, the second
# assemble 162.05 to 187.05.
cat >expected.txt <<'END'
step 2 100 0
solve 2 59 58.95
MPI_Allreduce 1 0.05 0.05
halo 1 4 0
MPI_Waitall 1 4 4
io 1 12 12
assemble 1 25 25
END
rows --time 0.1:0.2 run_1.h5 >got.txt
same "a window clips calls and keeps own time" expected.txt got.txt
printf '%s\n' 'setup 1 60 60' 'step 3 291.15 0' 'solve 3 180.15 180' >expected.txt
rows --min-duration 0.03 run_1.h5 >got.txt
same "short calls are left out, the others keep their own time" expected.txt got.txt
printf '%s\n' 'setup 1 10 10' 'step 1 40 0' 'assemble 1 25 25' 'solve 1 15 15' >expected.txt
rows --time 0.05:0.1 --min-duration 0.02 run_1.h5 >got.txt
same "both: a call is as long as it was before it was clipped" expected.txt got.txt
printf '%s\n' 'done 1 5 5' 'pending 1 4 1' 'inside 1 3 3' >expected.txt
rows --time :0.009 open.h5 >got.txt
same "a call that did not end counts in a window that does" expected.txt got.txt
printf '%s\n' 'done 1 5 5' 'inside 1 3 3' >expected.txt
rows --time : open.h5 >got.txt
same "and else not, nor is what it called its" expected.txt got.txt

for run in run_4 threads names open many empty; do
    "$pproc" inspect --json --tree $run.h5 >all.txt
    "$pproc" inspect --json --tree --time : $run.h5 >counted.txt
    same "$run: events give what the statistics say" all.txt counted.txt
done
"$pproc" inspect --json --time 0.001:0.3 many.h5 >alone.txt
for n in 1 2 4; do
    run_mpi $n "$pproc" inspect --json --time 0.001:0.3 many.h5 >on.txt
    same "what $n processes count" alone.txt on.txt
done

# the window's 100 ms are the run's time
"$pproc" --json --no-pictures --time 0.1:0.2 run_2.h5 >got.json
holds "the run's time is the window" test "$(jq '.runs[0].run_seconds' got.json)" = 0.1
holds "shares are of the window" test "$(jq '[.regions[] | select(.kind == "user") | .self_percent] + [.mpi[].run_percent] | add | round' got.json)" = 100
holds "a part of a run is not replayed, and says so" test "$(jq -r '.efficiency[0].note' got.json)" = "a part of a run is not replayed (--time)"
holds "the choice stands in region_statistics.json" test "$(jq -r '.filters.time' sp-out/region_statistics.json)" = 0.1:0.2
"$pproc" plot gantt -q --no-pictures -o gantt --time 0.1:0.2 run_1.h5
holds "the time line is clipped, on the same axis" "$python" -c '
import csv
rows = list(csv.DictReader(open("gantt/gantt_data.csv", newline="")))
starts = [float(v) for r in rows for k, v in r.items() if k.startswith("start")]
ends = [float(v) for r in rows for k, v in r.items() if k.startswith("end")]
assert min(starts) == 0.1 and max(ends) == 0.2, (starts, ends)'
"$pproc" export events -q -o some.csv --time 0.1:0.2 --min-duration 0.02 run_1.h5
holds "exported calls are those in the window, whole" "$python" -c '
import csv
rows = [(r["region"], r["call_index"], r["start"]) for r in csv.DictReader(open("some.csv", newline=""))]
assert rows == [("step", "0", "0.061000000"), ("solve", "0", "0.086000000"), ("step", "1", "0.162050000"),
                ("assemble", "1", "0.162050000"), ("solve", "1", "0.187050000")], rows'
"$pproc" diff --format csv --time 0:0.06 run_1.h5 run_1.h5 >diff.txt
holds "diff compares windows" grep -q '^setup' diff.txt

"$pproc" --no-pictures --time 0.1: truncated.h5 >out.txt
holds "a cut trace says until when it reaches" grep -q 'here everything ends with it, on the first rank at 166 ms' out.txt
"$pproc" --no-pictures --time :0.1 truncated.h5 >out.txt
holds "or that it goes beyond the window" grep -q 'it reaches beyond this window' out.txt
refuses 2 "$work/profile.h5: --time is answered from a trace, and this run recorded statistics only" inspect --time 0:1 profile.h5
refuses 2 "$work/profile.h5: --min-duration is answered from a trace, and this run recorded statistics only" --min-duration 1 profile.h5
refuses 2 "verify does not take --time; see sp-pproc verify --help" verify --time 0:1 run_1.h5
finish
