! SPDX-License-Identifier: BSD-3-Clause
! functions.c for Fortran: procedures of a module, of a program, and by themselves.
module grid
   implicit none
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
   print '(a,i0)', "cells ", n
end program functions
