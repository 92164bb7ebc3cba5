#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Questions that MPI answered with no are counted (calls_polling_*) and leave no event: what does is one call of each, those of the
# answers, and Init, 2 Irecv, Send, Wait and Finalize.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/mpi/calls/expect.sh
. "$source/tests/mpi/calls/expect.sh"

run_mpi 1 "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "$build_folder/tests/polling" >out 2>err || fail "the program ran"
{
    for name in Finalize Improbe Init Iprobe Request_get_status Send Test Testall Testany Testsome Wait; do echo "0 MPI_$name 1"; done
    echo "0 MPI_Irecv 2"
} | LC_ALL=C sort >expected
list_calls run.h5 events | LC_ALL=C sort >found
same "events of questions" expected found
"$BIN/sp-pproc" verify run.h5 >verified || fail "the file is sound"
grep -q "$((7 * 1000)) call(s) are in the statistics but have no event" verified || fail "verify says how many calls have no event: $(cat verified)"
finish
