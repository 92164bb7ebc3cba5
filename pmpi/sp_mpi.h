/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_MPI_H
#define SP_MPI_H

/* The MPI of this process as we call it: its PMPI_ functions and predefined handles, found at run time, since nothing of MPI
 * is linked (a preloaded library that needs libmpi would break every program without it). Names that mpi.h turns into data symbols
 * (MPI_COMM_WORLD, MPI_BYTE, ...) must not be used in this folder: the handles are members here. */

#include <mpi.h>

/* What MPI_Pready_list takes an array of: MPICH had no const there before 4.1. */
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION < 40100000
#define SP_PARTITION int
#else
#define SP_PARTITION const int
#endif

#define SP_MPI_FUNCTIONS(F) \
    F(Allreduce) F(Barrier) F(Bcast) F(Cart_shift) F(Cartdim_get) F(Comm_create_group) F(Comm_free) F(Comm_get_name) F(Comm_group) F(Comm_rank) \
    F(Comm_remote_group) F(Comm_set_errhandler) F(Comm_size) F(Comm_split) F(Comm_split_type) F(Comm_test_inter) F(Comm_remote_size) \
    F(Dist_graph_neighbors) F(Dist_graph_neighbors_count) F(File_f2c) F(Get_elements_x) F(Get_library_version) F(Get_version) \
    F(Graph_neighbors) F(Graph_neighbors_count) F(Group_free) F(Group_incl) F(Group_size) F(Group_translate_ranks) F(Query_thread) \
    F(Recv) F(Send) F(Status_f2c) F(Test_cancelled) F(Topo_test) F(Type_size_x)

/* Handles to and from Fortran's integers: functions in Open MPI, macros in MPICH, whose handles are integers. */
#define SP_MPI_CONVERSIONS(F) \
    F(Comm_c2f, MPI_Comm, MPI_Fint) F(Comm_f2c, MPI_Fint, MPI_Comm) F(Message_f2c, MPI_Fint, MPI_Message) \
    F(Op_f2c, MPI_Fint, MPI_Op) F(Request_f2c, MPI_Fint, MPI_Request) F(Type_f2c, MPI_Fint, MPI_Datatype) \
    F(Win_f2c, MPI_Fint, MPI_Win)

#define SP_MPI_POINTER(name) __typeof__(PMPI_##name) *name;
#define SP_MPI_CONVERSION(name, from, to) to (*name)(from);

struct sp_mpi {
    SP_MPI_FUNCTIONS(SP_MPI_POINTER)
    SP_MPI_CONVERSIONS(SP_MPI_CONVERSION)
    MPI_Comm comm_world, comm_self, comm_null;
    MPI_Datatype byte, char_type, int32_type, int64_type, type_null;
    MPI_Op max, min, sum, no_op;
    MPI_Errhandler errors_return;
    MPI_Request request_null;
    MPI_Info info_null;
    const void *in_place, *status_ignore, *statuses_ignore; /* Fortran's sentinels, NULL without Fortran */
    int world_rank, world_size; /* set at the end of MPI_Init */
    const char *participants;   /* by rank of the world: does it take part; NULL where that is unknown */
    MPI_Group world_group;
};

extern struct sp_mpi sp_mpi;

/* A function of the MPI in this process, also where it was loaded out of sight (Python); NULL where there is none. Local. */
void *sp_mpi_symbol(const char *name);

/* Is the MPI in this process the one this library was built for? Asked before any call is interpreted. Local. */
int sp_mpi_is_ours(void);

/* Finds functions and handles, once; -1 when one is missing. Local. */
int sp_mpi_load(void);

#endif
