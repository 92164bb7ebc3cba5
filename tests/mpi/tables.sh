#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The tables of messages that sp-pproc inspect shows are those of tables.c, from the trace, from statistics alone, and where only a part
# of the run is looked at; and do not depend on the number of processes.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

pproc=$build_folder/bin/sp-pproc
ranks=4
check() { # check WHAT FILE.json
    python3 - "$ranks" "$@" <<'END'
import json, sys
n, what, document = int(sys.argv[1]), sys.argv[2], json.load(open(sys.argv[3]))["files"][0]
def rows(table, *columns): return [tuple(row[c] for c in columns) for row in document[table]]
if what == "matrix":
    wanted = sorted((r, (r + 1) % n, r + 2, 100 * (r + 1) + 5000, r + 2, 100 * (r + 1) + 5000) for r in range(n))
    found = rows("comm_matrix", "source", "destination", "messages", "bytes", "messages_received", "bytes_received")
elif what == "sizes":
    hundred = n * (n + 1) // 2
    wanted = {("MPI_Send", "sent", 64, 127, hundred, 100 * hundred), ("MPI_Wait", "received", 64, 127, hundred, 100 * hundred),
              ("MPI_Sendrecv", "sent", 4096, 8191, n, 5000 * n), ("MPI_Sendrecv", "received", 4096, 8191, n, 5000 * n),
              ("MPI_Bcast", "sent", 1024, 2047, 6, 6144), ("MPI_Bcast", "received", 1024, 2047, 3 * (n - 2), 3072 * (n - 2))}
    found = set(rows("message_sizes", "function", "direction", "from_bytes", "to_bytes", "messages", "bytes"))
elif what == "communicators":
    wanted = [("half", n // 2, 3 * n // 2, 3072, 3072 * (n // 2 - 1))] * 2
    found = [row[:2] + row[3:] for row in rows("communicators", "name", "size", "function", "calls", "bytes_sent", "bytes_received")
             if row[2] == "MPI_Bcast"]
elif what == "sites":
    wanted = {("MPI_Send", n * (n + 1) // 2), ("MPI_Sendrecv", n), ("MPI_Bcast", 3 * n)}
    found = {row[:2] for row in rows("call_sites", "function", "calls", "call_site") if row[0] in ("MPI_Send", "MPI_Sendrecv", "MPI_Bcast")
             and row[2].startswith("main (tables.c:")}
else:
    wanted, found = [(2, 3, 3)], rows("comm_matrix", "source", "destination", "messages")
assert wanted == found, "%s: %s instead of %s" % (what, found, wanted)
END
}

views="--comm-matrix --message-sizes --communicators --call-sites --mpi-paths"
for mode in trace profile; do
    rm -f run.h5
    holds "runs, $mode" run_mpi $ranks "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "SP_MODE=$mode" SP_CALLSITE=1 "$build_folder/tests/tables"
    mv run.h5 "$mode.h5"
    # shellcheck disable=SC2086
    "$pproc" inspect --json $views "$mode.h5" >"$mode.json"
    for table in matrix sizes sites; do holds "$mode: $table" check $table $mode.json; done
done
holds "communicators" check communicators trace.json
holds "statistics alone do not tell them" grep -q 'by communicator: none recorded; the run recorded statistics only' <("$pproc" inspect --communicators profile.h5)

"$pproc" inspect --json --time :100000 $views trace.h5 >window.json
holds "a window is counted from the trace: matrix" check matrix window.json
holds "a window is counted from the trace: sizes" check sizes window.json
"$pproc" inspect --json -r 2 -i MPI_Send$ --comm-matrix trace.h5 >part.json
holds "as is a choice of ranks and functions" check part part.json

# shellcheck disable=SC2086
run_mpi 2 "$pproc" inspect --json $views trace.h5 >two.json
same "two processes say the same" trace.json two.json
"$pproc" -q --no-pictures -o out trace.h5
holds "the tables are files too" test -s out/comm_matrix.csv -a -s out/message_sizes.json -a -s out/communicators.csv -a -s out/call_sites.csv
finish
