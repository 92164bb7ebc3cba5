#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# smoke.sh NAME...: these benchmarks run, and their JSON has every row of rows.txt. No time is looked at.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
here=$source/tests/bench
need jq
[ -w /dev/shm ] || skip "no tmpfs at /dev/shm"

holds "these benchmarks run: $*" "$here/bench" --build "$build_folder" --short --disk "$work" -o bench.json "$@"
holds "one JSON text each" jq -e --argjson count $# 'length == $count and all(.[]; .floor_ns >= 0 and (.rows | length > 0))' bench.json
jq -r '.[] | .benchmark as $b | .rows[] | "\($b)\t\(.name)"' bench.json | sort >rows
jq -r '.[] | .skipped[]' bench.json >skipped
grep -E "^($(IFS='|'; echo "$*"))	" "$here/rows.txt" | sort >wanted
if grep -q OTF2 skipped; then sed -i '/OTF2/d' wanted; fi
if grep -q 'one core' skipped; then sed -i '/wall time/{/2 threads/d}' wanted; fi
if grep -q 'shared writes' skipped; then sed -i '/8 threads:/d' wanted; fi
same "every row is there" wanted rows

value() { jq -r --arg name "$1" '.[] | .rows[] | select(.name == $name) | .value' bench.json; }
if [[ " $* " = *" threads "* ]] && ! grep -q 'shared writes' skipped; then
    holds "no thread writes a page that another touches" test "$(value '8 threads: pages one writes and another touches')" = 0
    holds "a counter in common would be found" test "$(value '8 threads: the same where all add to one counter')" != 0
fi
holds "a wrong option is refused" test "$("$here/bench" --build "$build_folder" --wrong 2>&1 | head -n 1 | cut -c 1-4)" = Runs
finish
