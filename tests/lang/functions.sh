#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Functions of a program compiled with -finstrument-functions, by the names their authors gave them.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"
hooks=$build_folder/lib/libsp_functions.so
linked_hooks=(-L"$build_folder/lib" "-Wl,--no-as-needed" -lsp_functions "-Wl,-rpath,$build_folder/lib")
record() { # record NAME [VARIABLE=VALUE ...] PROGRAM
    local name=$1
    shift
    run "$name" LD_PRELOAD="$hooks" SP_ENABLE=1 "$@"
}

same "libsp_functions.so exports the two hooks" <(printf '%s\n' __cyg_profile_func_enter __cyg_profile_func_exit) \
    <(nm -D --defined-only --format=posix "$hooks" | awk '{print $1}' | sort)

cat >expected.c <<'LIST'
1 4 before_main
1 4 in_library
1 4 main
100 4 jumps
400 4 leaves_by_jump
6 4 recursive
8 4 in_thread
8000 4 small
LIST
build() { "$build_cc" -O1 -g -finstrument-functions "$@" -lpthread; }
build -pie -fPIE "$here/functions.c" -o pie
build -no-pie -fno-pie "$here/functions.c" -o no_pie
build "$here/functions.c" -o with_hooks "${linked_hooks[@]}"
run plain ./pie
for kind in pie no_pie; do
    record recorded ./$kind
    same_program "C, $kind" recorded
    same "C, $kind: functions and their calls" expected.c <(dump regions)
    holds "C, $kind: recursion is nested" grep -q '^0 1 main > recursive > recursive > recursive > recursive > recursive > recursive$' <(dump paths)
done
run recorded SP_ENABLE=1 ./with_hooks
same_program "C, linked" recorded
same "C, linked: functions and their calls" expected.c <(dump regions)
record recorded ./pie
"$BIN/sp-pproc" inspect "$(file_of)" >inspected
id=$(readelf -n pie | sed -n 's/.*Build ID: //p')
holds "build id and load address are kept" grep -q "functions_module_0: base=0x[0-9a-f]* build_id=$id path=/" inspected

record off SP_FUNCTIONS=off ./pie
same_program "SP_FUNCTIONS=off" off
same "SP_FUNCTIONS=off: nothing is recorded" /dev/null <(dump regions 2>/dev/null)
record chosen SP_INCLUDE='small,in_*' ./pie
same "SP_INCLUDE knows the names" <(printf '%s\n' '1 4 in_library' '8 4 in_thread' '8000 4 small') <(dump regions)
record chosen SP_EXCLUDE='small,*ump*,recursive' ./pie
same "SP_EXCLUDE too" <(grep -v 'small\|jump\|recursive' expected.c) <(dump regions)
cp pie stripped
strip stripped
record stripped ./stripped
same_program "stripped" stripped
holds "stripped: addresses stand for names" test "$(dump regions | grep -c '^[0-9]* 4 executable+0x[0-9a-f]*$')" -ge 8

echo 'int in_library(int x); static int deeper(int x) { return x; } int in_library(int x) { return deeper(x); }' >library.c
build -shared -fPIC library.c -o libinstrumented.so
build -DWITH_LIBRARY "$here/functions.c" -o with_library -L. -linstrumented -Wl,-rpath,"$work"
record recorded ./with_library
same "functions of libraries are not recorded" <(grep -v in_library expected.c) <(dump regions)
record recorded SP_FUNCTIONS=all ./with_library
holds "SP_FUNCTIONS=all: they are" grep -q '^0 1 main > in_library > deeper$' <(dump paths)

if command -v c++ >/dev/null; then
    c++ -std=c++11 -O1 -finstrument-functions "$here/functions.cpp" -o cxx
    run plain ./cxx
    record recorded ./cxx
    same_program "C++" recorded
    cat >expected <<'LIST'
1 4 double solver::twice<double>(double)
1 4 int solver::twice<int>(int)
1 4 main
1 4 solver::(anonymous namespace)::hidden(int)
1 4 solver::Grid::Grid(int)
1 4 solver::Grid::size() const
30 4 solver::throws(int)
LIST
    same "C++: names are demangled" expected <(dump regions | grep -v 'std::\|operator')
    holds "C++: exceptions close frames" grep -q '^0 10 main > solver::throws(int) > solver::throws(int) > solver::throws(int)$' <(dump paths)
fi
if command -v gfortran >/dev/null; then
    gfortran -O1 -fno-inline -finstrument-functions "$here/functions.f90" -o fortran
    run plain ./fortran
    record recorded ./fortran
    same_program "Fortran" recorded
    cat >expected <<'LIST'
1 4 MAIN__
1 4 main
3 4 alone_
3 4 grid::cells
6 4 edge
LIST
    LC_ALL=C sort -o expected expected
    same "Fortran: module::procedure" expected <(dump regions)
fi
finish
