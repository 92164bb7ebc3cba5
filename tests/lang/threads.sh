#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls of any thread are counted, once.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"

all_threads() {
    printf '1 0 after a foreign end\n1 0 foreign\n200000 0 steady\n64000 0 inner\n64000 0 shared\n' | LC_ALL=C sort >expected
    sums >found
    same "$1: calls of all threads" expected <(grep -v common found)
    holds "$1: names looked up by 8 threads at once" test "$(grep -c '^8 0 common [0-9]*$' found)" = 500
    holds "$1: no path leads through another thread's region" test -z "$(dump paths | grep 'foreign >' || true)"
    holds "$1: lanes are used again" test "$(dump paths | awk '{print $1}' | sort -u | wc -l)" -le 12
}
compile_c "$here/threads.c" -o threads
compile_c "$here/threads.c" -o threads_linked "${linked[@]}"
three_ways "threads" ./threads ./threads_linked all_threads
finish
