/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_replay.h"

#include "sp_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sp_replay_collective(const char *function)
{
    static const struct {
        const char *name;
        enum sp_replay_kind kind;
    } table[] = {{"Barrier", SP_REPLAY_ALL}, {"Allreduce", SP_REPLAY_ALL}, {"Allgather", SP_REPLAY_ALL}, {"Allgatherv", SP_REPLAY_ALL},
        {"Alltoall", SP_REPLAY_ALL}, {"Alltoallv", SP_REPLAY_ALL}, {"Alltoallw", SP_REPLAY_ALL}, {"Reduce_scatter", SP_REPLAY_ALL},
        {"Reduce_scatter_block", SP_REPLAY_ALL}, {"Bcast", SP_REPLAY_FROM_ROOT}, {"Scatter", SP_REPLAY_FROM_ROOT},
        {"Scatterv", SP_REPLAY_FROM_ROOT}, {"Reduce", SP_REPLAY_TO_ROOT}, {"Gather", SP_REPLAY_TO_ROOT}, {"Gatherv", SP_REPLAY_TO_ROOT}};
    if (strncmp(function, "MPI_", 4))
        return -1;
    size_t length = strlen(function += 4);
    length -= length > 2 && !strcmp(function + length - 2, "_c") ? 2 : 0;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strlen(table[i].name) == length && !memcmp(table[i].name, function, length))
            return (int)table[i].kind;
    return -1;
}

/* A message's end: who it joins, and which of those it is. */
struct end {
    int32_t source, destination, communicator, tag;
    uint64_t order;
    size_t step;
};

static int compare_pairs(const struct end *x, const struct end *y)
{
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->destination != y->destination)
        return x->destination < y->destination ? -1 : 1;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static int compare_ends(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    int pairs = compare_pairs(x, y);
    return pairs ? pairs : (x->order < y->order ? -1 : x->order > y->order);
}

/* One collective call of a communicator. */
struct meeting {
    int32_t arrived;
    bool root_arrived;
    int64_t last_ns, root_ns;
};

struct replay {
    const struct sp_replay_step *steps;
    size_t count;
    int32_t rank_count;
    const int32_t *sizes;
    size_t *partner;   /* of a receive: step of its send; of a collective: its meeting */
    int64_t *start_ns; /* of sends; -1 not yet */
    size_t *at;        /* next step of a rank */
    bool *entered;     /* the rank has arrived at that step */
    int64_t *now_ns;   /* of a rank */
    struct meeting *meetings;
    size_t meeting_count;
    bool *queued;
    int32_t *queue; /* ranks that may go on */
    size_t queue_length;
};

static void replay_free(struct replay *replay)
{
    free(replay->partner);
    free(replay->start_ns);
    free(replay->at);
    free(replay->entered);
    free(replay->now_ns);
    free(replay->meetings);
    free(replay->queued);
    free(replay->queue);
}

static int replay_init(struct replay *replay, struct sp_error *err)
{
    size_t steps = replay->count + 1, ranks = (size_t)replay->rank_count + 1;
    replay->partner = calloc(steps, sizeof *replay->partner);
    replay->start_ns = calloc(steps, sizeof *replay->start_ns);
    replay->at = calloc(ranks, sizeof *replay->at);
    replay->entered = calloc(ranks, sizeof *replay->entered);
    replay->now_ns = calloc(ranks, sizeof *replay->now_ns);
    replay->meetings = calloc(steps, sizeof *replay->meetings);
    replay->queued = calloc(ranks, sizeof *replay->queued);
    replay->queue = calloc(ranks, sizeof *replay->queue);
    if (!replay->partner || !replay->start_ns || !replay->at || !replay->entered || !replay->now_ns || !replay->meetings ||
        !replay->queued || !replay->queue)
        return sp_fail(err, "out of memory");
    for (size_t i = replay->count; i-- > 0;) {
        replay->start_ns[i] = -1;
        replay->at[replay->steps[i].rank] = i;
    }
    return 0;
}

/* The ends of one kind, in order. */
static size_t list_ends(const struct replay *replay, enum sp_replay_kind kind, struct end *list)
{
    size_t used = 0;
    for (size_t i = 0; i < replay->count; i++) {
        const struct sp_replay_step *step = &replay->steps[i];
        if (step->kind != (int32_t)kind)
            continue;
        bool sends = kind == SP_REPLAY_SEND;
        list[used++] = (struct end){
            sends ? step->rank : step->peer, sends ? step->peer : step->rank, step->communicator, step->tag, sends ? i : step->order, i};
    }
    if (used)
        qsort(list, used, sizeof *list, compare_ends);
    return used;
}

/* Joins receives with sends; returns how many ends are left over. */
static size_t join_messages(struct replay *replay, struct end *sends, struct end *receives)
{
    size_t send_count = list_ends(replay, SP_REPLAY_SEND, sends), receive_count = list_ends(replay, SP_REPLAY_RECEIVE, receives);
    size_t s = 0, r = 0, left = 0;
    while (s < send_count && r < receive_count) {
        int order = compare_pairs(&sends[s], &receives[r]);
        if (order == 0) {
            replay->partner[receives[r++].step] = sends[s++].step;
        } else {
            left++;
            s += order < 0;
            r += order > 0;
        }
    }
    return left + (send_count - s) + (receive_count - r);
}

static bool is_collective(const struct sp_replay_step *step)
{
    return step->kind == SP_REPLAY_ALL || step->kind == SP_REPLAY_FROM_ROOT || step->kind == SP_REPLAY_TO_ROOT;
}

/* The k-th collective of a rank on a communicator meets the k-th of its other members. */
static int join_collectives(struct replay *replay, int32_t communicator_count, struct sp_error *err)
{
    /* a meeting is numbered by communicator and k: the most calls that a rank makes on each come first */
    size_t count = (size_t)communicator_count + 1;
    size_t *calls = calloc(count, sizeof *calls), *most = calloc(count, sizeof *most), *first = calloc(count, sizeof *first);
    int status = calls && most && first ? 0 : sp_fail(err, "out of memory");
    for (int pass = 0; !status && pass < 2; pass++) {
        for (size_t i = 0; i < replay->count; i++) {
            const struct sp_replay_step *step = &replay->steps[i];
            if (!is_collective(step)) {
                if (step->kind == SP_REPLAY_END)
                    memset(calls, 0, count * sizeof *calls);
                continue;
            }
            size_t k = calls[step->communicator]++;
            if (pass)
                replay->partner[i] = first[step->communicator] + k;
            else if (k + 1 > most[step->communicator])
                most[step->communicator] = k + 1;
        }
        for (size_t i = 0; !pass && i < count; i++) {
            first[i] = replay->meeting_count;
            replay->meeting_count += most[i]; /* never more than there are steps */
        }
    }
    free(calls);
    free(most);
    free(first);
    return status;
}

static void wake(struct replay *replay, int32_t rank)
{
    if (!replay->queued[rank])
        replay->queue[replay->queue_length++] = rank;
    replay->queued[rank] = true;
}

/* Those that stand at this meeting. */
static void wake_members(struct replay *replay, size_t meeting)
{
    for (int32_t i = 0; i < replay->rank_count; i++) {
        size_t at = replay->at[i];
        if (replay->entered[i] && is_collective(&replay->steps[at]) && replay->partner[at] == meeting)
            wake(replay, i);
    }
}

static void arrive(struct replay *replay, size_t at, int64_t now_ns)
{
    const struct sp_replay_step *step = &replay->steps[at];
    struct meeting *meeting = &replay->meetings[replay->partner[at]];
    meeting->arrived++;
    meeting->last_ns = now_ns > meeting->last_ns ? now_ns : meeting->last_ns;
    if (step->rank == step->peer) {
        meeting->root_arrived = true;
        meeting->root_ns = now_ns;
    }
    bool complete = meeting->arrived == replay->sizes[step->communicator];
    if (complete || (meeting->root_arrived && step->rank == step->peer))
        wake_members(replay, replay->partner[at]);
}

/* The time up to which the rank must wait in a step that it has entered; -1: that is not known yet, or it is the end. */
static int64_t wait_until(const struct replay *replay, size_t at)
{
    const struct sp_replay_step *step = &replay->steps[at];
    if (step->kind == SP_REPLAY_RECEIVE)
        return replay->start_ns[replay->partner[at]];
    if (!is_collective(step))
        return step->kind == SP_REPLAY_END ? -1 : 0;
    const struct meeting *meeting = &replay->meetings[replay->partner[at]];
    bool complete = meeting->arrived == replay->sizes[step->communicator];
    if (step->kind == SP_REPLAY_ALL || (step->kind == SP_REPLAY_TO_ROOT && step->rank == step->peer))
        return complete ? meeting->last_ns : -1;
    if (step->kind == SP_REPLAY_FROM_ROOT && step->rank != step->peer)
        return meeting->root_arrived ? meeting->root_ns : -1;
    return 0;
}

/* Who stands at the receive of this send. */
static void wake_receiver(struct replay *replay, size_t send)
{
    int32_t peer = replay->steps[send].peer;
    size_t at = replay->at[peer];
    if (replay->entered[peer] && replay->steps[at].kind == SP_REPLAY_RECEIVE && replay->partner[at] == send)
        wake(replay, peer);
}

/* Goes on until the rank must wait or ends. Returns whether it ended now. A rank that is asked once too often stays where it is. */
static bool advance(struct replay *replay, int32_t rank)
{
    for (;;) {
        size_t at = replay->at[rank];
        const struct sp_replay_step *step = &replay->steps[at];
        if (!replay->entered[rank]) {
            replay->entered[rank] = true;
            replay->now_ns[rank] += step->gap_ns;
            if (step->kind == SP_REPLAY_END)
                return true;
            if (step->kind == SP_REPLAY_SEND) {
                replay->start_ns[at] = replay->now_ns[rank];
                wake_receiver(replay, at);
            } else if (is_collective(step)) {
                arrive(replay, at, replay->now_ns[rank]);
            }
        }
        int64_t until = wait_until(replay, at);
        if (until < 0)
            return false;
        replay->now_ns[rank] = until > replay->now_ns[rank] ? until : replay->now_ns[rank];
        replay->at[rank]++;
        replay->entered[rank] = false;
    }
}

/* All ranks to their ends; returns how many did not get there. */
static int32_t run_all(struct replay *replay)
{
    int32_t ended = 0;
    for (int32_t i = replay->rank_count; i-- > 0;)
        wake(replay, i);
    while (replay->queue_length) {
        int32_t rank = replay->queue[--replay->queue_length];
        replay->queued[rank] = false;
        ended += advance(replay, rank);
    }
    return replay->rank_count - ended;
}

static int join(struct replay *replay, int32_t communicator_count, size_t *left, struct sp_error *err)
{
    struct end *sends = calloc(replay->count + 1, sizeof *sends), *receives = calloc(replay->count + 1, sizeof *receives);
    int status = sends && receives ? join_collectives(replay, communicator_count, err) : sp_fail(err, "out of memory");
    if (!status)
        *left = join_messages(replay, sends, receives);
    free(sends);
    free(receives);
    return status;
}

int sp_replay(const struct sp_replay_step *steps, size_t count, int32_t rank_count, const int32_t *sizes, int32_t communicator_count,
    struct sp_ideal *ideal, struct sp_error *err)
{
    struct replay replay = {.steps = steps, .count = count, .rank_count = rank_count, .sizes = sizes};
    size_t left = 0;
    int32_t stuck = 0;
    ideal->time_ns = NAN;
    ideal->why_not[0] = '\0';
    int status = replay_init(&replay, err) || join(&replay, communicator_count, &left, err) ? -1 : 0;
    if (!status && left)
        snprintf(ideal->why_not, sizeof ideal->why_not, "%zu sends or receives have no counterpart in the trace", left);
    else if (!status && (stuck = run_all(&replay)))
        snprintf(ideal->why_not, sizeof ideal->why_not, "%d rank(s) would wait forever: not all calls are in the trace", (int)stuck);
    for (int32_t i = 0; !status && !left && !stuck && i < rank_count; i++)
        ideal->time_ns = fmax(ideal->time_ns, (double)replay.now_ns[i]); /* of a number and NaN the number */
    replay_free(&replay);
    return status;
}
