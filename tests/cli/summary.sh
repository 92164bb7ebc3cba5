#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the default command prints. The numbers follow from the mock solver of make_run.py.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

for n in 1 2 4; do make_run solver "run_$n.h5" "$n"; done
make_run names names.h5
make_run truncated truncated.h5
make_run killed killed.h5
make_run threads threads.h5
make_run once once.h5

golden help "$pproc" --help
golden one_run "$pproc" --no-pictures run_2.h5
golden three_runs "$pproc" --no-pictures --scaling strong run_4.h5 run_1.h5 run_2.h5
golden selection "$pproc" --no-pictures -i 's|MPI' -e step -r 1,3 --top-n 3 --sort name run_4.h5
golden names "$pproc" --no-pictures --top-n 30 names.h5
golden truncated "$pproc" --no-pictures --top-n 1 truncated.h5
golden killed "$pproc" --no-pictures --top-n 1 killed.h5
golden threads "$pproc" --no-pictures threads.h5
golden no_mpi "$pproc" --no-pictures -e MPI_A run_2.h5
golden once "$pproc" --no-pictures once.h5
golden repeats "$pproc" --no-pictures --top-n 1 --label a --label a --label b run_1.h5 run_2.h5 run_4.h5 --baseline 2 --of total
golden inspect "$pproc" inspect run_2.h5 truncated.h5
golden inspect_selection "$pproc" inspect -i "solve|MPI_A" -r 1 run_2.h5
golden inspect_json "$pproc" inspect --json -i solve run_2.h5
golden json "$pproc" --no-pictures --json -i solve run_1.h5 run_2.h5

share_of() { # share_of FILE: "in MPI" of the Runs table
    "$pproc" --no-pictures "$@" | awk '/^Runs/ { row = NR + 3 } NR == row' | sed 's/.*  //'
}
holds "a share of MPI is told where it is known" test "$(share_of run_2.h5)" = '13.8 %'
holds "but not of a part of the functions" test "$(share_of -e MPI_A run_2.h5)" = -
holds "nor where there are none" test "$(share_of threads.h5)" = -
holds "MPI_Init is outside of a run that was killed too" test "$(share_of killed.h5)" = '13.7 %'

holds "the decimal point does not depend on the locale" env LC_ALL=de_DE.UTF-8 "$pproc" --no-pictures -q run_2.h5
holds "quiet says nothing" test -z "$("$pproc" --no-pictures -q run_2.h5 2>&1)"
holds "a reader that leaves early is no error" bash -c "'$pproc' --no-pictures run_2.h5 | head -n 1 >/dev/null"
finish
