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

#define PROCESS_NAMED " (process "

/* Appends which process it was, where that says something and no agreement before has done so. */
static void name_process(const struct sp_team *team, int process, struct sp_error *err)
{
    size_t used = strlen(err->text);
    if (team->size > 1 && !strstr(err->text, PROCESS_NAMED))
        snprintf(err->text + used, sizeof err->text - used, PROCESS_NAMED "%d of %d)", process, team->size);
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

/* What a process and those above it in the tree have, in their order. */
struct gathering {
    char *bytes; /* NULL: there was no memory */
    size_t count;
};

#define NO_BYTES UINT64_MAX /* in place of a number of bytes */

static int send_gathered(const struct sp_team *team, int to, void *gathering, struct sp_error *err)
{
    const struct gathering *own = gathering;
    uint64_t length = own->bytes ? own->count : NO_BYTES;
    if (sp_team_send(team, to, &length, sizeof length, err) < 0)
        return -1;
    return own->bytes ? sp_team_send(team, to, own->bytes, own->count, err) : 0;
}

static void drop(struct gathering *own)
{
    free(own->bytes);
    own->bytes = NULL;
}

/* Appends what comes from another process. */
static int receive_gathered(const struct sp_team *team, int from, void *gathering, struct sp_error *err)
{
    struct gathering *own = gathering;
    uint64_t length = 0;
    if (sp_team_receive(team, from, &length, sizeof length, err) < 0)
        return -1;
    if (length == NO_BYTES) {
        drop(own);
        return sp_fail(err, "out of memory");
    }
    char *longer = own->bytes ? realloc(own->bytes, own->count + (size_t)length + 1) : NULL;
    if (!longer) {
        drop(own);
        sp_team_refuse(team, from, (size_t)length);
        return sp_fail(err, "out of memory (%llu bytes)", (unsigned long long)length);
    }
    own->bytes = longer;
    own->count += (size_t)length;
    return sp_team_receive(team, from, own->bytes + own->count - length, (size_t)length, err);
}

int sp_team_climb(const struct sp_team *team, sp_team_pass *send_to, sp_team_pass *receive_from, void *own, struct sp_error *err)
{
    int status = 0;
    for (int step = 1; step < team->size; step *= 2) {
        if (team->rank % (2 * step) != 0)
            return send_to(team, team->rank - step, own, err) < 0 ? -1 : status;
        if (team->rank + step < team->size && receive_from(team, team->rank + step, own, err) < 0)
            status = -1;
    }
    return status;
}

int sp_team_gather(const struct sp_team *team, const void *data, size_t bytes, void **all, size_t *all_bytes, struct sp_error *err)
{
    struct gathering own = {malloc(bytes + 1), bytes};
    *all = NULL;
    *all_bytes = 0;
    if (own.bytes && bytes > 0)
        memcpy(own.bytes, data, bytes);
    int status = own.bytes ? 0 : sp_fail(err, "out of memory (%zu bytes)", bytes);
    if (sp_team_climb(team, send_gathered, receive_gathered, &own, err) < 0)
        status = -1;
    status = sp_agree(team, status, err);
    if (status < 0 || team->rank != 0) {
        free(own.bytes);
        return status;
    }
    *all = own.bytes;
    *all_bytes = own.count;
    return 0;
}
