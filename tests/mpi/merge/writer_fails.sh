#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# When something fails on one process, all come back with the same line, nothing lies under the final name, spill files stay.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
tests=$build_folder/tests
mkdir spills
"$tests/make_spills" spills 4 20000
find spills -type f -exec cksum {} + | sort >before

fails() { # fails NAME PROCESSES OUTPUT TEXT [COMPRESSION IO]
    local name=$1 processes=$2 output=$3 text=$4 status=0
    shift 4
    run_mpi "$processes" "$tests/write_run" "$build_folder/lib/libsp_writer.so" spills 4 "$output" "$@" >out 2>err || status=$?
    holds "$name: all of $processes processes come back with an error" test "$status" = 1
    grep -E '^[0-9]+: ' err | sed 's/^[0-9]*: //' | sort -u >lines
    holds "$name: they say the same" test "$(wc -l <lines)" = 1
    holds "$name: they say why" grep -qF "$text" lines
    [ "$failures" = 0 ] || cat err >&2
    holds "$name: nothing is left" test -z "$(find . "$(dirname "$output")" -maxdepth 1 -name '*.h5' 2>/dev/null)"
}

for n in 1 4; do
    fails "directory missing" $n missing/run.h5 "missing/run.h5.part.h5: cannot create: No such file or directory"
    fails "odd compression" $n run.h5 "SP_COMPRESSION=zip: must be auto, none, gzip or gzip:1 to gzip:9" zip
    TEST_FAIL=$((n - 1)) fails "one process has an error" $n run.h5 "/nonexistent/spill: No such file or directory"
done

mkdir tiny
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=4m none tiny 2>/dev/null; then
    cleanup+=("umount $work/tiny")
    for io in gather collective; do
        fails "disk full ($io)" 2 tiny/run.h5 "No space left on device" none $io
        fails "disk full, compressed ($io)" 4 tiny/run.h5 "No space left on device" gzip $io
    done
else
    echo "no tmpfs can be mounted here: a full disk was not tried"
fi

cat >no_sync.c <<'C'
#include <errno.h>
int fsync(int fd) { (void)fd; errno = EIO; return -1; }
C
if cc -shared -fPIC -o no_sync.so no_sync.c; then
    for io in gather collective; do
        LD_PRELOAD=$work/no_sync.so fails "a disk that takes nothing ($io)" 2 run.h5 "cannot be brought to disk" none $io
    done
fi
find spills -type f -exec cksum {} + | sort >after
same "spill files are untouched" before after
finish
