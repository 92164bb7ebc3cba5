#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The headers compile without a warning, as C99 and later and as C++11 and later, with and without -DSP_DISABLE_PROFILING, and two
# translation units with them link.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"

echo '#include <scope_profiler.h>
int other(void);
int other(void) { SP_BEGIN("other"); SP_END("other"); return sp_region("x") == sp_region("x") ? 0 : 1; }' >other.c
compiles() { # compiles COMPILER STANDARD SOURCES...
    local compiler=$1 standard=$2 off level c=()
    shift 2
    case $standard in c[0-9]*) c=(-Wstrict-prototypes) ;; esac
    for off in '' -DSP_DISABLE_PROFILING; do
        for level in -O0 -O2; do # what is inlined and what is not warns differently
            # shellcheck disable=SC2086
            holds "$compiler -std=$standard $level $off ${1##*/}" "$compiler" -std="$standard" $level $off "${strict[@]}" "${c[@]}" \
                -I"$include" "$@" -o compiled -ldl
        done
    done
}
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for standard in c99 gnu17; do compiles $compiler $standard "$here/native.c" other.c; done
    compiles $compiler c99 "$here/own.c"
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for standard in c++11 c++20; do compiles $compiler $standard "$here/scopes.cpp" -x c++ other.c; done
    compiles $compiler c++11 -x c++ "$here/native.c"
done
finish
