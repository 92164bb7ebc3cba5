! SPDX-License-Identifier: BSD-3-Clause
! The calls of rma.c with mpif.h.
program rma_mpifh
  implicit none
  include 'mpif.h'
  integer :: rank, num_ranks, right, i, window, turned, request, ierror
  integer(MPI_ADDRESS_KIND), parameter :: first = 0, eighth = 8
  integer(MPI_ADDRESS_KIND) :: bytes
  double precision :: doubles(16), more_doubles(16), window_memory(64)

  doubles = 1.0d0
  bytes = 64 * 8
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, num_ranks, ierror)
  right = mod(rank + 1, num_ranks)
  call MPI_Win_create(window_memory, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
  call MPI_Win_fence(0, window, ierror)
  do i = 1, 3
    call MPI_Put(doubles, 5, MPI_DOUBLE_PRECISION, right, first, 5, MPI_DOUBLE_PRECISION, window, ierror)
  end do
  call MPI_Put(doubles, 5, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, first, 5, MPI_DOUBLE_PRECISION, window, ierror)
  call MPI_Win_fence(0, window, ierror)
  call MPI_Get(more_doubles, 7, MPI_DOUBLE_PRECISION, right, first, 7, MPI_DOUBLE_PRECISION, window, ierror)
  call MPI_Win_fence(0, window, ierror)
  call MPI_Accumulate(doubles, 2, MPI_DOUBLE_PRECISION, right, first, 2, MPI_DOUBLE_PRECISION, MPI_SUM, window, ierror)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, window, ierror)
  call MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window, ierror)
  call MPI_Get_accumulate(doubles, 4, MPI_DOUBLE_PRECISION, more_doubles, 4, MPI_DOUBLE_PRECISION, right, first, 4, &
    MPI_DOUBLE_PRECISION, MPI_SUM, window, ierror)
  call MPI_Get_accumulate(doubles, 4, MPI_DOUBLE_PRECISION, more_doubles, 4, MPI_DOUBLE_PRECISION, right, first, 4, &
    MPI_DOUBLE_PRECISION, MPI_NO_OP, window, ierror)
  call MPI_Fetch_and_op(doubles, more_doubles, MPI_DOUBLE_PRECISION, right, first, MPI_SUM, window, ierror)
  call MPI_Win_flush(right, window, ierror)
  call MPI_Rput(doubles, 6, MPI_DOUBLE_PRECISION, right, eighth, 6, MPI_DOUBLE_PRECISION, window, request, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Win_unlock(right, window, ierror)
  call MPI_Win_free(window, ierror)

  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, turned, ierror)
  call MPI_Win_create(window_memory, bytes, 8, MPI_INFO_NULL, turned, window, ierror)
  call MPI_Comm_free(turned, ierror)
  call MPI_Win_fence(0, window, ierror)
  call MPI_Put(doubles, 1, MPI_DOUBLE_PRECISION, 0, first, 1, MPI_DOUBLE_PRECISION, window, ierror)
  call MPI_Win_fence(0, window, ierror)
  call MPI_Win_free(window, ierror)
  call MPI_Finalize(ierror)
end program
