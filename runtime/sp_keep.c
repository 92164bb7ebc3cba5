/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_keep.h"

int sp_keep_is_on(const struct sp_lane *lane)
{
    return lane->head.events_kept == UINT64_MAX;
}

/* Bytes of these that the budget still has, taken from it. */
static size_t take(struct sp_trace_budget *budget, size_t bytes)
{
    uint64_t before = __atomic_fetch_add(&budget->used, bytes, __ATOMIC_RELAXED);
    uint64_t limit = __atomic_load_n(&budget->limit, __ATOMIC_RELAXED), left = before < limit ? limit - before : 0;
    return left < bytes ? (size_t)left : bytes;
}

/* Appends the used part of a ring as a segment, as far as the budget allows. Returns how many entries were kept. */
static uint32_t keep(struct sp_lane *lane, enum sp_spill_segment_type type, uint64_t first, uint32_t count, const void *ring, size_t size)
{
    uint32_t kept = (uint32_t)(take(lane->budget, count * size) / size);
    struct sp_spill_segment segment = {.type = type, .first = first, .count = kept};
    if (kept > 0 && sp_store_append(lane->store, &segment, ring, kept * size) < 0)
        return 0;
    return kept;
}

/* From these on there is only the profile. */
static void stop_keeping(struct sp_lane *lane, uint64_t events_kept, uint64_t messages_kept)
{
    lane->head.was_cut = 1; /* before the others: whoever is killed in between still said what was wanted */
    lane->head.messages_kept = messages_kept;
    lane->head.events_kept = events_kept;
}

/* The first event of which the close record was not kept is the last that can be told: what follows would look open. */
void sp_keep_closes(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t used = head->closes_used;
    if (sp_keep_is_on(lane) && keep(lane, SP_SEGMENT_CLOSES, head->closes_first, used, lane->closes, sizeof *lane->closes) < used)
        stop_keeping(lane, head->events_first, head->messages_first);
    __atomic_store_n(&head->closes_used, 0, __ATOMIC_RELEASE);
    head->closes_first += used;
}

void sp_keep_messages(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t used = head->messages_used;
    uint32_t kept =
        sp_keep_is_on(lane) ? keep(lane, SP_SEGMENT_MESSAGES, head->messages_first, used, lane->messages, sizeof *lane->messages) : used;
    if (kept < used)
        stop_keeping(lane, lane->messages[kept].event, head->messages_first + kept);
    __atomic_store_n(&head->messages_used, 0, __ATOMIC_RELEASE);
    head->messages_first += used;
}

/* Copies the events away; messages of events that are not kept are given up with them. */
void sp_keep_events(struct sp_lane *lane, uint32_t used)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t kept = sp_keep_is_on(lane) ? keep(lane, SP_SEGMENT_EVENTS, head->events_first, used, lane->ring, sizeof *lane->ring) : used;
    if (kept < used)
        stop_keeping(lane, head->events_first + kept, head->messages_first + head->messages_used);
}

/* What is left in the rings at the end counts against the budget too. */
void sp_keep_rest(struct sp_lane *lane)
{
    struct sp_spill_header *head = &lane->head;
    uint32_t events = sp_lane_events_used(lane), messages = head->messages_used;
    if (!sp_keep_is_on(lane))
        return;
    uint32_t events_left = (uint32_t)(take(lane->budget, events * sizeof *lane->ring) / sizeof *lane->ring);
    uint32_t messages_left = (uint32_t)(take(lane->budget, messages * sizeof *lane->messages) / sizeof *lane->messages);
    if (events_left < events || messages_left < messages)
        stop_keeping(lane, head->events_first + events_left, head->messages_first + messages_left);
}
