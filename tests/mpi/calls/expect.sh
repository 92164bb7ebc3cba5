# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by the tests here, after tests/lib.sh.

# expect PROGRAM RANKS MODE: the rows of expected/PROGRAM for all ranks as list_calls prints them; rma_f08 and the like are held
# against expected/rma.
expect() {
    local file=$source/tests/mpi/calls/expected/$1 P=$2 M=$(($2 > 2)) r name calls sent received
    [ -f "$file" ] || file=${file%_*}
    for ((r = 0; r < P; r++)); do
        grep -v '^#' "$file" | while read -r name calls sent received; do
            calls=$((calls)) sent=$((sent)) received=$((received))
            if [ "$calls" = 0 ]; then continue; fi
            if [ "$3" = trace ]; then echo "$r $name $calls $sent $received"; else echo "$r $name $calls $((sent + received)) -"; fi
        done | sort -k2,2
    done
    : "$M" # a name for the expressions
}

list_calls() { "$build_folder/tests/list_calls" "$@"; }
