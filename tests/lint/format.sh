#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# C sources are as clang-format leaves them (scripts/format); shell scripts are as shellcheck likes them.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$source"

if ! command -v clang-format >/dev/null && ! command -v shellcheck >/dev/null; then skip "neither clang-format nor shellcheck here"; fi
if command -v clang-format >/dev/null; then
    holds "clang-format has nothing to change" scripts/format --check
fi
if command -v shellcheck >/dev/null; then
    mapfile -t scripts < <(grep -rlE '^#!/bin/(ba)?sh|^# shellcheck shell=' scripts tests slurm .ci share)
    holds "shellcheck has nothing to say" shellcheck -x --severity=warning "${scripts[@]}"
fi
finish
