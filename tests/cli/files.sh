#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The files that the default command writes: what they hold, and that other people's files stay.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

for n in 1 2 4; do make_run solver "run_$n.h5" "$n"; done
make_run names names.h5
"$pproc" --no-pictures -q run_1.h5 run_2.h5 run_4.h5
"$pproc" --no-pictures -q -o names names.h5

for file in regions mpi scaling speedup_data durations_data; do
    golden "$file.csv" tr -d '\r' <"sp-out/$file.csv"
done
golden region_statistics.json "$pproc" -q --no-pictures -o one -i solve run_2.h5
holds "numbers are as worked by hand" "$python" "$here/check_files.py" sp-out names

echo mine >sp-out/regions.csv
status=0
"$pproc" --no-pictures -q run_1.h5 2>err.txt || status=$?
holds "a changed file is kept" test "$status" = 6 -a "$(cat sp-out/regions.csv)" = mine
holds "and named" grep -q 'sp-out/regions.csv: exists and was changed since we wrote it; -f replaces it' err.txt
holds "unless forced" "$pproc" --no-pictures -q -f run_1.h5
mkdir theirs
echo theirs >theirs/mpi.csv
status=0
"$pproc" --no-pictures -q -o theirs run_1.h5 2>err.txt || status=$?
holds "a file of others is kept, and nothing else written" test "$status" = 6 -a "$(ls -A theirs)" = mpi.csv
finish
