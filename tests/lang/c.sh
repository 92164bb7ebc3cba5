#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The C API on the real libsp.so: a program written for the Python scope-profiler's, and what ours has beyond it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"

native_regions() {
    sed '/^#/d' >expected <<'LIST'
0 0 inner [library.c:12]
1 0 outer
2 0 inner [library.c:12]
20 0 assemble [assembly.c:7]
20 0 solve
5 0 library solve [native.c:LINE]
64 0 recurse [native.c:LINE]
LIST
    sed -i '/^0 0 inner/d' expected
    dump regions | sed 's/native.c:[0-9]*/native.c:LINE/' >found
    same "$1: regions and their calls" expected found
    printf '0 1 outer\n0 1 outer > inner\n0 1 outer > inner > inner\n' >expected
    dump paths | grep outer >found || true
    same "$1: call paths of the scopes" expected found
    holds "$1: the file is named by the prefix" test -f run_rank00000.h5
}
compile_c "$here/native.c" -o native
compile_c "$here/native.c" -o native_linked "${linked[@]}"
three_ways "the native API" ./native ./native_linked native_regions
same "it ends as it means to" <(echo 5) plain.code

own_paths() {
    cat >expected <<'LIST'
0 1 after the pause
0 1 after the pause > closed by its parent
0 1 before the pause
0 1 tagged
0 2 iteration > site > leaves_early > rest of the block > deeper
0 4 iteration
0 4 iteration > site
0 4 iteration > site > leaves_early
0 4 iteration > site > leaves_early > rest of the block
LIST
    dump paths >found
    same "$1: call paths" expected found
    holds "$1: sp_set named the file" test -f named.h5
    "$BIN/sp-pproc" inspect named.h5 >inspected
    for line in 'label: own' 'phase iteration: 10' 'flavour: vanilla' 'work: 1500000000'; do
        holds "$1: metadata has $line" grep -q "$line" inspected
    done
}
compile_c "$here/own.c" -o own
compile_c "$here/own.c" -o own_linked "${linked[@]}"
three_ways "our own C API" ./own ./own_linked own_paths

run environment LD_PRELOAD="$runtime" SP_OUTPUT=wins.h5 ./own
holds "the environment wins over sp_set" test -f wins.h5
run enabled LD_PRELOAD="$runtime" SP_ENABLE_TAGS='verb*' ./own
holds "SP_ENABLE_TAGS switches an opt-in tag on" grep -q '^0 1 tagged > opt-in$' <(dump paths)
run chosen LD_PRELOAD="$runtime" SP_TAGS=outer ./own
same "SP_TAGS keeps what has one of the tags" <(echo "0 1 tagged") <(dump paths)
run excluded LD_PRELOAD="$runtime" SP_EXCLUDE='*' ./own
same_program "everything excluded" excluded

# Without sp_init a program that uses no MPI writes a file only where it is asked to.
cat >plain.c <<'C'
#include <scope_profiler.h>
int main(void) { for (int i = 0; i < 3; i++) { SP_BEGIN("loop"); SP_END("loop"); } return 5; }
C
compile_c plain.c -o plain_c
run plain LD_PRELOAD="$runtime" ./plain_c
holds "no sp_init, no MPI: no file" test ! -e "$(file_of)"
run enabled LD_PRELOAD="$runtime" SP_ENABLE=1 ./plain_c
same "SP_ENABLE=1: one file at exit" <(echo "0 3 loop") <(dump paths)
same "SP_ENABLE=1: the exit code" plain.code enabled.code
finish
