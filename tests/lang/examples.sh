#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The examples without MPI, built by hand from an installed tree as their first lines say.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"

cmake --install "$build_folder" --prefix "$work/tree" >install.log 2>&1 || { tail -n 20 install.log >&2; fail "installing"; finish; }
lib=$(dirname "$(find "$work/tree" -name libsp.so)")
example() { # example NAME PROGRAM
    run plain "$2"
    run recorded LD_PRELOAD="$lib/libsp.so" "$2"
    same_program "$1" recorded
    dump paths >found
}
if command -v c++ >/dev/null; then
    c++ -std=c++11 -O2 -Itree/include tree/share/scope-profiler/examples/regions.cpp -o regions_cxx -ldl
    example "C++" ./regions_cxx
    same "C++: call paths" <(printf '0 4 try\n0 4 try > double integrate(int)\n') found
fi
if [ -f tree/include/scope_profiler.mod ]; then
    gfortran -O2 -Itree/include tree/share/scope-profiler/examples/regions.f90 -o regions_fortran -L"$lib" -lsp_fortran -ldl
    example "Fortran" ./regions_fortran
    same "Fortran: call paths" <(printf '0 4 solve\n0 4 solve > integral\n') found
    gfortran -O2 -c tree/share/scope-profiler/fortran/scope_profiler.f90
    "$build_cc" -O2 -Itree/include -c tree/share/scope-profiler/fortran/sp_fortran.c
    holds "the installed sources compile" gfortran -I. tree/share/scope-profiler/examples/regions.f90 scope_profiler.o sp_fortran.o -o again -ldl
fi
finish
