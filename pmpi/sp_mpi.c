/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* RTLD_NEXT, RTLD_DEFAULT */
#include "sp_mpi.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct sp_mpi sp_mpi;

static const char *const libraries[] = {SP_MPI_LIBRARIES};

void *sp_mpi_symbol(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    for (size_t i = 0; !found && i < sizeof libraries / sizeof libraries[0]; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_NOLOAD);
        if (!library)
            continue;
        found = dlsym(library, name);
        dlclose(library); /* the program keeps it loaded */
    }
    return found;
}

/* Data must come from the global scope first: the executable may hold the copy that counts. */
static void *find_data(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : sp_mpi_symbol(name);
}

struct function_row {
    const char *name;
    void *pointer; /* to the function pointer to fill */
};

static int load_functions(const struct function_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *function = sp_mpi_symbol(rows[i].name);
        if (!function)
            return -1;
        memcpy(rows[i].pointer, &function, sizeof function);
    }
    return 0;
}

#ifdef OPEN_MPI

int sp_mpi_is_ours(void)
{
    return find_data("ompi_mpi_comm_world") != NULL;
}

static int load_handles(void)
{
    const struct {
        const char *name;
        void **handle;
    } rows[] = {
        {"ompi_mpi_comm_world", (void **)&sp_mpi.comm_world},
        {"ompi_mpi_comm_self", (void **)&sp_mpi.comm_self},
        {"ompi_mpi_comm_null", (void **)&sp_mpi.comm_null},
        {"ompi_mpi_byte", (void **)&sp_mpi.byte},
        {"ompi_mpi_char", (void **)&sp_mpi.char_type},
        {"ompi_mpi_int32_t", (void **)&sp_mpi.int32_type},
        {"ompi_mpi_int64_t", (void **)&sp_mpi.int64_type},
        {"ompi_mpi_datatype_null", (void **)&sp_mpi.type_null},
        {"ompi_mpi_op_max", (void **)&sp_mpi.max},
        {"ompi_mpi_op_min", (void **)&sp_mpi.min},
        {"ompi_mpi_op_sum", (void **)&sp_mpi.sum},
        {"ompi_mpi_op_no_op", (void **)&sp_mpi.no_op},
        {"ompi_mpi_errors_return", (void **)&sp_mpi.errors_return},
        {"ompi_request_null", (void **)&sp_mpi.request_null},
        {"ompi_mpi_info_null", (void **)&sp_mpi.info_null},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!(*rows[i].handle = find_data(rows[i].name)))
            return -1;
    return 0;
}

static void load_sentinels(void)
{
    sp_mpi.in_place = find_data("mpi_fortran_in_place_");
    sp_mpi.status_ignore = find_data("mpi_fortran_status_ignore_");
    sp_mpi.statuses_ignore = find_data("mpi_fortran_statuses_ignore_");
}

static int load_conversions(void)
{
#define LOAD_CONVERSION(name, from, to) {"PMPI_" #name, (void *)&sp_mpi.name},
    const struct function_row rows[] = {SP_MPI_CONVERSIONS(LOAD_CONVERSION)};
    return load_functions(rows, sizeof rows / sizeof rows[0]);
}

#else

int sp_mpi_is_ours(void)
{
    return find_data("ompi_mpi_comm_world") == NULL && sp_mpi_symbol("PMPI_Init") != NULL;
}

static int load_handles(void)
{
    sp_mpi.comm_world = MPI_COMM_WORLD;
    sp_mpi.comm_self = MPI_COMM_SELF;
    sp_mpi.comm_null = MPI_COMM_NULL;
    sp_mpi.byte = MPI_BYTE;
    sp_mpi.char_type = MPI_CHAR;
    sp_mpi.int32_type = MPI_INT32_T;
    sp_mpi.int64_type = MPI_INT64_T;
    sp_mpi.type_null = MPI_DATATYPE_NULL;
    sp_mpi.max = MPI_MAX;
    sp_mpi.min = MPI_MIN;
    sp_mpi.sum = MPI_SUM;
    sp_mpi.no_op = MPI_NO_OP;
    sp_mpi.errors_return = MPI_ERRORS_RETURN;
    sp_mpi.request_null = MPI_REQUEST_NULL;
    sp_mpi.info_null = MPI_INFO_NULL;
    return 0;
}

/* Those of mpi_f08: what goes through mpif.h and use mpi is seen in C. */
static void load_sentinels(void)
{
    sp_mpi.in_place = find_data("MPIR_F08_MPI_IN_PLACE");
    sp_mpi.status_ignore = find_data("MPIR_F08_MPI_STATUS_IGNORE_OBJ");
    sp_mpi.statuses_ignore = find_data("MPIR_F08_MPI_STATUSES_IGNORE_OBJ");
}

#define DEFINE_CONVERSION(name, from, to)                                                                                                  \
    static to convert_##name(from handle)                                                                                                  \
    {                                                                                                                                      \
        return PMPI_##name(handle);                                                                                                        \
    }
SP_MPI_CONVERSIONS(DEFINE_CONVERSION)

static int load_conversions(void)
{
#define SET_CONVERSION(name, from, to) sp_mpi.name = convert_##name;
    SP_MPI_CONVERSIONS(SET_CONVERSION)
    return 0;
}

#endif

#define LOAD(name) {"PMPI_" #name, (void *)&sp_mpi.name},

int sp_mpi_load(void)
{
    const struct function_row rows[] = {SP_MPI_FUNCTIONS(LOAD)};
    if (load_functions(rows, sizeof rows / sizeof rows[0]) < 0 || load_conversions() < 0)
        return -1;
    load_sentinels();
    return load_handles();
}
