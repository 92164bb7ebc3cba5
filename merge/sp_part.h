/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PART_H
#define SP_PART_H

/* The part of a run that one process writes: the spill files of some ranks, opened, ordered by rank and lane, with the names they
 * use. All Local. */

#include "sp_dictionary.h"
#include "sp_spill_lane.h"
#include "sp_spill_process.h"
#include "sp_timeline.h"
#include "sp_writer.h"

struct sp_part_rank {
    int32_t rank;
    struct sp_spill *spill;          /* the process's file; NULL: not there */
    struct sp_spill_process process;
    struct sp_timeline timeline;
    size_t first_lane, lane_count;   /* in the part */
    int32_t *regions;                /* row in the dictionary by region id; -1 not used yet */
    uint32_t region_count;
    int32_t *communicators;          /* row in the dictionary by communicator id; -1 unknown */
    uint32_t communicator_count;
    int32_t host;                    /* row in the dictionary */
    int32_t pid;
};

struct sp_part_lane {
    struct sp_spill *spill;
    struct sp_spill_lane *lane;
    size_t owner;                    /* in the part's ranks */
    int32_t *callpaths;              /* row in the dictionary by node; -1 none */
    uint64_t statistic_count;
};

struct sp_part {
    struct sp_part_rank *ranks;
    struct sp_part_lane *lanes;
    size_t rank_count, lane_count;
    int32_t run_rank_count;          /* ranks of the whole run; 0: this part is empty */
    char run_id[40];
    uint32_t clock_source;
    int clock_is_known;              /* 0: some rank's clock could not be related to ns */
    struct sp_dictionary *dictionary;
};

/* Opens the sources. *part is NULL on failure; SP_EXIT_COMBINE for files of several runs or a lane that is there twice. */
int sp_part_open(const struct sp_writer_source *sources, size_t count, struct sp_part **part, struct sp_error *err);
void sp_part_close(struct sp_part *part);

/* From rows of the part's dictionary to rows of the one it was merged into. */
void sp_part_renumber(struct sp_part *part, const struct sp_dictionary_map *map);

/* Earliest global time in the part (the timelines' origins being 0); INT64_MAX of an empty part. */
int64_t sp_part_start(const struct sp_part *part);
void sp_part_set_origin(struct sp_part *part, int64_t origin_ns);

/* Rows of the file; the lane's offsets (first_...) are left 0. */
void sp_part_rank_row(const struct sp_part *part, size_t rank, struct sp_rank *row);
void sp_part_lane_row(const struct sp_part *part, size_t lane, struct sp_lane *row);

/* A lane's rows of /statistics by call path, in ns; lane_row is the lane's row in the file. *rows is malloc'ed. */
int sp_part_statistics(const struct sp_part *part, size_t lane, int32_t lane_row, struct sp_statistic **rows, size_t *count,
    struct sp_error *err);

/* Events not kept. */
uint64_t sp_part_dropped(const struct sp_part *part);

#endif
