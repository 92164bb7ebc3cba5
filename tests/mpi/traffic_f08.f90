! SPDX-License-Identifier: BSD-3-Clause
! The calls of traffic.c with mpi_f08 and without ierror.
program traffic_f08
  use mpi_f08
  implicit none

  integer :: rank, num_ranks, right, left, i, at, ierror
  integer :: ints(4096), more_ints(4096), counts(64), displacements(64)
  double precision :: doubles(1024), more_doubles(1024)
  type(MPI_Request) :: requests(2), request
  type(MPI_Comm) :: half
  type(MPI_Status) :: status, statuses(2)

  ierror = 0
  ints = 1
  doubles = 1.0d0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, num_ranks)
  right = mod(rank + 1, num_ranks)
  left = mod(rank + num_ranks - 1, num_ranks)

  do i = 1, 5
    call MPI_Irecv(more_doubles, 20, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Send(doubles, 10, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD)
    call MPI_Wait(requests(1), status)
  end do
  do i = 1, 3
    call MPI_Irecv(more_ints, 4, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(ints, 4, MPI_INTEGER, right, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Barrier(MPI_COMM_WORLD)
  end do
  do i = 1, 2
    call MPI_Sendrecv(ints, 2, MPI_INTEGER, right, 3, more_ints, 2, MPI_INTEGER, left, 3, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE)
  end do
  call MPI_Ssend(ints, 100, MPI_INTEGER, MPI_PROC_NULL, 4, MPI_COMM_WORLD)
  call MPI_Recv(ints, 100, MPI_INTEGER, MPI_PROC_NULL, 4, MPI_COMM_WORLD, status)

  call MPI_Recv_init(more_ints, 5, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Send_init(ints, 5, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(2))
  do i = 1, 3
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, statuses)
  end do
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))

  at = 0
  do i = 1, num_ranks
    counts(i) = i
    displacements(i) = at
    at = at + i
  end do
  call MPI_Bcast(ints, 7, MPI_INTEGER, 0, MPI_COMM_WORLD)
  do i = 1, 4
    call MPI_Allreduce(doubles, more_doubles, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end do
  doubles = rank
  call MPI_Allreduce(MPI_IN_PLACE, doubles, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (nint(doubles(3)) /= num_ranks * (num_ranks - 1) / 2) error stop 'MPI_IN_PLACE went wrong'
  call MPI_Reduce(doubles, more_doubles, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  call MPI_Gather(ints, 1, MPI_INTEGER, more_ints, 1, MPI_INTEGER, num_ranks - 1, MPI_COMM_WORLD)
  call MPI_Scatter(ints, 1, MPI_INTEGER, more_ints, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Allgather(doubles, 1, MPI_DOUBLE_PRECISION, more_doubles, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, more_doubles, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
  call MPI_Alltoall(ints, 1, MPI_INTEGER, more_ints, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call MPI_Allgatherv(ints, rank + 1, MPI_INTEGER, more_ints, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD)

  do i = 1, 2
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
    call MPI_Iallreduce(ints, more_ints, 1, MPI_INTEGER, MPI_SUM, half, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Comm_free(half)
  end do
  call MPI_Finalize()
end program
