! SPDX-License-Identifier: BSD-3-Clause
! Regions of a Fortran program without MPI, by handle and by a scope that closes itself.
!
!     gfortran -O2 -I DIR regions.f90 -o regions_fortran -lsp_fortran -ldl      DIR: the folder of scope_profiler.mod
!     LD_PRELOAD=libsp.so ./regions_fortran                                     writes regions_rank00000.h5
!
! Another compiler cannot read that .mod file: compile scope_profiler.f90 and sp_fortran.c (share/scope-profiler/fortran) along.
program regions
   use scope_profiler
   implicit none
   integer :: i, solve
   double precision :: total

   call sp_init("regions")
   solve = sp_region("solve", file="regions.f90", line=15)
   total = 0
   do i = 1, 4
      call sp_begin(solve)
      total = total + integral(100000*i)
      call sp_end(solve)
   end do
   call sp_finalize()
   print '(f9.6)', total

contains

   double precision function integral(n)
      integer, intent(in) :: n
      type(sp_scope) :: timed
      integer :: j

      call timed%begin("integral")
      integral = 0
      do j = 1, n
         integral = integral + sin((j - 0.5d0)/n)/n
      end do
   end function integral

end program regions
