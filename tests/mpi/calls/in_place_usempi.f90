! SPDX-License-Identifier: BSD-3-Clause
program in_place_usempi
  use mpi
  implicit none
  integer, asynchronous :: values(64)
  integer :: rank, num_ranks, i, all_ranks, ierror, counts(64), at(64), unused(64)
  integer :: request

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, num_ranks, ierror)
  include 'in_place.inc'
