! SPDX-License-Identifier: BSD-3-Clause
! The calls of rma.c with mpi_f08 and without ierror.
program rma_f08
  use mpi_f08
  implicit none
  integer :: rank, num_ranks, right, i
  integer(MPI_ADDRESS_KIND), parameter :: first = 0, eighth = 8
  integer(MPI_ADDRESS_KIND) :: bytes
  double precision, asynchronous :: doubles(16), more_doubles(16), window_memory(64)
  type(MPI_Win) :: window
  type(MPI_Comm) :: turned
  type(MPI_Request) :: request

  doubles = 1.0d0
  bytes = 64 * 8
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, num_ranks)
  right = mod(rank + 1, num_ranks)
  call MPI_Win_create(window_memory, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window)
  call MPI_Win_fence(0, window)
  do i = 1, 3
    call MPI_Put(doubles, 5, MPI_DOUBLE_PRECISION, right, first, 5, MPI_DOUBLE_PRECISION, window)
  end do
  call MPI_Put(doubles, 5, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, first, 5, MPI_DOUBLE_PRECISION, window)
  call MPI_Win_fence(0, window)
  call MPI_Get(more_doubles, 7, MPI_DOUBLE_PRECISION, right, first, 7, MPI_DOUBLE_PRECISION, window)
  call MPI_Win_fence(0, window)
  call MPI_Accumulate(doubles, 2, MPI_DOUBLE_PRECISION, right, first, 2, MPI_DOUBLE_PRECISION, MPI_SUM, window)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, window)
  call MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window)
  call MPI_Get_accumulate(doubles, 4, MPI_DOUBLE_PRECISION, more_doubles, 4, MPI_DOUBLE_PRECISION, right, first, 4, &
    MPI_DOUBLE_PRECISION, MPI_SUM, window)
  call MPI_Get_accumulate(doubles, 4, MPI_DOUBLE_PRECISION, more_doubles, 4, MPI_DOUBLE_PRECISION, right, first, 4, &
    MPI_DOUBLE_PRECISION, MPI_NO_OP, window)
  call MPI_Fetch_and_op(doubles, more_doubles, MPI_DOUBLE_PRECISION, right, first, MPI_SUM, window)
  call MPI_Win_flush(right, window)
  call MPI_Rput(doubles, 6, MPI_DOUBLE_PRECISION, right, eighth, 6, MPI_DOUBLE_PRECISION, window, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Win_unlock(right, window)
  call MPI_Win_free(window)

  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, turned)
  call MPI_Win_create(window_memory, bytes, 8, MPI_INFO_NULL, turned, window)
  call MPI_Comm_free(turned)
  call MPI_Win_fence(0, window)
  call MPI_Put(doubles, 1, MPI_DOUBLE_PRECISION, 0, first, 1, MPI_DOUBLE_PRECISION, window)
  call MPI_Win_fence(0, window)
  call MPI_Win_free(window)
  call MPI_Finalize()
end program
