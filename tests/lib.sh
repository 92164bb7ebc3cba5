# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by the test scripts. ctest names the build folder in SP_TEST_BUILD; by hand, the dev build is taken.
# Afterwards: $source, $build_folder, $build_preload, $BIN, and the working directory is a fresh one that goes away.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/launch.sh
. "$source/scripts/launch.sh"
load_build "${SP_TEST_BUILD:-$source/build/dev}"
BIN=$build_folder/bin
export LC_ALL=C.UTF-8
failures=0

work=$(mktemp -d "${TMPDIR:-/tmp}/sp-test.XXXXXX")
cleanup=()
at_exit() {
    local command
    for command in "${cleanup[@]}"; do $command || true; done
    rm -rf "$work"
}
trap at_exit EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
cd "$work"

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }
pass() { echo "ok: $*"; }
finish() { [ "$failures" = 0 ] || exit 1; exit 0; }
need() { command -v "$1" >/dev/null || skip "$1 is not installed"; }

same() { # same NAME FILE FILE
    if diff -u "$2" "$3" >"$work/.diff"; then
        pass "$1"
    else
        fail "$1"
        head -n 40 "$work/.diff" >&2
    fi
}

holds() { # holds NAME COMMAND...: the command succeeds
    local name=$1
    shift
    if "$@"; then pass "$name"; else fail "$name"; fi
}
