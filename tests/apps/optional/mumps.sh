#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The example of MUMPS (mpif.h, C from BLACS) on $1 ranks: same solution.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/../apps.sh"
program=/usr/lib/mumps/dsimpletest INPUT=/usr/lib/mumps/input_simpletest_real
[ -x "$program" ] || skip "mumps-test is not installed"
needs_this_mpi "$program"

ranks=${1:-2}
steady() { grep -viE 'time|elapsed|seconds|mflops|memory|mbytes|space'; }
both dsimpletest "$ranks" "$program"
holds "it found the solution" grep -qE 'Solution is +(0\.99999|1\.00000)' recorded.out
count_calls dsimpletest "$ranks" "$program"
finish
