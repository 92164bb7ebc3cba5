#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What recording cost is told, and what to leave out where it was much: calls x 40 ns, as make_run.py says of every rank.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

make_run solver run_2.h5 2
make_run short short.h5

# 1000 calls of 100 ns and 900 us between them are 1000 us; with MPI_Init, MPI_Finalize and work itself 1003 x 40 ns = 40.12 us are 4.0 % of
# them, the short ones 40 us.
"$pproc" --no-pictures --json short.h5 >short.json
"$pproc" --no-pictures -f short.h5 >short.txt
holds "much is a warning" grep -qFx 'warning: recording took about 4.01 % of the run (1.0k calls of 40 ns).' short.txt
holds "that names what to leave out" grep -qFx "Short against that, on average: leaving them out, SP_EXCLUDE='tiny\\,one', would save 4.0 %." short.txt
# On 2 ranks 29 calls each: 2320 ns of 2 x 250 ms
holds "little is told, too" grep -q '^Recording took about 0.00 % of the run (58 calls of 40 ns).$' <("$pproc" --no-pictures run_2.h5)
holds "machines get the numbers" "$python" -c '
import json
run = json.load(open("short.json"))["runs"][0]
assert run["recorded_calls"] == 1003 and abs(run["region_cost_seconds"] - 4e-8) < 1e-15, run
assert abs(run["overhead_percent"] - 100 * 1003 * 40e-9 / run["run_seconds"]) < 1e-9, run'
finish
