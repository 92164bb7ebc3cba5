#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ScaLAPACK's test of the LU factorization on 4 ranks: hundreds of thousands of calls from BLACS; 240 tests pass.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/../apps.sh"
program=$(compgen -G "/usr/lib/*/scalapack/$build_mpi-tests/xdlu" | head -n 1) || true
[ -x "$program" ] || skip "scalapack-mpi-test is not installed"

cp "$(dirname "$(readlink -f "$program")")/LU.dat" . 2>/dev/null || cp /usr/share/scalapack/LU.dat .
# without times and rates, the columns before the check
steady() { awk '/^(WALL|CPU)/ {print $1, $2, $3, $4, $5, $6, $7, $8, $NF; next} {print}'; }
both xdlu 4 "$program"
holds "its tests pass" grep -q '240 tests completed and passed' recorded.out
count_calls xdlu 4 "$program"
finish
