#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A call at any time is harmless: before the run it is recorded, after it and in a child it is not.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"
need c++

whole_life() {
    cat >expected <<'LIST'
0 1 before init
0 1 open over the fork
0 1 static constructor
0 10 open over the fork > parent, before
0 150000 open over the fork > parent, after
LIST
    dump paths >found
    same "$1: what was recorded" expected found
    holds "$1: the child wrote no file" test ! -e child_rank00000.h5
}
to_the_exit() { # the static object was made before sp_init, so its destructor runs after ours
    whole_life "$1"
}
compile_cxx "$here/life.cpp" -o life
compile_cxx "$here/life.cpp" -o life_linked "${linked[@]}"
three_ways "a whole life" ./life ./life_linked whole_life
run plain ./life exit
run preloaded LD_PRELOAD="$runtime" ./life exit
same_program "the end left to exit" preloaded
to_the_exit "the end left to exit"
finish
