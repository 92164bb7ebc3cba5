#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Disks that fill up, where the record lies and where the file goes: the program and its exit code do not notice, one line says it,
# and what can be told is told.
if [ -z "${INSIDE_OF_FULL_DISK:-}" ]; then # in a mount namespace of its own, so that nothing is left mounted
    unshare --mount true 2>/dev/null || { echo "no mount namespace can be had here"; exit 77; }
    INSIDE_OF_FULL_DISK=1 exec unshare --mount bash "$0" "$@"
fi

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

disk() { # disk NAME SIZE
    mkdir -p "$1"
    mount -t tmpfs -o size="$2" tmpfs "$1" || { echo "nothing can be mounted here"; exit 77; }
}
fill() { dd if=/dev/zero of="$1/ballast" bs=4096 2>/dev/null || true; }
record() { # record SECONDS VARIABLE=VALUE...: in the background
    local seconds=$1
    shift
    env SP_ENABLE=1 LD_PRELOAD="$build_folder/lib/libsp.so" "$@" timeout 60 "$build_folder/tests/rounds" "$seconds" >output 2>messages &
    program=$!
}
one_line() { [ "$(wc -l <messages)" = "$1" ] && ! grep -qv '^scope-profiler: ' messages; }

disk small 64m
record 2 SP_SPILL_DIR="$PWD/small" SP_TRACE_LIMIT=0 SP_OUTPUT=whole.h5
sleep 0.5
fill small
status=0
wait "$program" || status=$?
cat messages
holds "a full spill folder leaves the exit code" [ "$status" = 0 ]
holds "it leaves the output" [ ! -s output ]
holds "the file is written" [ -s whole.h5 ]
holds "one line says that the trace was cut, one names the file" one_line 2
holds "the file says so too" grep -q "trace truncated" <("$BIN/sp-pproc" inspect whole.h5)
holds "statistics hold every call" "$BIN/sp-pproc" verify whole.h5
umount small

disk target 100k
record 0.5 SP_SPILL_DIR="$PWD" SP_OUTPUT="$PWD/target/run.h5"
status=0
wait "$program" || status=$?
cat messages
holds "a full output folder leaves the exit code" [ "$status" = 0 ]
holds "no half a file is left under the name" [ ! -e target/run.h5 ]
holds "one line says so" one_line 1
holds "the record is kept" ls sp-*/*.lane0.spill
holds "and makes the file elsewhere" "$BIN/sp-merge" -q -o rescued.h5 sp-*
holds "which is sound" "$BIN/sp-pproc" verify rescued.h5
umount target
finish
