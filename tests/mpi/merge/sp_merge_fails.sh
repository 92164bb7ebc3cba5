#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Bad calls and inputs of sp-merge: one line each, and the exit code that fits.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
tests=$build_folder/tests
mkdir spills empty other
"$tests/make_spills" spills 2 5
cp spills/r000001-lane0 other/copy
echo text >text
head -c 600 spills/r000000-lane0 >headless
head -c 100 spills/r000000-lane0 >stub
: >nothing
sed 's/fixture-run/another-run/' spills/r000000-process >foreign
printf '\x03' | cat <(head -c 8 spills/r000000-process) - <(tail -c +10 spills/r000000-process) >newer
mkfifo fifo
ln -s nowhere dangling

refuses() { # refuses CODE TEXT ARGUMENTS...
    local code=$1 text=$2 status=0
    shift 2
    timeout 20 "$BIN/sp-merge" "$@" >out 2>err || status=$?
    if [ "$status" = "$code" ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "sp-merge: $text" err && [ ! -s out ] && [ ! -e run.h5 ]; then
        pass "sp-merge $*: $text"
    else
        fail "sp-merge $*: exit code $status, not $code, and: $(cat err)"
    fi
}

refuses 2 "-o FILE is missing (sp-merge -h explains)" spills
refuses 2 "no spill files given (sp-merge -h explains)" -o run.h5
refuses 2 "option -o needs a value" -o
refuses 2 "unknown option -x (sp-merge -h explains)" -x -o run.h5 spills
refuses 3 "missing: No such file or directory" -o run.h5 missing
refuses 3 "dangling: No such file or directory" -o run.h5 dangling
refuses 3 "no spill files found" -o run.h5 empty
refuses 4 "text: too short for a spill file (5 bytes)" -o run.h5 text
refuses 4 "$build_folder/bin/sp-merge: not a spill file of scope-profiler" -o run.h5 "$build_folder/bin/sp-merge"
refuses 4 "stub: too short for a spill file (100 bytes)" -o run.h5 stub
refuses 4 "nothing: too short for a spill file (0 bytes)" -o run.h5 nothing
refuses 4 "fifo: is neither a file nor a directory" -o run.h5 fifo
refuses 4 "/dev/null: is neither a file nor a directory" -o run.h5 /dev/null
refuses 5 "newer: is a spill file of version 3, this program reads version 2" -o run.h5 newer
refuses 5 "foreign: is of run another-run, the files before it are of run fixture-run" -o run.h5 spills foreign
refuses 5 "other/copy and spills/r000001-lane0 are both of lane 0 of rank 1" -o run.h5 spills other
refuses 6 "missing/run.h5.merge.part.h5: cannot create: No such file or directory" -o missing/run.h5 spills
holds "a lane cut after its header is merged for what it says" "$BIN/sp-merge" -q -o headless.h5 headless
finish
