! SPDX-License-Identifier: BSD-3-Clause
! A program written for the Python scope-profiler's own Fortran module, every name of it. What it expects of a recording profiler it
! checks where there is one. Its result is 5 either way, without the line that stop would write.
program native
   use scope_profiler
   use, intrinsic :: iso_c_binding, only: c_int
   use, intrinsic :: iso_fortran_env, only: int64, output_unit
   implicit none

   interface
      subroutine c_exit(status) bind(c, name="exit")
         import :: c_int
         integer(c_int), value :: status
      end subroutine c_exit
   end interface

   integer :: step, solve, assemble, value, code, failures
   integer(int64) :: start
   type(sp_region_stats) :: stats
   character(len=80) :: message

   failures = 0
   start = sp_now_ns()
   call sp_init("run", rank=0, stat=code, errmsg=message)
   if (code /= SP_OK) stop 1
   solve = sp_region("solve")
   assemble = sp_region("assemble", file="assembly.f90", line=17, stat=code)
   if (code /= SP_OK) stop 2
   call expect(solve > 0 .and. assemble > 0, "handles count from 1")
   do step = 1, 20
      call sp_begin(assemble)
      call sp_end(assemble)
      call sp_begin(solve, stat=code, errmsg=message)
      if (code /= SP_OK) stop 3
      call sp_end(solve, stat=code, errmsg=message)
      if (code /= SP_OK) stop 4
   end do
   call sp_begin_name("fibonacci")
   value = fib(10)
   call sp_end_name("fibonacci   ")
   call expect(sp_region("solve") == solve, "a name has one handle")
   call expect(sp_num_calls(solve) == 20, "solve was entered 20 times")
   call sp_get_region_stats(solve, stats, stat=code)
   call expect(code == SP_OK .and. stats%calls == 20, "statistics count them")
   call expect(stats%min_ns <= stats%max_ns .and. stats%max_ns <= stats%total_ns, "min <= max <= total")
   call sp_begin(0)
   call sp_end(0)
   call sp_end(solve, stat=code, errmsg=message)
   call expect(code == SP_ERR_UNMATCHED_END .and. len_trim(message) > 0, "an end too many is noticed")
   call sp_begin(100000, stat=code)
   call expect(code == SP_ERR_INVALID_ARGUMENT, "a handle that does not exist")
   call sp_begin(solve)
   call sp_reset(stat=code)
   call expect(code == SP_ERR_OPEN_SCOPES, "no reset while a region is open")
   call sp_end(solve)
   call sp_reset(stat=code)
   call expect(code == SP_OK .and. sp_num_calls(solve) == 0_int64, "reset")
   call sp_flush(stat=code, errmsg=message)
   if (code /= SP_OK) stop 5
   call sp_finalize(stat=code, errmsg=message)
   if (code /= SP_OK) stop 6
   if (sp_is_active() .or. sp_now_ns() < start .or. failures > 0) stop 7
   write (output_unit, '(a,i0)') "fibonacci ", value
   flush (output_unit)
   call c_exit(5_c_int)

contains

   subroutine expect(condition, what)
      logical, intent(in) :: condition
      character(len=*), intent(in) :: what

      if (condition .or. .not. sp_is_active()) return
      write (output_unit, '(2a)') "not so: ", what
      failures = failures + 1
   end subroutine expect

   recursive function fib(n) result(number)
      integer, intent(in) :: n
      integer :: number, id

      id = sp_region("fib_call")
      call sp_begin(id)
      if (n < 2) then
         number = n
      else
         number = fib(n - 1) + fib(n - 2)
      end if
      call sp_end(id)
   end function fib

end program native
