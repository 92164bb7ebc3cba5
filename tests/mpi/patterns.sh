#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Efficiencies of programs that are known in closed form, within 2 %, on $1 ranks. A loaded machine gets more than one try.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
ranks=$1 checked=0

# pattern, and on 2 and 4 ranks: parallel, load balance, communication, serialisation, transfer. With u of 0.2 s:
# uneven: U = u, 2u ..., T = T_ideal = P u. serial: U = u each, T = T_ideal = P u. late_sender: U = 3u, others 2u, T = T_ideal = 4u.
# transfer: U = 2u each, T = 4u, T_ideal = 2u.
table="
balanced    2 1      1      1    1    1
uneven      2 0.75   0.75   1    1    1
serial      2 0.5    1      0.5  0.5  1
late_sender 2 0.625  0.8333 0.75 0.75 1
transfer    2 0.5    1      0.5  1    0.5
balanced    4 1      1      1    1    1
uneven      4 0.625  0.625  1    1    1
serial      4 0.25   1      0.25 0.25 1
late_sender 4 0.5625 0.75   0.75 0.75 1
transfer    4 0.5    1      0.5  1    0.5
"

fits() { # fits EXPECTED FOUND: five numbers each, within 2 %
    awk -v expected="$1" -v found="$2" 'BEGIN {
        n = split(expected, e, " "); split(found, f, " ")
        for (i = 1; i <= n; i++) if (f[i] == "" || f[i] < e[i] * 0.98 || f[i] > e[i] * 1.02) exit 1 }'
}

measure() { # measure PATTERN: runs it and sets found
    rm -rf run.h5 out
    run_mpi "$ranks" "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "$build_folder/tests/patterns" "$1" </dev/null >program.txt 2>&1 || return 1
    "$BIN/sp-pproc" --no-pictures -q -o out run.h5 || return 1
    found=$(awk -F, 'NR == 2 { print $6, $7, $8, $9, $10, $16 }' out/efficiency.csv)
}

while read -r name of expected; do
    [ "$of" = "$ranks" ] || continue
    for attempt in 1 2 3 4 5; do
        found=
        measure "$name" && fits "$expected" "$found" && break
        echo "$name, try $attempt: $found instead of $expected"
    done
    holds "$name on $ranks ranks: $found" fits "$expected" "$found"
    checked=$((checked + 1))
done <<<"$table"
holds "all five patterns were looked at" test "$checked" = 5

SP_SYNC=1 measure uneven || fail "uneven runs with SP_SYNC"
holds "barriers of SP_SYNC do not keep a run from being replayed" test "$(wc -w <<<"$found")" = 5

# what is left of the last run in other numbers of processes
for n in 2 4; do
    run_mpi "$n" "$BIN/sp-pproc" --no-pictures -q -o "on_$n" run.h5 || fail "sp-pproc on $n processes"
    same "efficiencies from $n processes" out/efficiency.csv "on_$n/efficiency.csv"
done
finish
