#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The library preloaded into a program of the other MPI, in C and both Fortran families: one line says so, and the program
# prints, returns and takes what it does without it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

declare -A others=([openmpi]=mpich [mpich]=openmpi)
other=${others[$build_mpi]}
need "mpicc.$other"
need "mpiexec.$other"

# As run_mpi, with the other MPI's launcher.
run_other() {
    local build_mpi=$other build_mpirun="mpiexec.$other"
    if [ "$other" = openmpi ]; then build_mpirun+=" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1"; fi
    run_mpi "$@"
}

cat >other_c.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, token = 0, sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&token, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &token, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&token, &sum, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, sum %d\n", size, sum);
    MPI_Pcontrol(1);
    MPI_Finalize();
    return 3;
}
C
fortran_body='
  integer :: rank, num_ranks, token, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, num_ranks, ierror)
  token = rank
  call MPI_Allreduce(MPI_IN_PLACE, token, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Bcast(token, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print *, num_ranks, token
  call MPI_Finalize(ierror)
  stop 3
end program'
printf 'program p\n  implicit none\n  include "mpif.h"%s\n' "$fortran_body" >other_mpifh.f90
printf 'program p\n  use mpi_f08\n  implicit none%s\n' "$fortran_body" >other_f08.f90

run_into() { # run_into NAME ARGS OF run_other
    local name=$1 code=0
    shift
    run_other "$@" >"$name.out" 2>"$name.all" </dev/null || code=$?
    echo "$code" >"$name.code"
    # the launcher names the first process that returned 3, and may end the others before they say STOP
    grep -v '^scope-profiler:' "$name.all" | grep -E '^(STOP|Fortran|forrtl)' | sort -u >"$name.err" || true
    grep '^scope-profiler:' "$name.all" >"$name.said" || true
}

check() { # check PROGRAM
    local ranks
    for ranks in 1 2; do
        run_into plain "$ranks" "./$1"
        run_into preloaded "$ranks" "LD_PRELOAD=$build_preload" "./$1"
        same "$1 on $ranks ranks: exit code" plain.code preloaded.code
        sed '/^=\|^-\|PID\|^Process name/d' plain.out >plain.own
        sed '/^=\|^-\|PID\|^Process name/d' preloaded.out >preloaded.own
        same "$1 on $ranks ranks: output" plain.own preloaded.own
        same "$1 on $ranks ranks: stderr of its own" plain.err preloaded.err
        holds "$1 on $ranks ranks: it ran to its end" grep -q 3 plain.code
        holds "$1 on $ranks ranks: one line says why" test "$(wc -l <preloaded.said)" = 1
        holds "$1 on $ranks ranks: the line names the MPI" grep -q "another MPI than the one .* built for ($build_mpi)" preloaded.said
        holds "$1 on $ranks ranks: no file" test -z "$(find . -name '*.h5*')"
    done
}

"mpicc.$other" -O1 other_c.c -o other_c 2>compile.log || { cat compile.log >&2; fail "compiling"; finish; }
check other_c
if command -v "mpifort.$other" >/dev/null && command -v gfortran >/dev/null; then
    for program in other_mpifh other_f08; do
        "mpifort.$other" -fallow-argument-mismatch $program.f90 -o $program 2>compile.log || { cat compile.log >&2; fail "compiling $program"; finish; }
        check $program
    done
fi
finish
