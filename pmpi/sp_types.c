/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_types.h"
#include "sp_key.h"

static uint64_t generation = 1;
static __thread struct sp_recent recent[1 << SP_RECENT_BITS] __attribute__((tls_model("initial-exec")));

static __attribute__((noinline)) int64_t ask_mpi(MPI_Datatype type, struct sp_recent *entry, uint64_t now)
{
    MPI_Count size = 0;
    if (type == sp_mpi.type_null) /* where an argument does not count; asking would reach the program's error handler */
        return 0;
    if (sp_mpi.Type_size_x(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    *entry = (struct sp_recent){.key = sp_key_of_type(type), .generation = now, .value = (uintptr_t)size};
    return (int64_t)size;
}

int64_t sp_types_size(MPI_Datatype type)
{
    uint64_t key = sp_key_of_type(type), now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    struct sp_recent *entry = sp_recent_at(recent, key);
    return sp_recent_holds(entry, key, now) ? (int64_t)entry->value : ask_mpi(type, entry, now);
}

void sp_types_forget(void)
{
    __atomic_fetch_add(&generation, 1, __ATOMIC_RELAXED);
}
