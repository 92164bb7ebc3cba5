/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: known sizes, a read that ends early, nonblocking and split calls; io_f08.f90 makes the same. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, ints[64], count;
    MPI_File file;
    MPI_Status status;
    MPI_Request request;
    memset(ints, 1, sizeof ints);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "data.bin", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int i = 0; i < 3; i++)
        MPI_File_write_at(file, (MPI_Offset)rank * 400, ints, 10, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, (MPI_Offset)rank * 400, ints, 20, MPI_INT, &status);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, (MPI_Offset)rank * 400, ints, 5, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, (MPI_Offset)1 << 30, ints, 64, MPI_INT, &status); /* behind the end */
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_File_iread_at(file, (MPI_Offset)rank * 400, ints, 8, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, (MPI_Offset)rank * 400, ints, 6, MPI_INT);
    MPI_File_read_at_all_end(file, ints, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, (MPI_Offset)rank * 400, ints, 4, MPI_INT);
    MPI_File_write_at_all_end(file, ints, &status);
    MPI_File_close(&file);
    MPI_Finalize();
    return count;
}
