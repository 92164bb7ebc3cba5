! SPDX-License-Identifier: BSD-3-Clause
module sentinels_f08_callbacks
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  integer :: deleted = 0, errors = 0
contains
  subroutine larger(one, two, count, type)
    type(c_ptr), value :: one, two
    integer :: count
    type(MPI_Datatype) :: type
    integer, pointer :: a(:), b(:)
    call c_f_pointer(one, a, [count])
    call c_f_pointer(two, b, [count])
    b = max(a, b)
  end subroutine

  subroutine on_delete(comm, keyval, value, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror, rank
    integer(MPI_ADDRESS_KIND) :: value, extra_state
    call MPI_Comm_rank(comm, rank, ierror)
    deleted = int(value)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine on_error(comm, code)
    type(MPI_Comm) :: comm
    integer :: code
    errors = errors + 1
  end subroutine
end module

program sentinels_f08
  use sentinels_f08_callbacks
  implicit none
  integer, asynchronous :: values(64), received(64)
  integer :: rank, num_ranks, i, next, previous, ierror, keyval
  integer(MPI_ADDRESS_KIND) :: place(1)
  logical :: has_arrived
  type(MPI_Request) :: requests(2)
  type(MPI_Datatype) :: absolute
  type(MPI_Op) :: op
  type(MPI_Comm) :: graph
  type(MPI_Errhandler) :: handler

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, num_ranks, ierror)
  include 'sentinels.inc'
