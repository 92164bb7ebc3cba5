#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Whatever is wrong with the input: one line that says so, an exit status, no output.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

make_run solver run_1.h5 1
make_run solver run_2.h5 2
make_run profile profile.h5
make_run empty empty.h5
make_run cut cut_trace.h5
head -c 5000 run_1.h5 >cut.h5
printf 'hello\n' >text.h5
: >nothing.h5
mkdir folder

refuses 2 "no run file given; see sp-pproc --help"
refuses 3 "missing.h5: No such file or directory" missing.h5
refuses 3 "missing.h5: No such file or directory" run_1.h5 missing.h5
refuses 3 "frobnicate: is neither a file nor a command; see --help" frobnicate run_1.h5
refuses 3 "no*.such: no file matches" 'no*.such'
refuses 4 "folder: is a directory, not a run file" folder
refuses 4 "text.h5: is not an HDF5 file, nor a .spt trace or a JSON profile" text.h5
refuses 4 "nothing.h5: is empty" nothing.h5
refuses 2 "unknown option --frob; see --help" --frob run_1.h5
refuses 2 "unknown option -z; see --help" -z run_1.h5
refuses 2 "without a command sp-pproc does not take --full; see sp-pproc --help" --full run_1.h5
refuses 2 "verify does not take --top-n; see sp-pproc verify --help" verify --top-n 3 run_1.h5
refuses 2 "--include '(': missing closing parenthesis at character 2" -i '(' run_1.h5
refuses 2 "Invalid rank(s) requested: 7 (run_2 has ranks 0-1)" -r 7 run_2.h5
refuses 2 "--ranks one: must be a list like 0-3,5" -r one run_1.h5
refuses 2 "--label was given 1 times for 2 files: once a file, or not at all" --label a run_1.h5 run_2.h5
refuses 2 "--scaling sideways: must be strong, weak or both" --scaling sideways run_1.h5
refuses 2 "--baseline 3: no run has this x" --baseline 3 run_1.h5 run_2.h5
refuses 2 "--baseline x: must be a number, a value of x" --baseline x run_1.h5 run_2.h5
refuses 5 "--x foo: no such number in run_1, run_2" --x foo run_1.h5 run_2.h5
refuses 2 "--of median: must be mean, max or total" --of median run_1.h5
refuses 2 "--sort size: must be self, total, calls, imbalance or name" --sort size run_1.h5
refuses 2 "--top-n 0: must be a positive number" --top-n 0 run_1.h5
refuses 2 "--mpi maybe: must be on or off" --mpi maybe run_1.h5
refuses 2 "plot writes nothing without -o DIR" plot gantt run_1.h5
refuses 2 "speedup needs several runs that differ in num_ranks" plot speedup run_1.h5 -o x
refuses 2 "gantt needs a trace, and these runs recorded statistics only" plot gantt profile.h5 -o x
refuses 2 "gantt needs a trace, and it was cut to nothing at SP_TRACE_LIMIT" plot gantt cut_trace.h5 -o x
refuses 6 "text.h5: is not a directory; name another one with -o" -o text.h5 run_1.h5
holds "nothing was written" test ! -e sp-out -a ! -e x

status=0
"$pproc" --json missing.h5 >error.json 2>err.txt || status=$?
holds "an error has its exit status with --json too" test "$status" = 3
holds "an error is silent on stderr with --json" test ! -s err.txt
holds "an error is a JSON document" "$python" -c '
import json
error = json.load(open("error.json"))["error"]
assert error == {"code": 3, "message": "missing.h5: No such file or directory"}, error'

status=0
"$pproc" cut.h5 2>err.txt || status=$?
holds "a truncated file is called that, in one line" test "$status" = 4 -a "$(wc -l <err.txt)" = 1
holds "and named" grep -q '^sp-pproc: cut.h5: is truncated or damaged' err.txt

golden empty "$pproc" "$work/empty.h5"
golden nothing_left "$pproc" -i zzz "$work/run_2.h5"
golden inspect_nothing_left "$pproc" inspect -i zzz "$work/run_2.h5"
holds "an empty run leaves nothing behind" test ! -e sp-out
says() { # says TEXT ARGS...: succeeds, with this one line on stderr
    local text=$1 status=0
    shift
    "$pproc" --no-pictures "$@" >out.txt 2>err.txt || status=$?
    holds "says '$text'" test "$status" = 0 -a "$(cat err.txt)" = "sp-pproc: $text"
}
says "run_1.h5: given twice, counts once" run_1.h5 ./run_1.h5 run_2.h5
holds "and the run stands there once" test "$(grep -c '^ run_1 .* node01 ' out.txt)" = 1
says "run_1.h5: given more than once, counts once; 2 repetitions in all" run_1.h5 run_1.h5 'run_1*'
says "--scaling strong compares runs: it needs at least two, there is one" --scaling strong run_1.h5
says "no gantt: it needs a trace, and these runs recorded statistics only" profile.h5
says "no gantt: it needs a trace, and it was cut to nothing at SP_TRACE_LIMIT" cut_trace.h5
holds "and the table too" grep -q '^run_2: the trace was cut to nothing at SP_TRACE_LIMIT (2000 events dropped)' out.txt
finish
