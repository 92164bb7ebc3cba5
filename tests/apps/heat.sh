#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The C example on $1 ranks: same output, and each call counted; the expected counts follow from its loops.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/apps.sh"

ranks=${1:-2} steps=4 sweeps=3
both heat "$ranks" "$build_folder/examples/heat" --size 48 --steps $steps --sweeps $sweeps
run_mpi 1 "$build_folder/examples/heat" --size 48 --steps $steps --sweeps $sweeps >one.out
same "the result does not depend on the number of ranks" one.out plain.out
analyse run.h5

inner=$((steps * sweeps))
cat >expected.txt <<COUNTS
MPI_Allreduce $inner
MPI_Bcast 1
MPI_Finalize 1
MPI_Gatherv $((steps / 2))
MPI_Init 1
MPI_Irecv $((2 * inner))
MPI_Isend $((2 * inner))
MPI_Reduce 1
MPI_Waitall $inner
assemble $steps
halo $inner
io $((steps / 2))
setup 1
solve $inner
step $steps
COUNTS
for rank in $(seq 0 $((ranks - 1))); do
    calls "$rank" >counted.txt
    same "rank $rank of $ranks: calls as the loops make them" expected.txt counted.txt
done
holds "the file is of $ranks ranks" test "$(jq '.files[0].num_ranks' report/region_statistics.json)" = "$ranks"
finish
