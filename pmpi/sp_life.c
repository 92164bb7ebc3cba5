/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_life.h"
#include "sp_call.h"
#include "sp_mpi.h"
#include "sp_participants.h"
#include "sp_world.h"

extern const struct scope_profiler_runtime scope_profiler_runtime_1;

static int64_t before_init(enum sp_call call)
{
    int64_t start = sp_clock_monotonic_ns();
    sp_participants_announce();
    int64_t announce_ns = sp_clock_monotonic_ns() - start;
    sp_call_begin(call, NULL, NULL);
    return announce_ns;
}

static void after_init(enum sp_call call, int is_success, int64_t announce_ns)
{
    uint64_t end = sp_clock_now(sp_call_clock);
    sp_call_end(call);
    if (is_success)
        sp_world_start(end, announce_ns);
    sp_call_leave();
}

static void before_finalize(void)
{
    uint64_t begin = sp_clock_now(sp_call_clock);
    sp_call_begin(SP_CALL_Finalize, NULL, NULL);
    sp_call_end(SP_CALL_Finalize);
    sp_world_finish(begin);
}

int wrap_MPI_Init(int *argc, char ***argv)
{
    __typeof__(PMPI_Init) *real = (__typeof__(PMPI_Init) *)sp_entry_real[SP_ENTRY_MPI_Init];
    if (sp_call_is_inner())
        return real(argc, argv);
    int64_t announce_ns = before_init(SP_CALL_Init);
    int status = real(argc, argv);
    after_init(SP_CALL_Init, status == MPI_SUCCESS, announce_ns);
    return status;
}

int wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    __typeof__(PMPI_Init_thread) *real = (__typeof__(PMPI_Init_thread) *)sp_entry_real[SP_ENTRY_MPI_Init_thread];
    if (sp_call_is_inner())
        return real(argc, argv, required, provided);
    int64_t announce_ns = before_init(SP_CALL_Init_thread);
    int status = real(argc, argv, required, provided);
    after_init(SP_CALL_Init_thread, status == MPI_SUCCESS, announce_ns);
    return status;
}

int wrap_MPI_Finalize(void)
{
    __typeof__(PMPI_Finalize) *real = (__typeof__(PMPI_Finalize) *)sp_entry_real[SP_ENTRY_MPI_Finalize];
    if (sp_call_is_inner())
        return real();
    before_finalize();
    int status = real();
    sp_call_leave();
    return status;
}

/* 0: off, 1: on, 2: what is recorded so far is brought to disk; others, of which the standard leaves the meaning to tools, do nothing. */
static void control(int level)
{
    if (level == 0)
        scope_profiler_runtime_1.pause();
    if (level == 1)
        scope_profiler_runtime_1.resume();
    if (level == 2)
        sp_call_runtime->snapshot();
}

int wrap_MPI_Pcontrol(const int level, ...)
{
    __typeof__(PMPI_Pcontrol) *real = (__typeof__(PMPI_Pcontrol) *)sp_entry_real[SP_ENTRY_MPI_Pcontrol];
    control(level);
    return real(level);
}

typedef void fortran_1(MPI_Fint *);
typedef void fortran_3(MPI_Fint *, MPI_Fint *, MPI_Fint *);

static void forward_init(enum sp_entry entry, MPI_Fint *ierror)
{
    fortran_1 *real = (fortran_1 *)sp_entry_real[entry];
    MPI_Fint own = MPI_SUCCESS;
    if (sp_call_is_inner()) {
        real(ierror);
        return;
    }
    int64_t announce_ns = before_init(SP_CALL_Init);
    real(ierror ? ierror : &own);
    after_init(SP_CALL_Init, (ierror ? *ierror : own) == MPI_SUCCESS, announce_ns);
}

void wrap_mpi_init_(MPI_Fint *ierror)
{
    forward_init(SP_ENTRY_mpi_init_, ierror);
}

void wrap_mpi_init_f08_(MPI_Fint *ierror)
{
    forward_init(SP_ENTRY_mpi_init_f08_, ierror);
}

static void forward_init_thread(enum sp_entry entry, MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    fortran_3 *real = (fortran_3 *)sp_entry_real[entry];
    MPI_Fint own = MPI_SUCCESS;
    if (sp_call_is_inner()) {
        real(required, provided, ierror);
        return;
    }
    int64_t announce_ns = before_init(SP_CALL_Init_thread);
    real(required, provided, ierror ? ierror : &own);
    after_init(SP_CALL_Init_thread, (ierror ? *ierror : own) == MPI_SUCCESS, announce_ns);
}

void wrap_mpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    forward_init_thread(SP_ENTRY_mpi_init_thread_, required, provided, ierror);
}

void wrap_mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    forward_init_thread(SP_ENTRY_mpi_init_thread_f08_, required, provided, ierror);
}

static void forward_finalize(enum sp_entry entry, MPI_Fint *ierror)
{
    fortran_1 *real = (fortran_1 *)sp_entry_real[entry];
    if (sp_call_is_inner()) {
        real(ierror);
        return;
    }
    before_finalize();
    real(ierror);
    sp_call_leave();
}

void wrap_mpi_finalize_(MPI_Fint *ierror)
{
    forward_finalize(SP_ENTRY_mpi_finalize_, ierror);
}

void wrap_mpi_finalize_f08_(MPI_Fint *ierror)
{
    forward_finalize(SP_ENTRY_mpi_finalize_f08_, ierror);
}

static void forward_pcontrol(enum sp_entry entry, MPI_Fint *level)
{
    fortran_1 *real = (fortran_1 *)sp_entry_real[entry];
    control((int)*level);
    real(level);
}

void wrap_mpi_pcontrol_(MPI_Fint *level)
{
    forward_pcontrol(SP_ENTRY_mpi_pcontrol_, level);
}

void wrap_mpi_pcontrol_f08_(MPI_Fint *level)
{
    forward_pcontrol(SP_ENTRY_mpi_pcontrol_f08_, level);
}
