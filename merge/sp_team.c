/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_team.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAG 7411
#define PIECE ((size_t)1 << 30)   /* bytes a broadcast is given at most */
#define MESSAGE ((size_t)1 << 16) /* bytes of a message, few enough to be taken to the stack and dropped */

static MPI_Comm comm_of(const struct sp_team *team)
{
    return *(const MPI_Comm *)team->communicator;
}

static int check(int code, struct sp_error *err)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return 0;
    if (PMPI_Error_string(code, text, &length) != MPI_SUCCESS)
        length = 0;
    return sp_fail(err, "MPI: %.*s", length, text);
}

int sp_team_init(struct sp_team *team, const void *communicator, struct sp_error *err)
{
    *team = (struct sp_team){.communicator = communicator, .rank = 0, .size = 1};
    if (!communicator)
        return 0;
    if (check(PMPI_Comm_set_errhandler(comm_of(team), MPI_ERRORS_RETURN), err) < 0)
        return -1;
    if (check(PMPI_Comm_rank(comm_of(team), &team->rank), err) < 0)
        return -1;
    return check(PMPI_Comm_size(comm_of(team), &team->size), err);
}

/* Appends which process it was, where that says something. */
static void name_process(const struct sp_team *team, int process, struct sp_error *err)
{
    size_t used = strlen(err->text);
    if (team->size > 1)
        snprintf(err->text + used, sizeof err->text - used, " (process %d of %d)", process, team->size);
}

int sp_agree(const struct sp_team *team, int status, struct sp_error *err)
{
    struct {
        int code, process;
    } mine = {status == 0 ? 0 : err->code > 0 ? err->code : SP_EXIT_INTERNAL, team->rank}, worst = mine;
    if (!team->communicator)
        return status == 0 ? 0 : -1;
    /* MAXLOC takes the lowest process of several */
    if (check(PMPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm_of(team)), err) < 0)
        return -1;
    if (worst.code == 0)
        return 0;
    if (check(PMPI_Bcast(err, (int)sizeof *err, MPI_BYTE, worst.process, comm_of(team)), err) < 0)
        return -1;
    name_process(team, worst.process, err);
    return -1;
}

int sp_team_sum(const struct sp_team *team, uint64_t *values, int count, struct sp_error *err)
{
    if (!team->communicator)
        return 0;
    return check(PMPI_Allreduce(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, comm_of(team)), err);
}

int sp_team_max(const struct sp_team *team, int64_t *values, int count, struct sp_error *err)
{
    if (!team->communicator)
        return 0;
    return check(PMPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_MAX, comm_of(team)), err);
}

int sp_team_before(const struct sp_team *team, uint64_t *values, int count, struct sp_error *err)
{
    size_t bytes = (size_t)count * sizeof *values;
    if (!team->communicator) {
        memset(values, 0, bytes);
        return 0;
    }
    if (check(PMPI_Exscan(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, comm_of(team)), err) < 0)
        return -1;
    if (team->rank == 0)
        memset(values, 0, bytes);
    return 0;
}

int sp_team_broadcast(const struct sp_team *team, void *data, size_t bytes, struct sp_error *err)
{
    char *at = data;
    if (!team->communicator)
        return 0;
    for (size_t piece; bytes > 0; bytes -= piece, at += piece) {
        piece = bytes < PIECE ? bytes : PIECE;
        if (check(PMPI_Bcast(at, (int)piece, MPI_BYTE, 0, comm_of(team)), err) < 0)
            return -1;
    }
    return 0;
}

static size_t message_of(size_t bytes)
{
    return bytes < MESSAGE ? bytes : MESSAGE;
}

int sp_team_send(const struct sp_team *team, int to, const void *data, size_t bytes, struct sp_error *err)
{
    const char *at = data;
    for (; bytes > 0; at += message_of(bytes), bytes -= message_of(bytes))
        if (check(PMPI_Send(at, (int)message_of(bytes), MPI_BYTE, to, TAG, comm_of(team)), err) < 0)
            return -1;
    return 0;
}

int sp_team_receive(const struct sp_team *team, int from, void *data, size_t bytes, struct sp_error *err)
{
    char *at = data;
    for (; bytes > 0; at += message_of(bytes), bytes -= message_of(bytes))
        if (check(PMPI_Recv(at, (int)message_of(bytes), MPI_BYTE, from, TAG, comm_of(team), MPI_STATUS_IGNORE), err) < 0)
            return -1;
    return 0;
}

void sp_team_refuse(const struct sp_team *team, int from, size_t bytes)
{
    char dropped[MESSAGE];
    for (; bytes > 0; bytes -= message_of(bytes))
        if (sp_team_receive(team, from, dropped, message_of(bytes), NULL) < 0)
            return;
}

static int gather_alone(const void *data, size_t bytes, void **all, size_t *all_bytes, struct sp_error *err)
{
    *all = malloc(bytes + 1);
    if (!*all)
        return sp_fail(err, "out of memory");
    if (bytes > 0)
        memcpy(*all, data, bytes);
    *all_bytes = bytes;
    return 0;
}

/* What everyone has, on process 0: sizes there, and their sum; room for it. */
static int gather_sizes(const struct sp_team *team, uint64_t bytes, uint64_t **sizes, void **all, size_t *all_bytes, struct sp_error *err)
{
    int status = 0;
    uint64_t total = 0;
    *sizes = malloc((size_t)team->size * sizeof **sizes);
    if (!*sizes)
        status = sp_fail(err, "out of memory");
    if (sp_agree(team, status, err) < 0)
        return -1;
    if (check(PMPI_Gather(&bytes, 1, MPI_UINT64_T, *sizes, 1, MPI_UINT64_T, 0, comm_of(team)), err) < 0)
        return -1;
    if (team->rank == 0) {
        for (int i = 0; i < team->size; i++)
            total += (*sizes)[i];
        *all = malloc((size_t)total + 1);
        if (!*all)
            status = sp_fail(err, "out of memory (%llu bytes)", (unsigned long long)total);
    }
    *all_bytes = (size_t)total;
    return sp_agree(team, status, err);
}

static int receive_all(const struct sp_team *team, const uint64_t *sizes, const void *data, char *all, struct sp_error *err)
{
    if (sizes[0] > 0)
        memcpy(all, data, (size_t)sizes[0]);
    for (int i = 1; i < team->size; i++) {
        all += sizes[i - 1];
        if (sp_team_receive(team, i, all, (size_t)sizes[i], err) < 0)
            return -1;
    }
    return 0;
}

int sp_team_gather(const struct sp_team *team, const void *data, size_t bytes, void **all, size_t *all_bytes, struct sp_error *err)
{
    uint64_t *sizes = NULL;
    *all = NULL;
    *all_bytes = 0;
    if (!team->communicator)
        return gather_alone(data, bytes, all, all_bytes, err);
    int status = gather_sizes(team, bytes, &sizes, all, all_bytes, err);
    if (status == 0) {
        if (team->rank == 0)
            status = receive_all(team, sizes, data, *all, err);
        else
            status = sp_team_send(team, 0, data, bytes, err);
    }
    free(sizes);
    if (status < 0) {
        free(*all);
        *all = NULL;
    }
    return status;
}
