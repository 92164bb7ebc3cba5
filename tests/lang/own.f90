! SPDX-License-Identifier: BSD-3-Clause
! What our Fortran module has beyond the Python scope-profiler's.
module own_parts
   use scope_profiler
   implicit none

contains

   integer function leaves_early(i)
      integer, intent(in) :: i
      type(sp_scope) :: timed

      call timed%begin("leaves early")
      leaves_early = 1
      if (mod(i, 2) == 0) return
      block
         type(sp_scope) :: inner
         call inner%begin(sp_region("block"))
         leaves_early = 2
      end block
      call sp_begin_name("after the block")
      call sp_end_last()
   end function leaves_early

   subroutine ends_itself()
      type(sp_scope) :: timed, other

      call timed%begin("ended")
      other = timed
      call timed%end()
      call timed%begin("begun again")
      call timed%begin("and again")
   end subroutine ends_itself

end module own_parts

program own
   use own_parts
   implicit none
   integer :: i, total, opt_in
   character(len=20000) :: long

   call sp_set("output", "named.h5")
   call sp_register_opt_in_tag("verbose")
   call sp_init("   x")
   call sp_set("label", "too late")
   total = 0
   do i = 1, 4
      call sp_phase("iteration", i)
      total = total + leaves_early(i)
   end do
   call sp_phase("iteration", -1)
   call ends_itself()
   opt_in = sp_region("opt-in", tags="verbose,solver")
   call sp_begin(opt_in)
   call sp_end(opt_in)
   call sp_pause()
   call sp_begin_name("paused")
   call sp_end_name("paused")
   call sp_resume()
   long = repeat("long", 5000)
   call sp_begin_name(long)
   call sp_end_name(long)
   call sp_metadata("flavour", "vanilla")
   call sp_work(2.5d6)
   if (sp_is_active() .and. index(sp_output_path(), "x_rank00000.h5") == 0) print '(a)', "not the path: ", sp_output_path()
   print '(a,i0)', "total ", total
end program own
