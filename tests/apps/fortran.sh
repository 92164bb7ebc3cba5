#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The Fortran examples (mpi_f08 and mpif.h) on $1 ranks: same output, and each call counted once.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/apps.sh"

ranks=${1:-2} last=$(($1 - 1))

both heat_f08 "$ranks" "$build_folder/examples/heat_f08" 64 40
run_mpi 1 "$build_folder/examples/heat_f08" 64 40 >one.out
same "the result does not depend on the number of ranks" one.out plain.out
analyse run.h5
for rank in $(seq 0 "$last"); do
    {
        printf 'MPI_Allreduce 5\nMPI_Bcast 1\nMPI_Finalize 1\nMPI_Init 1\nMPI_Irecv 80\nMPI_Isend 80\n'
        if [ "$rank" = 0 ] && [ "$ranks" -gt 1 ]; then echo "MPI_Recv 1"; fi
        echo "MPI_Reduce 1"
        if [ "$rank" = "$last" ] && [ "$ranks" -gt 1 ]; then echo "MPI_Send 1"; fi
        echo "MPI_Waitall 40"
    } >expected.txt
    calls "$rank" >counted.txt
    same "mpi_f08, rank $rank of $ranks: calls as the loops make them" expected.txt counted.txt
done

rm -rf run.h5 report
both ring_mpifh "$ranks" "$build_folder/examples/ring_mpifh"
analyse run.h5
{
    printf 'MPI_Allreduce 1\nMPI_Barrier 1\nMPI_Finalize 1\nMPI_Init 1\n'
    if [ "$ranks" -gt 1 ]; then printf 'MPI_Recv 25\nMPI_Send 25\n'; fi
} >expected.txt
for rank in $(seq 0 "$last"); do
    calls "$rank" >counted.txt
    same "mpif.h, rank $rank of $ranks: calls as the loops make them" expected.txt counted.txt
done
finish
