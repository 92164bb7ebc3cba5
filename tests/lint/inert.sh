#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A preload reaches every program of a job script: whatever does not use MPI must not notice.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
export TMPDIR=$work/tmp
mkdir plain preloaded tmp

in_folder() { # in_folder FOLDER LIBRARY COMMAND...
    local folder=$1 library=$2
    shift 2
    (
        cd "$folder"
        code=0
        LD_PRELOAD=$library "$@" >../"$folder.out" 2>../"$folder.err" </dev/null || code=$?
        echo "$code" >../"$folder.code"
    )
}

unchanged() { # unchanged COMMAND...
    in_folder plain "" "$@"
    in_folder preloaded "$library" "$@"
    same "$*: stdout" plain.out preloaded.out
    same "$*: stderr" plain.err preloaded.err
    same "$*: exit code" plain.code preloaded.code
    holds "$*: no new file" test -z "$(find preloaded tmp -type f)"
}

cat >regions.c <<'C'
#include <scope_profiler.h>
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
        SP_BEGIN("outer");
        SP_END("outer");
    }
    puts("done");
    return 3;
}
C
"$build_cc" -I"$source/runtime/include" regions.c -o regions -ldl

for library in "$build_preload" "$build_folder/lib/libsp.so"; do
    unchanged /bin/true
    unchanged /bin/false
    # shellcheck disable=SC2016
    unchanged bash -c 'date +%Y | cat; echo "$((6 * 7))" >&2; exit 5'
    unchanged sort --version
    unchanged bash -c 'kill -SEGV $$'
    unchanged "$work/regions"
done
finish
