! SPDX-License-Identifier: BSD-3-Clause
! As sites.c, through mpi_f08.
program sites
  use mpi_f08
  implicit none
  integer :: i, token, room(4096)
  logical :: flag
  call MPI_Init()
  call MPI_Buffer_attach(room, 16384)
  do i = 1, 7
    call MPI_Iprobe(0, 99, MPI_COMM_SELF, flag, MPI_STATUS_IGNORE) ! site-c
  end do
  do i = 1, 3
    call MPI_Bsend(token, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF) ! site-a
  end do
  do i = 1, 5
    call MPI_Bsend(token, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF) ! site-b
  end do
  do i = 1, 8
    call MPI_Recv(token, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE) ! site-d
  end do
  call MPI_Finalize()
end program sites
