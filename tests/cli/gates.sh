#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# diff and check: tables, verdicts and exit statuses. The numbers follow from make_run.py.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

for n in 1 2 4; do make_run solver "run_$n.h5" "$n"; done
for n in $(seq 100 111); do make_run timed "work_$n.h5" "$n"; done
make_run truncated truncated.h5
make_run names names.h5
make_run empty empty.h5

golden diff "$pproc" diff run_2.h5 run_4.h5
golden diff_path "$pproc" diff --by path --metric self --of max --sort name run_2.h5 run_4.h5
golden diff_markdown "$pproc" diff --markdown --metric max --threshold 1 --label before --label after truncated.h5 names.h5
golden diff_csv "$pproc" diff --format csv --metric calls --of total --sort pct run_1.h5 run_2.h5
golden check_json "$pproc" check --json --max-regression 100 --metric avg -i 'halo|solve' run_2.h5 run_4.h5

gives() { # gives STATUS TEXT ARGS...: the exit status, and a line with the text on stdout
    local status=$1 text=$2 got=0
    shift 2
    "$pproc" "$@" >out.txt 2>err.txt || got=$?
    if [ "$got" != "$status" ]; then
        fail "sp-pproc $*: exit status $got instead of $status: $(cat err.txt)"
    elif ! grep -qF -- "$text" out.txt; then
        fail "sp-pproc $*: does not say '$text' but: $(cat out.txt)"
    else
        pass "sp-pproc $*: $text"
    fi
}

# halo takes 8 ms a call on 2 ranks and 16 ms on 4: 100 % more, MPI_Waitall 7.95 and 15.9 ms: as much
gives 1 "Regression check: FAIL" check --metric avg run_2.h5 run_4.h5
gives 1 "Budget violations: MPI_Waitall (+100.0 %), halo (+100.0 %)" check --metric avg --max-regression 99.9 --sort pct run_2.h5 run_4.h5
gives 0 "Regression check: PASS" check --metric avg --max-regression 100 run_2.h5 run_4.h5
gives 0 "Only in b: MPI_Irecv, MPI_Isend" check --max-regression 10000 --sort name run_1.h5 run_2.h5
gives 1 "Budget violations: MPI_Irecv (new), MPI_Isend (new)" check --fail-on-new --max-regression 10000 --sort name run_1.h5 run_2.h5
gives 0 "Only in a: MPI_Isend, MPI_Irecv" check --max-regression 10000 run_2.h5 run_1.h5
gives 0 "Regression check: PASS" check run_2.h5 run_2.h5
gives 1 "**Regression check: FAIL**" check --format markdown run_2.h5 run_4.h5
gives 0 " solve " diff run_2.h5 run_4.h5
gives 1 " solve " diff --exit-code run_2.h5 run_4.h5
gives 0 " solve " diff --exit-code run_2.h5 ./run_2.h5
gives 0 "compared per rank; --of total compares sums" diff --exit-code --threshold 50 --metric self -i io run_2.h5 run_4.h5

# repeats of work: 100 to 105 ms, median 102.5, interval of six values 100 to 105
base="--base work_100.h5 work_101.h5 work_102.h5 work_103.h5 work_104.h5 work_105.h5"
slower="work_106.h5 work_107.h5 work_108.h5 work_109.h5 work_110.h5 work_111.h5"
# shellcheck disable=SC2086
{
    gives 0 "Regression check: PASS" check $base --candidate work_105.h5 work_106.h5 work_107.h5 work_108.h5 work_109.h5 work_110.h5
    gives 1 "Budget violations: work (+5.9 %)" check $base --candidate $slower
    gives 0 "Medians of 6 and 6 runs." check --max-regression 6 $base --candidate $slower
    gives 0 "Below 6 runs a median has no 95 % interval and stands for it." check $base --candidate work_105.h5
    gives 1 "Budget violations: work (+3.4 %)" check $base --candidate work_106.h5
    gives 1 "Medians of 1 and 2 runs. Below 6 runs" check --base work_100.h5 --candidate work_101.h5 work_102.h5
}

refuses 2 "diff compares two runs, A.h5 and B.h5; 1 given" diff run_1.h5
refuses 2 "check compares two runs, A.h5 and B.h5; 3 given" check run_1.h5 run_2.h5 run_4.h5
refuses 2 "--base needs --candidate beside it" check --base run_1.h5 run_2.h5
refuses 2 "--candidate needs --base beside it" check --candidate run_1.h5
refuses 2 "check takes A B, or --base FILES --candidate FILES, not both" check run_4.h5 --base run_1.h5 --candidate run_2.h5
refuses 2 "--label names A and B, not the files of --base and --candidate" check --label x --base run_1.h5 --candidate run_2.h5
refuses 2 "--label was given 1 times for 2 files: once a file, or not at all" diff --label x run_1.h5 run_2.h5
refuses 2 "run_*.h5 matches 3 files; for repeats: check --base FILES --candidate FILES" check run_1.h5 'run_*.h5'
refuses 2 "--metric median: must be total, self, avg, min, max, calls or imbalance" diff --metric median run_1.h5 run_2.h5
refuses 2 "--max-regression -1: must be a number, 0 or more" check --max-regression -1 run_1.h5 run_2.h5
refuses 2 "--threshold 5%: must be a number, 0 or more" diff --threshold 5% run_1.h5 run_2.h5
refuses 2 "--format html: must be table, markdown or csv" diff --format html run_1.h5 run_2.h5
refuses 2 "diff does not take --max-regression; see sp-pproc diff --help" diff --max-regression 3 run_1.h5 run_2.h5
refuses 2 "check does not take --exit-code; see sp-pproc check --help" check --exit-code run_1.h5 run_2.h5
refuses 3 "missing.h5: No such file or directory" check run_1.h5 missing.h5
head -c 5000 run_1.h5 >cut.h5
status=0
"$pproc" check run_1.h5 cut.h5 >out.txt 2>err.txt || status=$?
holds "a damaged file is no regression" test "$status" = 4
refuses 5 "empty.h5: nothing to check: it recorded no calls of what is selected" check run_1.h5 empty.h5
refuses 5 "run_1.h5: nothing to check: it recorded no calls of what is selected" check -i zzz run_1.h5 run_2.h5
holds "quiet leaves the exit status" bash -c "! '$pproc' check -q run_2.h5 run_4.h5"
holds "and says nothing" test -z "$("$pproc" check -q run_2.h5 run_4.h5 2>&1)"

status=0
"$pproc" --mpi off check --by path run_2.h5 run_4.h5 >alone.txt || status=$?
for n in 2 4; do
    got=0
    run_mpi $n "$pproc" check --by path run_2.h5 run_4.h5 >"on_$n.txt" || got=$?
    same "what $n processes say" alone.txt "on_$n.txt"
    holds "$n processes have the same exit status" test "$got" = "$status"
done
finish
