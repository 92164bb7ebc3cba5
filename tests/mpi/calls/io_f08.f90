! SPDX-License-Identifier: BSD-3-Clause
! The calls of io.c with mpi_f08: file names carry a hidden length.
program io_f08
  use mpi_f08
  implicit none
  integer :: rank, i, num_read
  integer, asynchronous :: ints(64)
  integer(MPI_OFFSET_KIND) :: own
  type(MPI_File) :: file
  type(MPI_Status) :: status
  type(MPI_Request) :: request

  ints = 1
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  own = int(rank, MPI_OFFSET_KIND) * 400
  call MPI_File_open(MPI_COMM_WORLD, 'data.bin', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
  do i = 1, 3
    call MPI_File_write_at(file, own, ints, 10, MPI_INTEGER, MPI_STATUS_IGNORE)
  end do
  call MPI_File_write_at_all(file, own, ints, 20, MPI_INTEGER, status)
  call MPI_File_sync(file)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_File_read_at(file, own, ints, 5, MPI_INTEGER, MPI_STATUS_IGNORE)
  call MPI_File_read_at(file, 2_MPI_OFFSET_KIND**30, ints, 64, MPI_INTEGER, status)
  call MPI_Get_count(status, MPI_INTEGER, num_read)
  if (num_read /= 0) error stop 'read behind the end'
  call MPI_File_iread_at(file, own, ints, 8, MPI_INTEGER, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_File_read_at_all_begin(file, own, ints, 6, MPI_INTEGER)
  call MPI_File_read_at_all_end(file, ints, MPI_STATUS_IGNORE)
  call MPI_File_write_at_all_begin(file, own, ints, 4, MPI_INTEGER)
  call MPI_File_write_at_all_end(file, ints, status)
  call MPI_File_close(file)
  call MPI_Finalize()
end program
