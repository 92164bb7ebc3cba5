! SPDX-License-Identifier: BSD-3-Clause
! functions.c for Fortran: procedures of a module, of its submodule, of a program, within others, and by themselves.
module grid
   implicit none
   interface
      module subroutine refine(n)
         integer, intent(inout) :: n
      end subroutine refine
   end interface
contains
   integer function cells(n)
      integer, intent(in) :: n
      cells = edge(n)*edge(n + 1)
   contains
      integer function edge(m)
         integer, intent(in) :: m
         edge = m + 1
      end function edge
   end function cells
end module grid

submodule (grid) fine
   implicit none
contains
   module subroutine refine(n)
      integer, intent(inout) :: n
      call refine_twice(n)
   end subroutine refine
   subroutine refine_twice(n)
      integer, intent(inout) :: n
      integer :: i
      do i = 1, 3
         n = n + twice(i)
      end do
   contains
      integer function twice(m)
         integer, intent(in) :: m
         twice = 2*m
      end function twice
   end subroutine refine_twice
end submodule fine

subroutine alone(n)
   implicit none
   integer, intent(inout) :: n
   n = n + 1
end subroutine alone

program functions
   use grid
   implicit none
   integer :: i, n
   n = 0
   do i = 1, 3
      n = n + cells(i)
      call alone(n)
   end do
   call refine(n)
   print '(a,i0)', "cells ", n
end program functions
