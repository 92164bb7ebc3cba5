/* SPDX-License-Identifier: BSD-3-Clause */
/* From the events and messages of a run to the steps of its replay. */
#include "sp_replay.h"

#include "sp_error.h"
#include "sp_rank_calls.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 8192
#define MOST_MESSAGES 20000000

/* /messages operations. */
enum { SEND = 1, RECEIVE = 2, COLLECTIVE = 3, COLLECTIVE_RECEIVED = 4, PUT = 5, ATOMIC_RESULT = 8, RECEIVE_POSTED = 12 };

/* A receive that was posted, to be found by its request. */
struct posted {
    uint64_t request, order;
};

/* One process while it reads its ranks. */
struct reader {
    const struct sp_run *run;
    bool *in_mpi; /* by call path */
    struct sp_replay_step *steps;
    size_t step_count, step_room;
    /* the rank being read */
    int32_t rank;
    int64_t last_ns; /* end of the last MPI call, or of MPI_Init */
    int64_t gap_ns;  /* computing since the last step */
    int64_t calls;   /* in that gap, which cost the tool's time */
    uint64_t order;
    struct posted *posted; /* orders of postings, a table by request that grows */
    size_t posted_room, posted_count;
    /* its messages */
    struct sp_message *messages;
    uint64_t next_message, end_message; /* rows */
    size_t at, in_memory;
    char why_not[200];
};

static int add_step(struct reader *reader, struct sp_replay_step step, struct sp_error *err)
{
    if (reader->step_count == reader->step_room) {
        size_t room = 2 * reader->step_room + 1024;
        struct sp_replay_step *steps = realloc(reader->steps, room * sizeof *steps);
        if (!steps)
            return sp_fail(err, "out of memory");
        reader->steps = steps;
        reader->step_room = room;
    }
    step.rank = reader->rank;
    step.gap_ns = reader->gap_ns;
    reader->gap_ns = 0;
    reader->steps[reader->step_count++] = step;
    return 0;
}

static void refuse(struct reader *reader, const char *why, const char *what)
{
    if (!reader->why_not[0])
        snprintf(reader->why_not, sizeof reader->why_not, why, what);
}

static struct posted *find_posted(struct reader *reader, uint64_t request)
{
    size_t i = (size_t)(request * 0x9E3779B97F4A7C15u) & (reader->posted_room - 1);
    while (reader->posted[i].request && reader->posted[i].request != request)
        i = (i + 1) & (reader->posted_room - 1);
    return &reader->posted[i];
}

static int grow_posted(struct reader *reader, struct sp_error *err)
{
    struct posted *old = reader->posted;
    size_t count = reader->posted_room;
    reader->posted_room = count ? 2 * count : 1024;
    reader->posted = calloc(reader->posted_room, sizeof *reader->posted);
    if (!reader->posted) {
        reader->posted = old;
        reader->posted_room = count;
        return sp_fail(err, "out of memory");
    }
    for (size_t i = 0; i < count; i++)
        if (old[i].request)
            *find_posted(reader, old[i].request) = old[i];
    free(old);
    return 0;
}

static int note_posted(struct reader *reader, uint64_t request, struct sp_error *err)
{
    if (2 * (reader->posted_count + 1) > reader->posted_room && grow_posted(reader, err))
        return -1;
    struct posted *posted = find_posted(reader, request);
    reader->posted_count += !posted->request;
    *posted = (struct posted){request, ++reader->order};
    return 0;
}

/* Which receive of the rank this is, by posting. */
static uint64_t order_of(struct reader *reader, uint64_t request)
{
    const struct posted *posted = request && reader->posted_room ? find_posted(reader, request) : NULL;
    return posted && posted->request ? posted->order : ++reader->order;
}

static bool knows_communicator(const struct reader *reader, const struct sp_message *message)
{
    return message->communicator >= 0 && message->communicator < reader->run->info->communicator_count;
}

static int take_p2p(struct reader *reader, const struct sp_message *message, struct sp_error *err)
{
    bool sends = message->operation == SEND;
    if (message->peer == -1)
        return 0;
    if (message->peer < 0 || message->peer >= reader->run->info->rank_count)
        refuse(reader, "the peer of a message is not known%s", "");
    if (!knows_communicator(reader, message))
        refuse(reader, "the communicator of a message is not known%s", "");
    return add_step(reader,
        (struct sp_replay_step){.kind = sends ? SP_REPLAY_SEND : SP_REPLAY_RECEIVE,
            .peer = message->peer,
            .tag = message->tag,
            .communicator = message->communicator,
            .order = sends ? 0 : order_of(reader, message->request)},
        err);
}

static int take_collective(struct reader *reader, const struct sp_message *message, const char *function, struct sp_error *err)
{
    int kind = sp_replay_collective(function);
    if (kind < 0)
        refuse(reader, "a collective in %s is not replayed", function);
    else if (!knows_communicator(reader, message))
        refuse(reader, "the communicator of %s is not known", function);
    else if (sp_file_communicators(reader->run->file)[message->communicator].size > 1)
        return add_step(
            reader, (struct sp_replay_step){.kind = kind, .peer = message->peer, .communicator = message->communicator, .tag = -1}, err);
    return 0;
}

static int take_message(struct reader *reader, const struct sp_message *message, const char *function, bool *met, struct sp_error *err)
{
    bool met_before = *met;
    if (message->operation >= PUT && message->operation <= ATOMIC_RESULT)
        refuse(reader, "one-sided communication (%s) is not replayed", function);
    if (message->operation == RECEIVE_POSTED)
        return message->request ? note_posted(reader, message->request, err) : 0;
    if (message->operation == SEND || message->operation == RECEIVE)
        return take_p2p(reader, message, err);
    *met = *met || message->operation == COLLECTIVE || message->operation == COLLECTIVE_RECEIVED;
    return *met && !met_before ? take_collective(reader, message, function, err) : 0;
}

/* The next message, NULL behind the last; *status -1 on failure. */
static const struct sp_message *peek_message(struct reader *reader, int *status, struct sp_error *err)
{
    if (reader->at < reader->in_memory)
        return &reader->messages[reader->at];
    uint64_t left = reader->end_message - reader->next_message;
    if (!left)
        return NULL;
    reader->in_memory = left < BATCH ? (size_t)left : BATCH;
    reader->at = 0;
    *status = sp_file_read_messages(reader->run->file, reader->next_message, reader->in_memory, reader->messages, err);
    reader->next_message += reader->in_memory;
    return *status ? NULL : reader->messages;
}

/* What always leaves a message, unless it failed or the record was made by something else. */
static bool leaves_messages(const char *function)
{
    static const char *const names[] = {"MPI_Send", "MPI_Ssend", "MPI_Recv", "MPI_Isend", "MPI_Sendrecv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(function, names[i]))
            return true;
    return sp_replay_collective(function) >= 0;
}

/* A barrier that SP_SYNC put before a collective, which waits for the same ranks itself where it must. */
static bool is_of_the_tool(const char *function)
{
    size_t length = strlen(function);
    return length > 7 && !strcmp(function + length - 7, " (sync)");
}

/* The messages of an event become steps. */
static int take_messages(struct reader *reader, uint64_t event, const char *function, struct sp_error *err)
{
    int status = 0;
    bool met = false, any = false;
    for (;; any = true) {
        const struct sp_message *message = peek_message(reader, &status, err);
        if (!status && !any && (!message || message->event > event) && leaves_messages(function))
            refuse(reader, "%s left no message in the trace", function);
        if (status || !message || message->event > event)
            return status;
        if (!is_of_the_tool(function) && take_message(reader, message, function, &met, err))
            return -1;
        reader->at++;
    }
}

/* Computing up to a time is over; what the tool took of it does not count. */
static void close_gap(struct reader *reader, int64_t now_ns)
{
    int64_t cost_ps = sp_file_ranks(reader->run->file)[reader->rank].region_cost_ps;
    int64_t gap = now_ns - reader->last_ns - reader->calls * cost_ps / 1000;
    reader->gap_ns += gap > 0 ? gap : 0;
    reader->calls = 0;
}

static int take_call(struct reader *reader, const struct sp_rank_call *call, int32_t main_lane, struct sp_error *err)
{
    const struct sp_rank *rank = &sp_file_ranks(reader->run->file)[reader->rank];
    if (call->lane != main_lane) {
        if (reader->in_mpi[call->callpath])
            refuse(reader, "MPI is called by several threads%s", "");
        return 0;
    }
    reader->calls++;
    if (!reader->in_mpi[call->callpath] || call->start_ns < rank->mpi_init_end_ns)
        return 0;
    const char *function = reader->run->regions[sp_file_callpaths(reader->run->file)[call->callpath].region].name;
    if (call->duration_ns < 0)
        refuse(reader, "%s did not end", function);
    close_gap(reader, call->start_ns);
    reader->last_ns = call->start_ns + call->duration_ns;
    return take_messages(reader, call->event, function, err);
}

static int read_rank(struct reader *reader, int32_t rank, struct sp_error *err)
{
    struct sp_file *file = reader->run->file;
    struct sp_rank_calls *calls = NULL;
    struct sp_rank_call call;
    int32_t first, end;
    int status;
    sp_rank_lanes(file, rank, &first, &end);
    if (first == end) {
        refuse(reader, "a rank left no record%s", "");
        return 0;
    }
    const struct sp_lane *lane = &sp_file_lanes(file)[first];
    reader->rank = rank;
    reader->last_ns = sp_file_ranks(file)[rank].mpi_init_end_ns;
    reader->gap_ns = reader->calls = 0;
    reader->order = 0;
    if (reader->posted_room)
        memset(reader->posted, 0, reader->posted_room * sizeof *reader->posted);
    reader->posted_count = reader->at = reader->in_memory = 0;
    reader->next_message = lane->first_message;
    reader->end_message = lane->first_message + lane->message_count;
    if (sp_rank_calls_open(file, rank, &calls, err))
        return -1;
    while ((status = sp_rank_calls_next(calls, &call, err)) > 0 && !reader->why_not[0])
        if ((status = take_call(reader, &call, first, err)))
            break;
    sp_rank_calls_close(calls);
    if (status < 0)
        return -1;
    close_gap(reader, sp_file_ranks(file)[rank].finalize_begin_ns);
    return add_step(reader, (struct sp_replay_step){.kind = SP_REPLAY_END}, err);
}

/* What can be told without reading. */
static void check_run(const struct sp_run *run, struct sp_ideal *ideal)
{
    const char *why = "";
    if (!sp_run_recorded_mpi(run))
        why = "no MPI functions were recorded";
    else if (run->rank_count < run->info->rank_count)
        why = "not all ranks are selected";
    else if (run->window.timed)
        why = "a part of a run is not replayed (--time)";
    else if (run->info->trace == SP_TRACE_OFF || !run->info->event_count)
        why = "the run recorded statistics only";
    else if (run->info->trace != SP_TRACE_COMPLETE)
        why = "the trace was cut";
    else if (run->info->state != SP_FILE_COMPLETE || !run->init_known || !run->finalize_known)
        why = "the run did not end in MPI_Finalize";
    else if (run->info->message_count > MOST_MESSAGES)
        why = "there are more than 20 million messages, which is more than a replay holds";
    *ideal = (struct sp_ideal){.time_ns = NAN};
    snprintf(ideal->why_not, sizeof ideal->why_not, "%s", why);
}

static int read_share(const struct sp_crew *crew, struct reader *reader, struct sp_error *err)
{
    const struct sp_run *run = reader->run;
    size_t first, end, count = (size_t)run->info->rank_count;
    uint64_t *weights = calloc(count + 1, sizeof *weights);
    reader->messages = calloc(BATCH, sizeof *reader->messages);
    if (!weights || !reader->messages || sp_run_mpi_paths(run, &reader->in_mpi, err)) {
        free(weights);
        return sp_fail(err, "out of memory");
    }
    for (int32_t i = 0; i < run->info->lane_count; i++)
        weights[sp_file_lanes(run->file)[i].rank] += sp_file_lanes(run->file)[i].event_count + 1;
    sp_crew_split(weights, count, crew->rank, crew->size, &first, &end);
    free(weights);
    for (size_t rank = first; rank < end && !reader->why_not[0]; rank++)
        if (read_rank(reader, (int32_t)rank, err))
            return -1;
    return 0;
}

/* Calls without events, such as questions answered with no, are time in MPI that looks like computing. */
static bool covers_mpi(const struct sp_run *run, const struct sp_replay_step *steps, size_t count, struct sp_ideal *ideal)
{
    double of_steps = 0, of_statistics = 0;
    for (size_t i = 0; i < count; i++)
        of_steps += (double)steps[i].gap_ns;
    for (size_t i = 0; i < run->use_count; i++)
        of_statistics += sp_efficiency_useful_ns(run, &run->uses[i]);
    if (of_steps <= 1.01 * of_statistics + 1e3 * (double)run->rank_count)
        return true;
    snprintf(ideal->why_not, sizeof ideal->why_not,
        "time in MPI of calls without an event (%.1f %% of what is computed) would count as computing",
        100 * (of_steps - of_statistics) / of_statistics);
    return false;
}

static int conclude(const struct sp_run *run, const struct sp_replay_step *steps, size_t count, const char *reasons, size_t reason_count,
    struct sp_ideal *ideal, struct sp_error *err)
{
    size_t size = sizeof ideal->why_not;
    for (size_t i = 0; i < reason_count && !ideal->why_not[0]; i++)
        memcpy(ideal->why_not, reasons + i * size, size);
    if (ideal->why_not[0] || !covers_mpi(run, steps, count, ideal))
        return 0;
    int32_t communicators = run->info->communicator_count;
    int32_t *sizes = calloc((size_t)communicators + 1, sizeof *sizes);
    if (!sizes)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < communicators; i++)
        sizes[i] = sp_file_communicators(run->file)[i].size;
    int status = sp_replay(steps, count, run->info->rank_count, sizes, communicators, ideal, err);
    free(sizes);
    return status;
}

int sp_replay_run(const struct sp_crew *crew, const struct sp_run *run, struct sp_ideal *ideal, struct sp_error *err)
{
    struct reader reader = {.run = run};
    void *steps = NULL, *reasons = NULL;
    size_t count = 0, reason_count = 0;
    check_run(run, ideal);
    if (ideal->why_not[0]) /* the same on all processes */
        return 0;
    int status = sp_crew_agree(crew, read_share(crew, &reader, err), err);
    if (!status)
        status = sp_crew_gather(crew, reader.steps, sizeof *reader.steps, reader.step_count, &steps, &count, err);
    if (!status)
        status = sp_crew_gather(crew, reader.why_not, sizeof reader.why_not, 1, &reasons, &reason_count, err);
    if (!status)
        status = sp_crew_agree(crew, crew->rank == 0 ? conclude(run, steps, count, reasons, reason_count, ideal, err) : 0, err);
    free(steps);
    free(reasons);
    free(reader.steps);
    free(reader.messages);
    free(reader.posted);
    free(reader.in_mpi);
    return status;
}
