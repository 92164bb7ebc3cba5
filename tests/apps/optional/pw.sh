#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Quantum ESPRESSO on $1 ranks: silicon, with Fortran's calls and those of C (BLACS) in one process. Same energies; its scatters of the
# FFT contain the all-to-alls.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/../apps.sh"
need pw.x
needs_this_mpi "$(command -v pw.x)"
potential=$(find /usr/share/doc/quantum-espresso /usr/share/espresso -name 'Si.pz-vbc.UPF*' 2>/dev/null | sort | sed -n 1p) || true
[ -n "$potential" ] || skip "no pseudopotential of silicon among quantum-espresso's files"

ranks=${1:-2}
case $potential in *.gz) gunzip -c "$potential" ;; *) cat "$potential" ;; esac >Si.UPF
cp "$source/tests/apps/optional/si.in" .
export OMP_NUM_THREADS=1
before_run() { rm -rf out; }
steady() { grep -vE 'CPU|WALL|starts on|terminated on|cpu time|MPI processes|RAM|^ *$'; }
both pw.x "$ranks" pw.x -in si.in
holds "it came to its end" grep -q 'JOB DONE' recorded.out
holds "the energy converged" grep -q '^!  *total energy' recorded.txt
analyse run.h5

# fft_scatt_yz: seconds and calls of the slowest process's timer; on one rank nothing is scattered between processes
if [ "$ranks" -gt 1 ]; then
    scatter=$(sed -nE 's/.*fft_scatt_yz *:.* ([0-9.]+)s WALL.*/\1/p' recorded.out)
    inside=$(seconds_in MPI_Alltoall MPI_Alltoallv | awk -v n="$ranks" '{print $1 / n}')
    echo "a rank: all-to-all $inside s, fft_scatt_yz $scatter s"
    # printed to a hundredth, summed up from many short calls
    holds "all-to-all within fft_scatt_yz" within 0 "$inside" "$(awk -v s="$scatter" 'BEGIN {print 1.25 * s + 0.02}')"
    scatters=$(sed -nE 's/.*fft_scatt_yz *:.*\( *([0-9]+) calls.*/\1/p' recorded.out)
    alltoalls=$(regions '[.MPI_Alltoall, .MPI_Alltoallv | .per_rank["0"].count // 0] | add')
    echo "rank 0: $alltoalls all-to-alls, $scatters calls of fft_scatt_yz"
    # a few more set the grids up
    holds "one all-to-all a scatter" within "$scatters" "$alltoalls" $((scatters + scatters / 20))
fi
count_calls pw.x "$ranks" pw.x -in si.in
finish
