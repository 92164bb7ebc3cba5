#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The same bytes from one process without MPI and from 1, 2 and 4 with it, more processes than ranks or files included.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

for n in 1 2 4; do make_run solver "run_$n.h5" "$n"; done
make_run many many.h5 100000
make_run threads threads.h5
make_run truncated truncated.h5 4
files="run_1.h5 run_2.h5 run_4.h5 many.h5 threads.h5 truncated.h5"

# shellcheck disable=SC2086
"$pproc" --mpi off --no-pictures $files >alone.txt
mv sp-out alone
for n in 1 2 4; do
    # shellcheck disable=SC2086
    run_mpi "$n" "$pproc" --no-pictures $files >"on_$n.txt"
    mv sp-out "on_$n"
    same "what $n processes print" alone.txt "on_$n.txt"
    if diff -r alone "on_$n" >differences.txt; then pass "what $n processes write"; else fail "what $n processes write: $(head -3 differences.txt)"; fi
done

for n in 1 4; do
    status=0
    run_mpi "$n" "$pproc" -r 9 run_4.h5 >out.txt 2>err.txt || status=$?
    holds "$n processes agree on the exit status" test "$status" = 2
    holds "$n processes say it once" test "$(grep -c 'Invalid rank' err.txt)" = 1
done
finish
