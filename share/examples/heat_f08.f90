! SPDX-License-Identifier: BSD-3-Clause
! The 2-D heat equation, explicit in time, rows (here: columns, which are contiguous) divided among the ranks.
! Written with the mpi_f08 module and not instrumented: its MPI calls are recorded all the same.
!
!     mpifort -O2 heat_f08.f90 -o heat_f08
!     mpirun -n 2 -x LD_PRELOAD=libsp_pmpi.so ./heat_f08 [SIZE STEPS]
program heat_f08
   use, intrinsic :: iso_fortran_env, only: int64, real64
   use mpi_f08
   implicit none

   type(MPI_Comm) :: world
   type(MPI_Request) :: requests(4)
   integer :: rank, ranks, left, right, size, steps, first, columns, step
   integer :: parameters(2)
   real(real64), allocatable :: now(:, :), next(:, :)
   real(real64) :: residual, energy

   call MPI_Init()
   world = MPI_COMM_WORLD
   call MPI_Comm_rank(world, rank)
   call MPI_Comm_size(world, ranks)
   call read_parameters()
   call set_up()
   do step = 1, steps
      call exchange_halo()
      call advance()
      if (mod(step, 10) == 0) call find_residual()
   end do
   call print_result()
   call MPI_Finalize()

contains

   ! Rank 0 reads the command line, the others are told.
   subroutine read_parameters()
      character(len=32) :: text
      integer :: i
      parameters = [256, 100]
      if (rank == 0) then
         do i = 1, min(command_argument_count(), 2)
            call get_command_argument(i, text)
            read (text, *) parameters(i)
         end do
      end if
      call MPI_Bcast(parameters, 2, MPI_INTEGER, 0, world)
      size = parameters(1)
      steps = parameters(2)
   end subroutine read_parameters

   subroutine set_up()
      real(real64), parameter :: pi = acos(-1.0_real64)
      integer :: i, j
      first = int(int(size, int64)*rank/ranks)
      columns = int(int(size, int64)*(rank + 1)/ranks) - first
      left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
      right = merge(rank + 1, MPI_PROC_NULL, rank + 1 < ranks)
      allocate (now(0:size + 1, 0:columns + 1), next(0:size + 1, 0:columns + 1), source=0.0_real64)
      do j = 1, columns
         do i = 1, size
            now(i, j) = sin(pi*i/(size + 1))*sin(2*pi*(first + j)/(size + 1))
         end do
      end do
   end subroutine set_up

   subroutine exchange_halo()
      call MPI_Irecv(now(:, 0), size + 2, MPI_DOUBLE_PRECISION, left, 1, world, requests(1))
      call MPI_Irecv(now(:, columns + 1), size + 2, MPI_DOUBLE_PRECISION, right, 2, world, requests(2))
      call MPI_Isend(now(:, columns), size + 2, MPI_DOUBLE_PRECISION, right, 1, world, requests(3))
      call MPI_Isend(now(:, 1), size + 2, MPI_DOUBLE_PRECISION, left, 2, world, requests(4))
      call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
   end subroutine exchange_halo

   subroutine advance()
      integer :: i, j
      do j = 1, columns
         do i = 1, size
            next(i, j) = now(i, j) + 0.2_real64*(now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1) - 4*now(i, j))
         end do
      end do
      residual = maxval(abs(next(1:size, 1:columns) - now(1:size, 1:columns)))
      now = next
   end subroutine advance

   subroutine find_residual()
      call MPI_Allreduce(MPI_IN_PLACE, residual, 1, MPI_DOUBLE_PRECISION, MPI_MAX, world)
   end subroutine find_residual

   ! The values are added as integers, so that the order of the ranks cannot show; the corner value comes by Send and Recv.
   subroutine print_result()
      integer(int64) :: part, total
      real(real64) :: corner
      part = sum(nint(now(1:size, 1:columns)**2*1.0e9_real64, int64))
      total = 0
      call MPI_Reduce(part, total, 1, MPI_INTEGER8, MPI_SUM, 0, world)
      corner = now(size, columns)
      if (rank == ranks - 1 .and. rank > 0) call MPI_Send(corner, 1, MPI_DOUBLE_PRECISION, 0, 3, world)
      if (rank == 0 .and. ranks > 1) call MPI_Recv(corner, 1, MPI_DOUBLE_PRECISION, ranks - 1, 3, world, MPI_STATUS_IGNORE)
      call find_residual()
      energy = total*1.0e-9_real64
      if (rank == 0) print '(a,i0,a,i0,a,es13.6,a,f0.9,a,es13.6)', 'heat_f08: ', size, ' squared, ', steps, ' steps, residual ', &
         residual, ', energy ', energy, ', corner ', corner
   end subroutine print_result

end program heat_f08
