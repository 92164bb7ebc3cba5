/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_RUN_H
#define SP_RUN_H

/* One run as the analyses see it: what the statistics of its file say about the selected regions and ranks. */

#include "scope_profiler_file.h"
#include "sp_filter.h"
#include "sp_stats.h"
#include "sp_crew.h"
#include "sp_window.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct sp_error;

enum sp_region_kind { SP_REGION_USER, SP_REGION_MPI, SP_REGION_OPENMP, SP_REGION_IO, SP_REGION_FUNCTION, SP_REGION_KINDS };

/* "user", "mpi", ... */
const char *sp_region_kind_name(int32_t kind);

struct sp_region {
    char *name;       /* valid UTF-8, different from every other region's of the run */
    char *name_bytes; /* hexadecimal, where the recorded name is not valid UTF-8; else NULL */
    int32_t kind;     /* enum sp_region_kind */
    bool selected;
};

/* A region on a rank, over all lanes and call paths. */
struct sp_entry {
    int32_t region;
    int32_t rank;
    struct sp_stats stats;
};

/* A call path, over all selected ranks. */
struct sp_path_entry {
    int32_t callpath;
    int32_t rank_count;
    struct sp_stats stats;
    int64_t slowest_ns, busiest_ns; /* largest total and self time of a rank */
};

/* What the main thread of a rank did in all, selected regions or not. */
struct sp_rank_use {
    int32_t rank;
    int64_t mpi_ns; /* in MPI functions other than MPI_Init and MPI_Finalize, what these call included */
    uint64_t calls;
};

struct sp_run {
    char *path;           /* absolute */
    char *label;          /* valid UTF-8 */
    struct sp_file *file; /* open in every process */
    const struct sp_file_info *info;
    json_t *metadata;          /* an object */
    struct sp_region *regions; /* info->region_count */
    char **hosts;              /* names in valid UTF-8, info->host_count */
    bool *ranks;               /* selected or not, info->rank_count */
    int32_t rank_count;        /* selected ranks */
    int64_t time_ns;           /* T, see sp_run_time_of; -1 unknown */
    bool init_known;           /* every rank knows when MPI_Init ended, else its record's start stands for it */
    bool finalize_known;       /* every rank knows when MPI_Finalize began, else its record's end stands for it */
    struct sp_window window;   /* the part that is looked at; then all below is of it, as is time_ns */
    int64_t origin_ns;         /* where its times are counted from: the first call inside the run */
    int64_t reach_ns;          /* the window goes beyond where the first rank's trace ends; INT64_MAX: it does not */
    int64_t total_ns;          /* from run start to the end of the last rank's record */
    uint64_t events_dropped;
    struct sp_entry *entries; /* process 0: selected regions and ranks, by region, then rank */
    size_t entry_count;
    struct sp_path_entry *paths; /* process 0, if asked for: every call path of the selected ranks, by call path */
    size_t path_count;
    struct sp_rank_use *uses; /* process 0: one a selected rank, by rank */
    size_t use_count;
};

/* Opens a file, reads its statistics and reduces them. label: NULL takes the label stored in it, else the file's name without its
 * ending. *run is NULL on failure, in all processes. Collective. */
int sp_run_load(const struct sp_crew *crew, const char *path, const char *label, const struct sp_filter *filter,
    const struct sp_texts *ranks, const struct sp_window *window, bool want_paths, struct sp_run **run, struct sp_error *err);
void sp_run_close(struct sp_run *run);

/* The half of sp_run_load that reads statistics, for a run whose file, regions and ranks are known. Collective. */
int sp_run_load_statistics(const struct sp_crew *crew, struct sp_run *run, bool want_paths, struct sp_error *err);

/* Moves the run's window to its first call, and its time into the window. Fails (usage) where the file has no events to answer
 * from. Collective. */
int sp_run_place_window(const struct sp_crew *crew, struct sp_run *run, const struct sp_window *window, struct sp_error *err);

/* The smallest value of all processes, on all of them. Collective. */
int sp_run_smallest(const struct sp_crew *crew, int64_t *value, struct sp_error *err);

/* The span of a rank inside MPI, or of its record, as far as it lies in the window; where it does not, *end_ns is *begin_ns. Local. */
void sp_run_span(const struct sp_run *run, int32_t rank, int64_t *begin_ns, int64_t *end_ns);

/* A number of the run by name: num_ranks, num_nodes, total_cores (ranks times omp_num_threads, unless the metadata say), or a number
 * of the metadata, as such or as text. NaN: it has none. Local. */
double sp_run_field(const struct sp_run *run, const char *name);

/* Deviation, first and last duration of statistics of the run's; NaN without calls, and where its file holds sums only. Local. */
double sp_run_std_ns(const struct sp_run *run, const struct sp_stats *stats);
double sp_run_first_ns(const struct sp_run *run, const struct sp_stats *stats);
double sp_run_last_ns(const struct sp_run *run, const struct sp_stats *stats);

/* Name of the host a rank ran on; NULL unknown. Local. */
const char *sp_run_host(const struct sp_run *run, int32_t rank);

/* Calls of the region lie before or after the run's time T and count in no share of it: MPI_Init and MPI_Finalize. Local. */
bool sp_run_is_outside(const struct sp_run *run, int32_t region);

/* Calls of the region last as long as recorded. Not those of MPI_Finalize: in it the record is closed, so that of it there is
 * only the beginning. Local. */
bool sp_run_is_timed(const struct sp_run *run, int32_t region);

/* Whether the MPI functions that are in the record are all that were called, as far as it tells. Local. */
bool sp_run_recorded_mpi(const struct sp_run *run);

/* By call path, whether it is an MPI function inside the run that no other MPI function called; *in_mpi is to be freed. Local. */
int sp_run_mpi_paths(const struct sp_run *run, bool **in_mpi, struct sp_error *err);

/* T: from the first rank's beginning to the last one's end. A rank begins when MPI_Init ended, or with its record where that is not
 * known; it ends when MPI_Finalize began, or with its record. -1 without ranks. Pure. */
int64_t sp_run_time_of(const struct sp_rank *ranks, int32_t count, bool *init_known, bool *finalize_known);

/* Several runs. */
struct sp_runs {
    struct sp_run **items;
    size_t count;
    bool filtered;  /* the options select regions or ranks */
    char note[400]; /* what the user should know of the files, one line; may be empty */
};

/* Loads what the options name (operands from `first` on) and makes the labels unique. Collective. */
int sp_runs_load(const struct sp_crew *crew, const struct sp_options *options, size_t first, bool want_paths, struct sp_runs *runs,
    struct sp_error *err);
void sp_runs_close(struct sp_runs *runs);

/* Orders runs by a field (see sp_run_field), equal ones as they were. Local. */
void sp_runs_sort(struct sp_runs *runs, const char *field);

/* Whether any run recorded a call of a selected region. Process 0. */
bool sp_runs_have_calls(const struct sp_runs *runs);

/* Why there is none: one sentence. Local. */
const char *sp_runs_why_empty(const struct sp_runs *runs);

#endif
