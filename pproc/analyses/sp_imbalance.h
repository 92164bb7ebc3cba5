/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_IMBALANCE_H
#define SP_IMBALANCE_H

/* How evenly the ranks share a region's own time: what it spends outside its children, so that waiting in MPI does not hide who works
 * more. Over all selected ranks, those that did not enter it with 0. */

#include "sp_profile.h"

struct sp_imbalance {
    int32_t region;
    double mean_ns;
    double min_ns, p25_ns, median_ns, p75_ns, max_ns; /* over the ranks; quartiles interpolate linearly */
    double load_balance;                              /* mean / max */
    double excess_ns;                                 /* max - mean: what perfect balance can save at most */
    double shorter_percent;                           /* that of the run's time; NaN where ranks have threads */
    double percent;         /* 100 (max - mean) / max * P / (P - 1), 100: one rank does everything; NaN for one rank */
    double within, between; /* nodes: max of the nodes' means / max, mean / max of the nodes' means; their product is load_balance */
    double phase_percent;   /* 100 sum_s(max_s - mean_s) / sum_s(mean_s) over the calls s, total durations; NaN: see sp_phases_read */
    int32_t slowest_rank;   /* the first rank that has max */
};

struct sp_imbalances {
    struct sp_imbalance *items; /* largest excess first, then in order of the regions */
    size_t count;
};

/* From a rank's own time each (ns; nodes: of the ranks, any numbers, or NULL); time_ns: of the run, negative where unknown. values are
 * put in order. Without memory what is about nodes is NaN. Pure. */
struct sp_imbalance sp_imbalance_of(double *values, const int32_t *nodes, int32_t count, double time_ns);

/* Regions inside the run's time that can be timed, of runs with several ranks. *all is to be freed with sp_imbalances_free. Process 0. */
int sp_imbalances_analyse(const struct sp_profile *profile, struct sp_imbalances *all, struct sp_error *err);
void sp_imbalances_free(struct sp_imbalances *all);

/* One call of a region on all ranks. */
struct sp_phase {
    int64_t max_ns, sum_ns;
};

/* 100 sum(max - mean) / sum(mean); NaN where that is not defined. Pure. */
double sp_phase_percent(const struct sp_phase *phases, size_t count, int32_t rank_count);

/* Fills phase_percent from the trace: of regions of the program's that all ranks call equally often, as the steps of a solver, up to
 * 65 536 times, where the trace is complete, all of it is looked at and no rank has threads. all: process 0's. Collective. */
int sp_phases_read(const struct sp_crew *crew, const struct sp_run *run, struct sp_imbalances *all, struct sp_error *err);

/* "`solve`: rank 37 (node n04) is 2.3 s above the average; perfect balance would shorten the run by at most 11 %." Pure. */
void sp_imbalance_sentence(const struct sp_run *run, const struct sp_imbalance *imbalance, char *text, size_t size);

/* Whether it is worth a sentence: a region of the program's that would save a hundredth of the run. Pure. */
bool sp_imbalance_matters(const struct sp_run *run, const struct sp_imbalance *imbalance);

#endif
