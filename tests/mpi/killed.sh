#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Killed at a hundred random times, a program leaves everything but the call it was in.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

lost=0
for attempt in $(seq "${1:-100}"); do
    rm -rf counters run.h5 sp-*
    SP_ENABLE=1 SP_OUTPUT=none SP_SPILL_DIR=$PWD SP_TRACE_LIMIT=0 LD_PRELOAD=$build_folder/lib/libsp.so \
        "$build_folder/tests/victim" counters 2>messages &
    victim=$!
    sleep "0.0$((RANDOM % 90 + 10))"
    kill -KILL $victim
    wait $victim 2>/dev/null || true
    if ! ls sp-*/*.lane0.spill >/dev/null 2>&1; then continue; fi # killed before its first region
    if ! od -An -t x8 -N 8 counters | grep -q '[1-9a-f]'; then continue; fi # or in the middle of it
    "$BIN/sp-merge" -q -o run.h5 sp-* && "$build_folder/tests/check_killed" run.h5 counters || { lost=$((lost + 1)); echo "attempt $attempt"; cat messages; }
done
holds "nothing is lost but the call in flight" [ "$lost" = 0 ]
finish
