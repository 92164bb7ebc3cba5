#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Efficiencies of the mock solver of make_run.py against values worked out by hand from its description.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

for n in 1 2 4; do make_run solver "run_$n.h5" "$n"; done
make_run threads threads.h5

efficiency() { # efficiency FACTORS ARGS...: columns of efficiency.csv, a row a run
    local columns=$1
    shift
    "$pproc" --no-pictures -q -o out "$@"
    "$python" - "$columns" <<'END'
import csv, sys
for row in csv.DictReader(open("out/efficiency.csv", newline="")):
    print(" ".join("%.4f" % float(row[c]) if row[c] else "-" for c in sys.argv[1].split()))
END
}

# On 4 ranks, in ms: T = 199.3875; U = 21.75 (setup) + 27.1875 (assemble) + 65.25 (solve) + 24 (io) = 138.1875, the last rank 78.3 in
# solve: 151.2375; avg 141.45. PE 0.7094, LB 0.9353, CommE 0.7585; additive LB 1 - 9.7875/199.3875 = 0.9509. The tool's 40 ns a call
# do not show in four digits.
factors="parallel_efficiency load_balance communication_efficiency"
same "the factors of a run" <(echo 0.7094 0.9353 0.7585) <(efficiency "$factors" run_4.h5)
same "additive factors" <(echo 0.7094 0.9509 0.7585) <(efficiency "$factors" --pop additive run_4.h5)
same "what is shown does not change them" <(echo 0.7094 0.9353 0.7585) <(efficiency "$factors" -i solve run_4.h5)

# sum(U): 1 rank 60 + 75 + 180 + 24 = 339; 4 ranks 565.8: CompS 0.5992, GE 0.4251. 2 ranks (scale 0.575): 34.5 + 43.125 + 103.5 + 24 =
# 205.125, the last 225.825, sum 430.95: 0.7866.
same "computation over runs" <(printf '1.0000\n0.7866\n0.5992\n') <(efficiency computation_scaling run_1.h5 run_2.h5 run_4.h5)
same "global efficiency" <(printf '0.4251\n') <(efficiency "global_efficiency" run_1.h5 run_2.h5 run_4.h5 | tail -n 1)
same "one run has none" <(echo - -) <(efficiency "global_efficiency computation_scaling" run_4.h5)
same "without MPI there is none" <(echo - -) <(efficiency "parallel_efficiency load_balance" threads.h5)
holds "and it says why" grep -q ',no MPI functions were recorded' out/efficiency.csv
"$pproc" --json --no-pictures run_4.h5 >run.json
holds "JSON has the same" "$python" -c '
import json
row = json.load(open("run.json"))["efficiency"][0]
assert abs(row["parallel_efficiency"] - 141.45 / 199.3875) < 1e-4 and row["global_efficiency"] is None, row'
holds "a trace without messages is not replayed" grep -q ',MPI_[A-Za-z]* left no message in the trace' <("$pproc" --no-pictures -q -o out run_4.h5; cat out/efficiency.csv)
make_run truncated truncated.h5
make_run profile profile.h5
make_run killed killed.h5
holds "nor one that was cut" grep -q ',the trace was cut' <("$pproc" --no-pictures -q -o out truncated.h5; cat out/efficiency.csv)
holds "nor statistics alone" grep -q ',the run recorded statistics only' <("$pproc" --no-pictures -q -o out profile.h5; cat out/efficiency.csv)
holds "nor a run that was killed" grep -q ',the run did not end in MPI_Finalize' <("$pproc" --no-pictures -q -o out killed.h5; cat out/efficiency.csv)
holds "nor some of its ranks" grep -q ',not all ranks are selected' <("$pproc" --no-pictures -q -o out -r 0-1 run_4.h5; cat out/efficiency.csv)
refuses 2 "--pop both: must be multiplicative or additive" --pop both run_1.h5
refuses 2 "inspect does not take --pop; see sp-pproc inspect --help" inspect --pop additive run_1.h5
finish
