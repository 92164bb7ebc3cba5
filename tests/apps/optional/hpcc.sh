#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# HPCC, small, on $1 ranks: storms of MPI_Testany, RMA-like random access, FFT; its checks pass with the same residuals.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/../apps.sh"
need hpcc
needs_this_mpi "$(command -v hpcc)"
example=/usr/share/doc/hpcc/examples/_hpccinf.txt
[ -r "$example" ] || skip "no example input of hpcc's"

ranks=${1:-2}
sed -e '6s/.*/200 Ns/' -e '8s/.*/32 NBs/' -e '11s/.*/1 Ps/' -e "12s/.*/$ranks Qs/" "$example" >hpccinf.txt
before_run() { rm -f hpccoutf.txt; }
after_run() {
    grep -E 'PASSED|FAILED|passed|failed|^Success|PTRANS_residual' hpccoutf.txt |
        awk '/^CPU/ {next} /^WALL/ {print $1, $2, $3, $4, $5, $6, $7, $9, $11; next} {print}' >"$1.checks"
}
both hpcc "$ranks" hpcc
same "its checks and residuals" plain.checks recorded.checks
holds "HPL passed" grep -q 'oo.*PASSED' recorded.checks
holds "it says success" grep -q '^Success=1' recorded.checks
count_calls hpcc "$ranks" hpcc
finish
