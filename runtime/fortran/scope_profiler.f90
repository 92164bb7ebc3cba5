! SPDX-License-Identifier: BSD-3-Clause
!> Regions of a Fortran program, for scope-profiler. Where the runtime is in the process (libsp.so, by LD_PRELOAD or linked) the calls
!! record; where it is not they do next to nothing.
!!
!!     use scope_profiler
!!     integer :: solve
!!     solve = sp_region("solve")            ! once: a handle from 1 on, 0 where the region is not recorded
!!     call sp_begin(solve); ...; call sp_end(solve)
!!
!!     type(sp_scope) :: timed               ! closes itself at the end of the procedure or block, on every way out
!!     call timed%begin("solve")
!!
!! Names may have any length up to 64 KiB; blanks at their end do not count. stat and errmsg are optional everywhere: a code below and
!! its text. Without them an error is passed over, and nothing is printed. The names are those of scope-profiler's own module.
!! A .mod file is one compiler's: with another one compile this file and sp_fortran.c along with the program.
module scope_profiler
   use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t, c_size_t
   use, intrinsic :: iso_fortran_env, only: int64
   implicit none
   private

   public :: sp_init, sp_finalize, sp_region, sp_begin, sp_end, sp_begin_name, sp_end_name, sp_end_last
   public :: sp_num_calls, sp_get_region_stats, sp_now_ns, sp_is_active, sp_output_path
   public :: sp_flush, sp_reset, sp_pause, sp_resume, sp_phase, sp_work, sp_set, sp_metadata, sp_register_opt_in_tag

   integer, parameter, public :: SP_OK = 0, SP_ERR_INACTIVE = 1, SP_ERR_NO_CLOCK = 2, SP_ERR_NO_MEMORY = 3, SP_ERR_IO = 4, &
      SP_ERR_UNMATCHED_END = 5, SP_ERR_OPEN_SCOPES = 6, SP_ERR_INVALID_ARGUMENT = 7, SP_ERR_DEPTH = 8

   !> Longest name of a region.
   integer, parameter, public :: SP_MAX_NAME = 65536

   !> Completed calls of a region; times in ns.
   type, public :: sp_region_stats
      integer(int64) :: calls = 0, total_ns = 0, min_ns = 0, max_ns = 0
   end type sp_region_stats

   !> A call of a region that ends with the variable. A copy of it holds no call.
   type, public :: sp_scope
      private
      integer :: id = 0
   contains
      procedure, private :: begin_id, begin_name, assign_nothing
      generic :: begin => begin_id, begin_name
      procedure :: end => end_scope
      generic :: assignment(=) => assign_nothing
      final :: close_scope
   end type sp_scope

   interface
      integer(c_int) function c_init(prefix, bytes, rank) bind(c, name="sp_fortran_init")
         import :: c_char, c_int, c_size_t
         character(kind=c_char), intent(in) :: prefix(*)
         integer(c_size_t), value :: bytes
         integer(c_int), value :: rank
      end function c_init
      integer(c_int) function c_finalize() bind(c, name="sp_fortran_finalize")
         import :: c_int
      end function c_finalize
      integer(c_int) function c_region(name, name_bytes, file, file_bytes, tags, tags_bytes, line, region) &
         bind(c, name="sp_fortran_region")
         import :: c_char, c_int, c_size_t
         character(kind=c_char), intent(in) :: name(*), file(*), tags(*)
         integer(c_size_t), value :: name_bytes, file_bytes, tags_bytes
         integer(c_int), value :: line
         integer(c_int), intent(out) :: region
      end function c_region
      subroutine c_begin(region) bind(c, name="sp_fortran_begin")
         import :: c_int
         integer(c_int), value :: region
      end subroutine c_begin
      subroutine c_end(region) bind(c, name="sp_fortran_end")
         import :: c_int
         integer(c_int), value :: region
      end subroutine c_end
      integer(c_int) function c_check(region) bind(c, name="sp_fortran_check")
         import :: c_int
         integer(c_int), value :: region
      end function c_check
      integer(c_int) function c_end_checked(region) bind(c, name="sp_fortran_end_checked")
         import :: c_int
         integer(c_int), value :: region
      end function c_end_checked
      integer(c_int) function c_phase(name, bytes, index) bind(c, name="sp_fortran_phase")
         import :: c_char, c_int, c_int64_t, c_size_t
         character(kind=c_char), intent(in) :: name(*)
         integer(c_size_t), value :: bytes
         integer(c_int64_t), value :: index
      end function c_phase
      integer(c_int) function c_say(what, key, key_bytes, value, value_bytes) bind(c, name="sp_fortran_say")
         import :: c_char, c_int, c_size_t
         integer(c_int), value :: what
         character(kind=c_char), intent(in) :: key(*), value(*)
         integer(c_size_t), value :: key_bytes, value_bytes
      end function c_say
      subroutine c_control(what) bind(c, name="sp_fortran_control")
         import :: c_int
         integer(c_int), value :: what
      end subroutine c_control
      integer(c_int64_t) function c_calls(region) bind(c, name="sp_fortran_calls")
         import :: c_int, c_int64_t
         integer(c_int), value :: region
      end function c_calls
      integer(c_int) function c_stats(region, stats) bind(c, name="sp_fortran_stats")
         import :: c_int, c_int64_t
         integer(c_int), value :: region
         integer(c_int64_t), intent(out) :: stats(4)
      end function c_stats
      integer(c_int) function c_work(work) bind(c, name="sp_fortran_work")
         import :: c_double, c_int
         real(c_double), value :: work
      end function c_work
      integer(c_int) function c_flush() bind(c, name="sp_fortran_flush")
         import :: c_int
      end function c_flush
      integer(c_int) function c_reset() bind(c, name="sp_fortran_reset")
         import :: c_int
      end function c_reset
      integer(c_int) function c_is_active() bind(c, name="sp_fortran_is_active")
         import :: c_int
      end function c_is_active
      integer(c_int64_t) function c_now_ns() bind(c, name="sp_fortran_now_ns")
         import :: c_int64_t
      end function c_now_ns
      integer(c_size_t) function c_output_path(path, room) bind(c, name="sp_fortran_output_path")
         import :: c_char, c_size_t
         character(kind=c_char), intent(inout) :: path(*)
         integer(c_size_t), value :: room
      end function c_output_path
   end interface

contains

   pure integer(c_size_t) function bytes_of(text)
      character(len=*), intent(in) :: text
      bytes_of = len(text, kind=c_size_t)
   end function bytes_of

   subroutine report(code, stat, errmsg)
      integer, intent(in) :: code
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg
      character(len=*), parameter :: texts(SP_ERR_INACTIVE:SP_ERR_DEPTH) = [character(len=40) :: 'not recording', 'no clock', &
         'out of memory', 'the file could not be written', 'end of a call that is not open', 'refused while regions are open', &
         'invalid argument', 'nested too deeply']

      if (present(stat)) stat = code
      if (.not. present(errmsg)) return
      errmsg = ''
      if (code >= SP_ERR_INACTIVE .and. code <= SP_ERR_DEPTH) errmsg = texts(code)
   end subroutine report

   !> Starts the record of a program without MPI: the file is PREFIX_rank00000.h5. With MPI the run is MPI's.
   subroutine sp_init(prefix, rank, stat, errmsg)
      character(len=*), intent(in) :: prefix
      integer, intent(in), optional :: rank
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg
      integer :: number

      number = 0
      if (present(rank)) number = rank
      call report(int(c_init(prefix, bytes_of(prefix), int(number, c_int))), stat, errmsg)
   end subroutine sp_init

   !> Ends it and writes the file.
   subroutine sp_finalize(stat, errmsg)
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg

      call report(int(c_finalize()), stat, errmsg)
   end subroutine sp_finalize

   !> Handle of a region; file and line say where it is, tags (separated by commas) what SP_TAGS chooses by.
   function sp_region(name, file, line, stat, errmsg, tags) result(id)
      character(len=*), intent(in) :: name
      character(len=*), intent(in), optional :: file
      integer, intent(in), optional :: line
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg
      character(len=*), intent(in), optional :: tags
      integer :: id

      if (present(tags)) then
         id = region_with_tags(name, tags, file, line, stat, errmsg)
      else
         id = region_with_tags(name, '', file, line, stat, errmsg)
      end if
   end function sp_region

   function region_with_tags(name, tags, file, line, stat, errmsg) result(id)
      character(len=*), intent(in) :: name, tags
      character(len=*), intent(in), optional :: file
      integer, intent(in), optional :: line
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg
      integer :: id
      integer(c_int) :: region, code, number

      number = -1
      if (present(line)) number = int(line, c_int)
      if (present(file)) then
         code = c_region(name, bytes_of(name), file, bytes_of(file), tags, bytes_of(tags), number, region)
      else
         code = c_region(name, bytes_of(name), '', 0_c_size_t, tags, bytes_of(tags), number, region)
      end if
      id = int(region)
      call report(int(code), stat, errmsg)
   end function region_with_tags

   subroutine sp_begin(id, stat, errmsg)
      integer, intent(in) :: id
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg
      integer :: code

      if (present(stat) .or. present(errmsg)) then
         code = int(c_check(int(id, c_int)))
         call report(code, stat, errmsg)
         if (code /= SP_OK) return
      end if
      call c_begin(int(id, c_int))
   end subroutine sp_begin

   !> Ends the region's innermost call, and what was left open inside.
   subroutine sp_end(id, stat, errmsg)
      integer, intent(in) :: id
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg

      if (present(stat) .or. present(errmsg)) then
         call report(int(c_end_checked(int(id, c_int))), stat, errmsg)
      else
         call c_end(int(id, c_int))
      end if
   end subroutine sp_end

   !> The same by name, which is looked up at every call.
   subroutine sp_begin_name(name, stat, errmsg)
      character(len=*), intent(in) :: name
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg

      call sp_begin(sp_region(name), stat, errmsg)
   end subroutine sp_begin_name

   subroutine sp_end_name(name, stat, errmsg)
      character(len=*), intent(in) :: name
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg

      call sp_end(sp_region(name), stat, errmsg)
   end subroutine sp_end_name

   !> Ends the innermost open region of this thread.
   subroutine sp_end_last()
      call c_control(2_c_int)
   end subroutine sp_end_last

   !> Between the two, begins are not recorded.
   subroutine sp_pause()
      call c_control(0_c_int)
   end subroutine sp_pause

   subroutine sp_resume()
      call c_control(1_c_int)
   end subroutine sp_resume

   !> The next iteration of a loop: ends the phase's previous one and begins this one; an index below 0 only ends.
   subroutine sp_phase(name, index, stat, errmsg)
      character(len=*), intent(in) :: name
      integer, intent(in) :: index
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg

      call report(int(c_phase(name, bytes_of(name), int(index, c_int64_t))), stat, errmsg)
   end subroutine sp_phase

   !> Work this process has done, in a unit of its own.
   subroutine sp_work(work)
      real(c_double), intent(in) :: work
      integer(c_int) :: ignored

      ignored = c_work(work)
   end subroutine sp_work

   !> Sets what the variable SP_KEY could, before MPI_Init or sp_init; the environment wins.
   subroutine sp_set(key, value, stat, errmsg)
      character(len=*), intent(in) :: key, value
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg
      integer :: code

      code = int(c_say(0_c_int, key, bytes_of(key), value, bytes_of(value)))
      if (code > SP_ERR_OPEN_SCOPES) code = SP_ERR_INVALID_ARGUMENT
      call report(code, stat, errmsg)
   end subroutine sp_set

   !> Adds an entry to the run's metadata.
   subroutine sp_metadata(key, value, stat, errmsg)
      character(len=*), intent(in) :: key, value
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg

      call report(int(c_say(1_c_int, key, bytes_of(key), value, bytes_of(value))), stat, errmsg)
   end subroutine sp_metadata

   !> Regions with this tag are recorded only where SP_ENABLE_TAGS names it; to be said before they are made.
   subroutine sp_register_opt_in_tag(tag)
      character(len=*), intent(in) :: tag
      integer(c_int) :: ignored

      ignored = c_say(2_c_int, tag, bytes_of(tag), '', 0_c_size_t)
   end subroutine sp_register_opt_in_tag

   !> Calls begun by this thread, and by threads that have ended, since the last sp_reset.
   function sp_num_calls(id) result(calls)
      integer, intent(in) :: id
      integer(int64) :: calls

      calls = c_calls(int(id, c_int))
   end function sp_num_calls

   subroutine sp_get_region_stats(id, stats, stat, errmsg)
      integer, intent(in) :: id
      type(sp_region_stats), intent(out) :: stats
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg
      integer(c_int64_t) :: found(4)

      call report(int(c_stats(int(id, c_int), found)), stat, errmsg)
      stats = sp_region_stats(found(1), found(2), found(3), found(4))
   end subroutine sp_get_region_stats

   !> ns of a monotonic clock.
   function sp_now_ns() result(now)
      integer(int64) :: now

      now = c_now_ns()
   end function sp_now_ns

   function sp_is_active() result(is_active)
      logical :: is_active

      is_active = c_is_active() /= 0
   end function sp_is_active

   !> Name of the run's file, empty while there is none.
   function sp_output_path() result(path)
      character(len=:), allocatable :: path
      character(len=4096) :: found
      integer(c_size_t) :: bytes

      bytes = c_output_path(found, len(found, kind=c_size_t))
      path = found(:min(bytes, len(found, kind=c_size_t)))
   end function sp_output_path

   !> Brings what has been recorded to disk.
   subroutine sp_flush(stat, errmsg)
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg

      call report(int(c_flush()), stat, errmsg)
   end subroutine sp_flush

   !> From here on sp_num_calls and sp_get_region_stats count anew; refused while a region is open.
   subroutine sp_reset(stat, errmsg)
      integer, intent(out), optional :: stat
      character(len=*), intent(out), optional :: errmsg

      call report(int(c_reset()), stat, errmsg)
   end subroutine sp_reset

   subroutine begin_id(scope, id)
      class(sp_scope), intent(inout) :: scope
      integer, intent(in) :: id

      call end_scope(scope)
      scope%id = id
      call c_begin(int(id, c_int))
   end subroutine begin_id

   subroutine begin_name(scope, name)
      class(sp_scope), intent(inout) :: scope
      character(len=*), intent(in) :: name

      call begin_id(scope, sp_region(name))
   end subroutine begin_name

   subroutine end_scope(scope)
      class(sp_scope), intent(inout) :: scope

      if (scope%id > 0) call c_end(int(scope%id, c_int))
      scope%id = 0
   end subroutine end_scope

   subroutine close_scope(scope)
      type(sp_scope), intent(inout) :: scope

      call end_scope(scope)
   end subroutine close_scope

   subroutine assign_nothing(left, right)
      class(sp_scope), intent(inout) :: left
      class(sp_scope), intent(in) :: right

      if (right%id < 0) return ! both are named
      call end_scope(left)
   end subroutine assign_nothing

end module scope_profiler
