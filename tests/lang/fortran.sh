#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The Fortran module on the real libsp.so: a program written for the Python scope-profiler's, and what ours has beyond it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"
need gfortran

native_regions() {
    printf '1 0 fibonacci\n177 0 fib_call\n20 0 assemble [assembly.f90:17]\n21 0 solve\n' >expected
    dump regions >found
    same "$1: regions and their calls" expected found
    holds "$1: recursion is nested" test "$(dump paths | grep -c 'fibonacci > fib_call')" = 10
}
compile_fortran "$here/native.f90" -o native
compile_fortran "$here/native.f90" -o native_linked "${linked[@]}"
three_ways "the native module" ./native ./native_linked native_regions
same "it ends as it means to" <(echo 5) plain.code

own_paths() {
    cat >expected <<'LIST'
0 1 and again
0 1 begun again
0 1 ended
0 1 longlong
0 2 iteration > leaves early > after the block
0 2 iteration > leaves early > block
0 4 iteration
0 4 iteration > leaves early
LIST
    dump paths | sed -E 's/(long){5000}$/longlong/' >found
    same "$1: call paths" expected found
    holds "$1: the file is named by the prefix, with its blanks" test -f "   x_rank00000.h5"
}
compile_fortran "$here/own.f90" -o own
compile_fortran "$here/own.f90" -o own_linked "${linked[@]}"
three_ways "our own module" ./own ./own_linked own_paths
run enabled LD_PRELOAD="$runtime" SP_ENABLE_TAGS='*' ./own
holds "SP_ENABLE_TAGS switches an opt-in tag on" grep -q '^0 1 opt-in$' <(dump paths)

# With another compiler the installed sources are compiled along; here the same one stands for it.
gfortran -std=f2008 -c "$source/runtime/fortran/scope_profiler.f90"
"$build_cc" -I"$include" -c "$source/runtime/fortran/sp_fortran.c"
gfortran -I. "$here/native.f90" scope_profiler.o sp_fortran.o -ldl -o from_source
run preloaded LD_PRELOAD="$runtime" ./from_source
native_regions "module compiled from its sources"
finish
