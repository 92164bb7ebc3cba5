#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A node is lost together with its spill files: what the last snapshot held is recovered.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

noted() { od -An -t u8 -N 8 counters | tr -d ' '; }
copy() { stat -c %i run.h5.part.d/*.lane0.spill 2>/dev/null; }
another_copy() { # another_copy INODE: waits until there is one, 30 s at most
    for _ in $(seq 300); do
        if [ "$(copy)" != "$1" ] && [ -n "$(copy)" ]; then return 0; fi
        sleep 0.1
    done
    return 1
}

mkdir spill
SP_ENABLE=1 SP_MODE=profile SP_SNAPSHOT=1 SP_OUTPUT=run.h5 SP_SPILL_DIR=$PWD/spill LD_PRELOAD=$build_folder/lib/libsp.so \
    "$build_folder/tests/victim" counters 2>messages &
victim=$!
holds "a snapshot is there" another_copy ""
least=$(noted) first=$(copy)
holds "another one replaces it" another_copy "$first"
kill -KILL $victim
wait $victim 2>/dev/null || true
rm -rf spill
holds "the record is recovered from the snapshot" "$BIN/sp-merge" -q -o recovered.h5 run.h5.part
holds "it holds what was done before, and nothing twice" "$build_folder/tests/check_killed" recovered.h5 counters "$least"

mkdir spill
SP_ENABLE=1 SP_SNAPSHOT=1 SP_OUTPUT=whole.h5 SP_SPILL_DIR=$PWD/spill LD_PRELOAD=$build_folder/lib/libsp.so \
    timeout 60 "$build_folder/tests/rounds" 1.5 2>messages
holds "a run that ends leaves its file" [ -s whole.h5 ]
holds "and no snapshot" [ ! -e whole.h5.part.d ]
finish
