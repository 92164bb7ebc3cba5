! SPDX-License-Identifier: BSD-3-Clause
module sentinels_usempi_callbacks
  implicit none
  integer :: deleted = 0, errors = 0
contains
  subroutine larger(one, two, count, type)
    integer :: count, type, one(count), two(count)
    two = max(one, two)
  end subroutine

  subroutine on_delete(comm, keyval, value, extra_state, ierror)
    use mpi
    integer :: comm, keyval, ierror, rank
    integer(MPI_ADDRESS_KIND) :: value, extra_state
    call MPI_Comm_rank(comm, rank, ierror)
    deleted = int(value)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine on_error(comm, code)
    integer :: comm, code
    errors = errors + 1
  end subroutine
end module

program sentinels_usempi
  use mpi
  use sentinels_usempi_callbacks
  implicit none
  integer, asynchronous :: values(64), received(64)
  integer :: rank, num_ranks, i, next, previous, ierror
  integer(MPI_ADDRESS_KIND) :: place(1)
  logical :: has_arrived
  integer :: requests(2), absolute, op, graph, keyval, handler

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, num_ranks, ierror)
  include 'sentinels.inc'
