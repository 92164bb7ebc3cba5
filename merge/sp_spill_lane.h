/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SPILL_LANE_H
#define SP_SPILL_LANE_H

/* What a lane's spill file says: its events and messages in order, each once, wherever the recording left them, and its call
 * paths with statistics that are up to date. Times are ticks. All Local. */

#include "sp_spill_read.h"
#include "sp_stats.h"

struct sp_spill_lane;

/* Consecutive entries: sequence numbers first, first + 1, ...; rows from row on in what is written. */
struct sp_event_run {
    uint64_t first, count, row;
    const struct sp_spill_event *events; /* every node of theirs exists */
};

struct sp_message_run {
    uint64_t count;
    const struct sp_spill_message *messages;
};

/* Reads a spill file of kind SP_SPILL_LANE, which must stay open. *lane is NULL on failure (memory). */
int sp_spill_lane_open(const struct sp_spill *spill, struct sp_spill_lane **lane, struct sp_error *err);
void sp_spill_lane_close(struct sp_spill_lane *lane);

const struct sp_event_run *sp_spill_lane_events(const struct sp_spill_lane *lane, size_t *run_count);
const struct sp_message_run *sp_spill_lane_messages(const struct sp_spill_lane *lane, size_t *run_count);
uint64_t sp_spill_lane_event_count(const struct sp_spill_lane *lane);
uint64_t sp_spill_lane_message_count(const struct sp_spill_lane *lane);

/* Events that were to be kept and were not; 0 of a lane that was to keep none. */
uint64_t sp_spill_lane_dropped(const struct sp_spill_lane *lane);

/* Whether the lane was to keep no event at all; not so of one that had no room for its first. */
int sp_spill_lane_is_profile(const struct sp_spill_lane *lane);

/* Row of an event, UINT64_MAX where it was not kept. */
uint64_t sp_spill_lane_row(const struct sp_spill_lane *lane, uint64_t event);

#define SP_TICKS_OPEN UINT64_MAX

/* Duration of the event with a sequence number, through its close record where it has one; SP_TICKS_OPEN if it never ended. */
uint64_t sp_spill_lane_duration(const struct sp_spill_lane *lane, uint64_t number, const struct sp_spill_event *event);

/* Ids are below this; 0 is the root. */
uint32_t sp_spill_lane_node_count(const struct sp_spill_lane *lane);

/* NULL where the node is not there or its parent does not stand before it. */
const struct sp_spill_node *sp_spill_lane_node(const struct sp_spill_lane *lane, uint32_t id);

/* Statistics of an existing node, in ticks. */
void sp_spill_lane_stats(const struct sp_spill_lane *lane, uint32_t id, struct sp_stats *stats);

/* Calls of a region that fell into a bin (sp_histogram.h). */
struct sp_region_bin {
    uint32_t region, bin;
    uint64_t calls;
};

/* By region, then bin, each once; what no bin counts is as sp_spill_lane_stats counts it too. */
const struct sp_region_bin *sp_spill_lane_bins(const struct sp_spill_lane *lane, size_t *count);

/* Where one is among the messages that no batch has summed up; all zero: before the first. */
struct sp_spill_late {
    uint32_t at;
};

/* The next of these whose call path exists, NULL after the last. They are in sp_spill_lane_stats, but not in the tables by key. */
const struct sp_spill_message *sp_spill_lane_late_message(const struct sp_spill_lane *lane, struct sp_spill_late *late);

/* Last reading the lane shows: when it was closed, or the latest event or clock point of one that was not. */
uint64_t sp_spill_lane_end(const struct sp_spill_lane *lane);

#endif
