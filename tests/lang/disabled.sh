#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# -DSP_DISABLE_PROFILING leaves the machine code of a program without instrumentation.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"
need objdump

code() { objdump -d --no-show-raw-insn "$1" | sed 1,/Disassembly/d; }
symbols() { nm --format=posix "$1" | awk '$1 != "__gxx_personality_v0" {print $1, $2}'; }
same_code() { # same_code COMPILER FLAG SOURCE
    "$1" "$2" "${strict[@]}" -DSP_DISABLE_PROFILING -I"$include" -c "$3" -o disabled.o
    "$1" "$2" "${strict[@]}" -DNOTHING -c "$3" -o nothing.o
    "$1" "$2" "${strict[@]}" -I"$include" -c "$3" -o profiled.o
    same "$1 $2 ${3##*/}: machine code" <(code nothing.o) <(code disabled.o)
    same "$1 $2 ${3##*/}: symbols" <(symbols nothing.o) <(symbols disabled.o)
    holds "$1 $2 ${3##*/}: instrumented it is another" test "$(code profiled.o | wc -l)" -gt "$(code nothing.o | wc -l)"
}
for compiler in gcc clang; do
    if command -v $compiler >/dev/null; then for level in -O1 -O2 -O3; do same_code $compiler $level "$here/code.c"; done; fi
done
for compiler in g++ clang++; do
    if command -v $compiler >/dev/null; then for level in -O1 -O2 -O3; do same_code $compiler $level "$here/code.cpp"; done; fi
done
finish
