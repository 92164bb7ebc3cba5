/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_crew.h"

#include "sp_error.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static bool launched(void)
{
    return getenv("PMIX_RANK") || getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_RANK");
}

void sp_crew_start(struct sp_crew *crew, enum sp_crew_mode mode)
{
    *crew = (struct sp_crew){.rank = 0, .size = 1, .mpi = mode == SP_CREW_ON || (mode == SP_CREW_AUTO && launched())};
    if (!crew->mpi)
        return;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &crew->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &crew->size);
}

void sp_crew_stop(struct sp_crew *crew)
{
    if (crew->mpi)
        MPI_Finalize();
    crew->mpi = false;
}

int sp_crew_agree(const struct sp_crew *crew, int status, struct sp_error *err)
{
    if (!crew->mpi)
        return status;
    struct {
        int failed;
        int rank;
    } mine = {status ? 1 : 0, crew->rank}, worst;
    MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (!worst.failed)
        return 0;
    MPI_Bcast(err, (int)sizeof *err, MPI_BYTE, worst.rank, MPI_COMM_WORLD);
    return -1;
}

void sp_crew_sum(const struct sp_crew *crew, int64_t *values, size_t count)
{
    while (crew->mpi && count) {
        int part = count < INT_MAX ? (int)count : INT_MAX;
        MPI_Allreduce(MPI_IN_PLACE, values, part, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        values += part;
        count -= (size_t)part;
    }
}

void sp_crew_share(const struct sp_crew *crew, void *data, size_t bytes)
{
    char *at = data;
    while (crew->mpi && bytes) {
        int part = bytes < INT_MAX ? (int)bytes : INT_MAX;
        MPI_Bcast(at, part, MPI_BYTE, 0, MPI_COMM_WORLD);
        at += part;
        bytes -= (size_t)part;
    }
}

static int copy_alone(const void *items, size_t item_bytes, size_t count, void **all, size_t *all_count, struct sp_error *err)
{
    *all = malloc(count ? count * item_bytes : 1);
    if (!*all)
        return sp_fail(err, "out of memory");
    if (count)
        memcpy(*all, items, count * item_bytes);
    *all_count = count;
    return 0;
}

/* Where each process's items go on process 0; fails when the sum does not fit MPI's int. */
static int plan_gather(const int *counts, int size, int *offsets, size_t *total, struct sp_error *err)
{
    *total = 0;
    for (int i = 0; i < size; i++) {
        if (counts[i] < 0 || *total + (size_t)counts[i] > INT_MAX)
            return sp_fail(err, "too many rows for one process: select ranks (-r) or regions (-i)");
        offsets[i] = (int)*total;
        *total += (size_t)counts[i];
    }
    return 0;
}

int sp_crew_gather(
    const struct sp_crew *crew, const void *items, size_t item_bytes, size_t count, void **all, size_t *all_count, struct sp_error *err)
{
    *all = NULL;
    *all_count = 0;
    if (!crew->mpi)
        return copy_alone(items, item_bytes, count, all, all_count, err);
    int status = 0;
    int mine = count <= INT_MAX ? (int)count : -1;
    bool root = crew->rank == 0;
    int *counts = calloc(2 * (size_t)crew->size, sizeof *counts);
    if (!counts)
        status = sp_fail(err, "out of memory");
    if (sp_crew_agree(crew, status, err)) {
        free(counts);
        return -1;
    }
    MPI_Gather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (root)
        status = plan_gather(counts, crew->size, counts + crew->size, all_count, err);
    if (root && !status && !(*all = malloc(*all_count ? *all_count * item_bytes : 1)))
        status = sp_fail(err, "out of memory");
    if (sp_crew_agree(crew, status, err)) {
        *all_count = 0;
        free(counts);
        return -1;
    }
    MPI_Datatype item;
    MPI_Type_contiguous((int)item_bytes, MPI_BYTE, &item);
    MPI_Type_commit(&item);
    MPI_Gatherv(items, mine, item, *all, counts, counts + crew->size, item, 0, MPI_COMM_WORLD);
    MPI_Type_free(&item);
    free(counts);
    return 0;
}

void sp_crew_split(const uint64_t *weights, size_t count, int part, int parts, size_t *first, size_t *end)
{
    /* an item belongs to the share in which its middle falls; every item weighs one more, so that empty ones spread too */
    long double total = 0, before = 0;
    for (size_t i = 0; i < count; i++)
        total += (long double)weights[i] + 1;
    *first = *end = 0;
    for (size_t i = 0; i < count; i++) {
        long double middle = before + ((long double)weights[i] + 1) / 2;
        int owner = (int)(middle * parts / total);
        before += (long double)weights[i] + 1;
        if (owner < part)
            *first = i + 1;
        if (owner <= part)
            *end = i + 1;
    }
}
