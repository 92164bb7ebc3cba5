#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The source tree: what may lie at its top, and what no file of it may say.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$source"

files() {
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard
    else
        find . -type f -not -path './build/*' -not -path './demo-out/*' | sed 's|^\./||'
    fi | while IFS= read -r file; do if [ -f "$file" ]; then echo "$file"; fi; done
}
files >"$work/files"

nowhere() { # nowhere WHAT PATTERN [FILES-PATTERN]: no file has a line like this
    local found
    found=$(grep -E "${3:-.}" "$work/files" | tr '\n' '\0' | xargs -0 grep -InE -- "$2" || true)
    if [ -z "$found" ]; then pass "no $1"; else fail "$1: $found"; fi
}

odd=$(sed 's|/.*||' "$work/files" | sort -u |
    grep -vxE 'CMakeLists\.txt|CMakePresets\.json|README\.md|NEWS\.md|LICENSE|pmpi|runtime|merge|pproc|scripts|slurm|tests|share|\..*' || true)
if [ -z "$odd" ]; then pass "the top level is as it should be"; else fail "unexpected at the top level: $odd"; fi

nowhere "path of one machine" '/(wor[k]|roo[t])/'
nowhere "address of a registry or mirror" '(https?|ftp):/[/]' '^(scripts|slurm|\.ci)/|CMakeLists\.txt$|\.cmake$|CMakePresets'
nowhere "number of an issue" '\b[Ii]ssue[s]? #?[0-9]'
nowhere "mark of an unresolved merge" '^(<<<<<<[<]|>>>>>>[>]) '
nowhere "blank at the end of a line" '[[:blank:]]$' '\.([chf]|f90|sh|cmake|md|txt|def)$|^scripts/|CMakeLists\.txt$'

grep -E '\.([ch]|f90|sh|def|cmake)$|^scripts/[a-z0-9-]+$|CMakeLists\.txt$' "$work/files" | while IFS= read -r file; do
    head -n 4 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' || echo "$file"
done >"$work/unlicensed"
if [ -s "$work/unlicensed" ]; then fail "without an SPDX line: $(tr '\n' ' ' <"$work/unlicensed")"; else pass "every source says its licence"; fi

for file in scripts/demo scripts/test scripts/deps scripts/build scripts/private-hdf5 .ci/run; do
    holds "$file is a program" test -x "$file"
done
finish
