#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Load balance of mock runs against values worked out by hand from their descriptions in make_run.py.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

make_run solver run_4.h5 4
make_run solver run_1.h5 1
make_run alternating alternating.h5
make_run profile profile.h5

# On 4 ranks solve takes 65.25 ms, on the last 78.3: mean 68.5125, excess 9.7875, of T = 199.3875 4.9 %; 9.7875 / 78.3 * 4 / 3 = 16.7 %;
# node01 65.25, node02 71.775: within 71.775 / 78.3 = 91.7 %, between 68.5125 / 71.775 = 95.5 %; each step the same: 9.7875 / 68.5125 = 14.3 %.
row() { # row REGION FILE: one row of the table, cells by single blanks
    "$pproc" inspect --imbalance "$2" | sed -n "s/^ *$1 /$1 /p" | tr -s ' '
}
same "a region that one rank does more of" \
    <(echo "solve user 87.5 % 9.79 ms 4.9 % 16.7 % 14.3 % 91.7 % 95.5 % 68.5 ms 65.2 ms 65.2 ms 65.2 ms 68.5 ms 78.3 ms 3 node02") \
    <(row solve run_4.h5 | sed 's/ $//')
sentence='`solve`: rank 3 (node node02) is 9.79 ms above the average; perfect balance would shorten the run by at most 4.9 %.'
holds "it is told in a sentence" grep -qFx "$sentence" <("$pproc" inspect --imbalance run_4.h5)
holds "and in the summary" grep -qFx "$sentence" <("$pproc" --no-pictures run_4.h5)

# Two ranks work 10 and 30 ms in turn: 80 ms each, but every call takes 30 where 20 would do.
same "imbalance that alternates" <(echo "work user 100.0 % 0 s 0.0 % 0.0 % 50.0 %") <(row work alternating.h5 | cut -d ' ' -f 1-12)
holds "without a trace calls are not told apart" "$python" -c '
import json, sys
rows = json.load(sys.stdin)["files"][0]["imbalance"]
assert rows and all(row["phase_imbalance_percent"] is None for row in rows)' < <("$pproc" inspect --json --imbalance profile.h5)
holds "one rank has none" grep -qF 'Load balance of own time: none recorded; it takes several ranks' <("$pproc" inspect --imbalance run_1.h5)
"$pproc" inspect --json --imbalance run_4.h5 >one.json
run_mpi 3 "$pproc" inspect --json --imbalance run_4.h5 >three.json
same "three processes say the same" one.json three.json
finish
