/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PROCESS_H
#define SP_PROCESS_H

/* The tool object: one a process, made at the first call that needs it (there is no constructor), never freed.
 * Before a run starts everything is recorded into memory (JOINTS: at most 16 MiB of events); a run moves it to spill files. */

#include "sp_internal.h"
#include "sp_lane.h"
#include "sp_metadata.h"

#include <pthread.h>

/* Bits of the gate: 0 means record. */
enum sp_gate { SP_GATE_PAUSED = 1, SP_GATE_OFF = 2 };

struct sp_process {
    struct sp_config config;
    struct sp_spill_clock clock;
    int64_t clock_error_ns;      /* of the reading of its first point */
    struct sp_trace_budget budget;
    struct sp_store *store;
    struct sp_registry *registry;
    struct sp_metadata *metadata;
    struct sp_spill_rank rank_record;
    struct sp_run run;
    int started;                 /* a run has started */
    int in_memory;               /* there can be no spill files: lanes stay in memory, statistics only */
    char run_id[40], output_path[4096], work_path[4096];
    char spill_directory[4096];  /* "" before a run starts and where there is none */
    pthread_mutex_t lock;        /* of the lanes, the store beyond the registry's appends, and what stands above */
    struct sp_lane *lanes, *idle_lanes;
    int lane_count;
};

/* Whether anything is recorded. Atomic; changing it changes what begin and end are (sp_pairs.h). */
extern int sp_process_gate __attribute__((visibility("hidden")));
void sp_process_set_gate(int set, int clear);

/* The tool object, NULL where it is off (SP_ENABLE=0, no memory). Local, any thread. */
struct sp_process *sp_process_get(void);

/* A lane for the calling thread: one that a thread left, or a new one. NULL without memory. Local. */
struct sp_lane *sp_process_take_lane(struct sp_process *process);
void sp_process_leave_lane(struct sp_process *process, struct sp_lane *lane);

/* sp_internal.h's start, stop, set_offsets and discard. */
int sp_process_start(const struct sp_run *run, struct sp_error *err);
void sp_process_stop(uint64_t finalize_begin_ticks, int64_t offset_last_ns);
void sp_process_set_offsets(int64_t first_ns, int64_t last_ns, int64_t error_ns);
void sp_process_discard(void);
uint64_t sp_process_events_dropped(void);
void sp_process_add_communicator(const struct sp_spill_communicator *record, const char *name, const int32_t *members);

#endif
