! SPDX-License-Identifier: BSD-3-Clause
! A token goes round all ranks and is counted up by each: the old Fortran interface, mpif.h.
!
!     mpifort ring_mpifh.f90 -o ring_mpifh
!     mpirun -n 2 -x LD_PRELOAD=libsp_pmpi.so ./ring_mpifh
program ring_mpifh
   implicit none
   include 'mpif.h'
   integer, parameter :: rounds = 25
   integer :: rank, ranks, round, token, total, status(MPI_STATUS_SIZE), ierror

   call MPI_Init(ierror)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
   token = 0
   do round = 1, rounds
      if (rank == 0) then
         token = token + 1
         if (ranks > 1) then
            call MPI_Send(token, 1, MPI_INTEGER, 1, round, MPI_COMM_WORLD, ierror)
            call MPI_Recv(token, 1, MPI_INTEGER, ranks - 1, round, MPI_COMM_WORLD, status, ierror)
         end if
      else
         call MPI_Recv(token, 1, MPI_INTEGER, rank - 1, round, MPI_COMM_WORLD, status, ierror)
         token = token + 1
         call MPI_Send(token, 1, MPI_INTEGER, mod(rank + 1, ranks), round, MPI_COMM_WORLD, ierror)
      end if
   end do
   total = token
   call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierror)
   call MPI_Barrier(MPI_COMM_WORLD, ierror)
   if (rank == 0) print '(a,i0,a,i0,a)', 'ring: ', total/ranks, ' rounds of ', rounds, ' done'
   call MPI_Finalize(ierror)
end program ring_mpifh
