#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Without a runtime a program's regions call nothing.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"

printf 'handle -1, calls 0, lookups 1\ncalls 2000\n' >expected
for compiler in "$build_cc" clang; do
    if ! command -v "$compiler" >/dev/null; then continue; fi
    for level in -O0 -O2; do
        "$compiler" -std=c99 "$level" "${strict[@]}" -I"$include" "$here/absent.c" -o absent -ldl
        ./absent >found
        same "${compiler##*/} $level: regions call nothing" expected found
    done
done
finish
