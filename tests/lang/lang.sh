# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by the tests of the languages, after lib.sh: programs are built as a user builds them, and read back from the run file.
here=$source/tests/lang
include=$source/runtime/include
runtime=$build_folder/lib/libsp.so
strict=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
export TMPDIR=$work

compile_c() { "$build_cc" -std=c99 -O2 "${strict[@]}" -Wstrict-prototypes -I"$include" "$@" -ldl -lpthread -lm; }
compile_cxx() { c++ -std=c++11 -O2 "${strict[@]}" -I"$include" "$@" -ldl -lpthread; }
compile_fortran() { gfortran -std=f2008 -O2 -Wall -I"$build_folder/modules" "$@" "$build_folder/archive/libsp_fortran.a" -ldl; }
linked=(-L"$build_folder/lib" "-Wl,--no-as-needed" -lsp "-Wl,-rpath,$build_folder/lib")

file_of() { # file_of: the one run file of this folder, which must be there
    local files=("$work"/*.h5)
    if [ ${#files[@]} = 1 ] && [ -f "${files[0]}" ]; then echo "${files[0]}"; else echo missing.h5; fi
}
dump() { "$build_folder/tests/lang_dump" "$1" "$(file_of)" | LC_ALL=C sort; }
sums() { dump regions | sed 's/ \[.*\]//; s/ {.*}$//'; } # "CALLS KIND NAME"

run() { # run NAME [VARIABLE=VALUE ...] PROGRAM: NAME.out, NAME.err, NAME.code
    local name=$1 code=0
    shift
    rm -f "$work"/*.h5 "$work"/*.part
    env "$@" >"$name.out" 2>"$name.err" </dev/null || code=$?
    echo "$code" >"$name.code"
}

same_program() { # same_program WHAT NAME: this run told the user what the plain one did
    same "$1: stdout" plain.out "$2.out"
    same "$1: exit code" plain.code "$2.code"
    if grep -v '^scope-profiler: ' "$2.err" >odd; then fail "$1: stderr has other lines"; cat odd; else pass "$1: stderr is ours"; fi
}

# three_ways WHAT PLAIN LINKED CHECK: without a runtime, preloaded and linked; CHECK looks at the file of the latter two.
three_ways() {
    run plain "$2"
    holds "$1 without a runtime says nothing more" test ! -s plain.err
    holds "$1 without a runtime writes no file" test ! -e "$(file_of)"
    run preloaded LD_PRELOAD="$runtime" "$2"
    same_program "$1, preloaded" preloaded
    "$4" "$1, preloaded"
    run linked "$3"
    same_program "$1, linked" linked
    "$4" "$1, linked"
    run off LD_PRELOAD="$runtime" SP_ENABLE=0 "$2"
    same_program "$1, SP_ENABLE=0" off
    holds "$1, SP_ENABLE=0: no file" test ! -e "$(file_of)"
    holds "$1: no spill files are left" test -z "$(find "$work" -name '*.spill')"
}
