/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_sync.h"
#include "sp_call.h"
#include "sp_clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SYNC_TAG = 32702, ROUNDS_MIN = 8, ROUNDS_MAX = 40, PATIENCE_NS = 2000000 };

/* What is answered to a question. */
struct answer {
    int64_t now_ns;
    struct sp_offset to_reference;
};

void sp_sync_host_read(struct sp_sync_host *host)
{
    const struct sp_spill_header *identity = sp_call_runtime->identity();
    char time_space[40] = "";
    memset(host, 0, sizeof *host);
    if (readlink("/proc/self/ns/time", time_space, sizeof time_space - 1) < 0)
        time_space[0] = '\0'; /* before Linux 5.6 there is one time for all */
    if (identity)
        snprintf(host->text, sizeof host->text, "%s %s %s", identity->host, identity->boot_id, time_space);
}

int sp_sync_host_is_same(const struct sp_sync_host *a, const struct sp_sync_host *b)
{
    return strcmp(a->text, b->text) == 0;
}

/* FNV-1a, as a colour of MPI_Comm_split, which must not be negative. */
static int colour_of(const struct sp_sync_host *host)
{
    uint32_t hash = 2166136261u;
    for (const char *c = host->text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return (int)(hash >> 1);
}

static int split(MPI_Comm comm, int colour, int key, MPI_Comm *part)
{
    if (sp_mpi.Comm_split(comm, colour, key, part) != MPI_SUCCESS) {
        *part = sp_mpi.comm_null;
        return -1;
    }
    if (*part != sp_mpi.comm_null)
        sp_mpi.Comm_set_errhandler(*part, sp_mpi.errors_return);
    return 0;
}

/* The processes of this host: those of the MPI's node that read one clock. Two hosts of one colour are told apart by their names. */
static int gather_host(struct sp_sync *sync, MPI_Comm comm, const struct sp_sync_host *own, int rank)
{
    MPI_Comm node = sp_mpi.comm_null;
    struct sp_sync_host of_leader = *own;
    int host_rank = 0;
    if (sp_mpi.Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, sp_mpi.info_null, &node) != MPI_SUCCESS)
        return -1;
    sp_mpi.Comm_set_errhandler(node, sp_mpi.errors_return);
    int status = split(node, colour_of(own), rank, &sync->host);
    sp_mpi.Comm_free(&node);
    if (status < 0 || sp_mpi.Comm_rank(sync->host, &host_rank) != MPI_SUCCESS)
        return -1;
    sync->is_leader = host_rank == 0;
    if (sp_mpi.Bcast(&of_leader, (int)sizeof of_leader, sp_mpi.byte, 0, sync->host) != MPI_SUCCESS)
        return -1;
    sync->is_known = sp_sync_host_is_same(own, &of_leader);
    return 0;
}

int sp_sync_open(struct sp_sync *sync, MPI_Comm comm, const struct sp_sync_host *own, const struct sp_sync_host *reference)
{
    int is_far = !sp_sync_host_is_same(own, reference), is_any_far = 0, rank = 0, is_ready, is_all_ready = 0;
    *sync = (struct sp_sync){.host = sp_mpi.comm_null, .leaders = sp_mpi.comm_null};
    if (sp_mpi.Allreduce(&is_far, &is_any_far, 1, sp_mpi.int32_type, sp_mpi.max, comm) != MPI_SUCCESS)
        return -1;
    if (!is_any_far)
        return 0;
    sp_mpi.Comm_rank(comm, &rank);
    is_ready = gather_host(sync, comm, own, rank) == 0;
    is_ready &= split(comm, is_ready && sync->is_leader ? 0 : MPI_UNDEFINED, rank, &sync->leaders) == 0;
    if (sp_mpi.Allreduce(&is_ready, &is_all_ready, 1, sp_mpi.int32_type, sp_mpi.min, comm) != MPI_SUCCESS)
        return -1;
    sync->is_needed = is_all_ready;
    return is_all_ready ? 0 : -1;
}

/* Asks until it is enough: the offset to the reference of the round with the shortest trip. */
static struct sp_offset ask(MPI_Comm comm, int whom)
{
    struct sp_offset best = {.error_ns = -1}, theirs = best;
    int64_t between_ns = 0, first_ns = 0;
    for (int round = 0, is_last = 0; !is_last; round++) {
        struct answer answer;
        struct sp_round_trip exchange = {.sent_ns = sp_clock_monotonic_ns()};
        is_last = round == ROUNDS_MAX - 1 || (round >= ROUNDS_MIN - 1 && exchange.sent_ns - first_ns > PATIENCE_NS);
        if (sp_mpi.Send(&is_last, 1, sp_mpi.int32_type, whom, SYNC_TAG, comm) != MPI_SUCCESS)
            return (struct sp_offset){.error_ns = -1};
        if (sp_mpi.Recv(&answer, (int)sizeof answer, sp_mpi.byte, whom, SYNC_TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return (struct sp_offset){.error_ns = -1};
        exchange.received_ns = sp_clock_monotonic_ns();
        exchange.other_ns = answer.now_ns;
        struct sp_offset offset = sp_offset_from(&exchange);
        if (round == 0)
            first_ns = exchange.received_ns; /* the other may have come late */
        if (!sp_offset_is_better(&offset, &best))
            continue;
        best = offset;
        theirs = answer.to_reference;
        between_ns = answer.now_ns;
    }
    return sp_offset_chain(&best, between_ns, &theirs);
}

/* Answers one other until it says that it was the last question. */
static void serve(MPI_Comm comm, int whom, const struct sp_offset *own)
{
    struct answer answer = {.to_reference = *own};
    for (int round = 0, is_last = 0; round < ROUNDS_MAX && !is_last; round++) {
        if (sp_mpi.Recv(&is_last, 1, sp_mpi.int32_type, whom, SYNC_TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return;
        answer.now_ns = sp_clock_monotonic_ns();
        if (sp_mpi.Send(&answer, (int)sizeof answer, sp_mpi.byte, whom, SYNC_TAG, comm) != MPI_SUCCESS)
            return;
    }
}

/* A binomial tree: at step k hosts 2^k ... 2^(k+1)-1 ask those 2^k below them, all at once. */
static struct sp_offset measure_leader(MPI_Comm leaders)
{
    struct sp_offset own = {.at_ns = sp_clock_monotonic_ns()};
    int rank = 0, size = 1;
    int64_t step = 1;
    if (sp_mpi.Comm_rank(leaders, &rank) != MPI_SUCCESS || sp_mpi.Comm_size(leaders, &size) != MPI_SUCCESS)
        return (struct sp_offset){.error_ns = -1};
    while (step <= rank)
        step *= 2;
    if (rank > 0)
        own = ask(leaders, rank - (int)(step / 2));
    for (; rank + step < size; step *= 2) {
        if (rank == 0)
            own.at_ns = sp_clock_monotonic_ns(); /* the reference is right at any time */
        serve(leaders, rank + (int)step, &own);
    }
    return own;
}

struct sp_offset sp_sync_measure(const struct sp_sync *sync)
{
    struct sp_offset offset = {.error_ns = -1};
    if (sync->is_leader)
        offset = measure_leader(sync->leaders);
    if (sp_mpi.Bcast(&offset, (int)sizeof offset, sp_mpi.byte, 0, sync->host) != MPI_SUCCESS || !sync->is_known)
        offset.error_ns = -1;
    return offset;
}

void sp_sync_close(struct sp_sync *sync)
{
    if (sync->leaders != sp_mpi.comm_null)
        sp_mpi.Comm_free(&sync->leaders);
    if (sync->host != sp_mpi.comm_null)
        sp_mpi.Comm_free(&sync->host);
    sync->is_needed = 0;
}
