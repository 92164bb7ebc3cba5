#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The C++ header on the real libsp.so.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"
need c++

all_scopes() {
    cat >expected <<'LIST'
0 1 T twice(T) [with T = int]
0 1 assigned over > assigned
0 1 assigned over
0 1 computed 0
0 1 computed 0 > buffer 0
0 1 computed 1
0 1 computed 1 > buffer 1
0 1 int Solver::step(sp_profiler*)
0 1 int Solver::step(sp_profiler*) > part of a step
0 1 moved
0 1 moved > inside the moved
0 2 T twice(T) [with T = double]
0 3 catches
0 3 tries
0 3 tries > throws
0 3 tries > throws > throws
0 3 tries > throws > throws > throws
LIST
    LC_ALL=C sort -o expected expected
    dump paths >found
    same "$1: call paths" expected found
}
compile_cxx "$here/scopes.cpp" -o scopes
compile_cxx "$here/scopes.cpp" -o scopes_linked "${linked[@]}"
three_ways "scopes" ./scopes ./scopes_linked all_scopes
finish
