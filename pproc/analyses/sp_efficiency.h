/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_EFFICIENCY_H
#define SP_EFFICIENCY_H

/* Where the time of a parallel run goes, as factors (POP): of U_r, what rank r spends outside MPI and outside the tool, over the run's
 * time T. Multiplicative (pop-coe.eu):
 *     PE = avg(U)/T = LB CommE    LB = avg(U)/max(U)    CommE = max(U)/T = SerE TE    SerE = max(U)/T_ideal    TE = T_ideal/T
 * additive (each factor is 1 less a part of T):
 *     PE = LB + CommE - 1         LB = 1 - (max(U) - avg(U))/T                        CommE = SerE + TE - 1
 *     SerE = 1 - (T_ideal - max(U))/T
 * CompS = sum(U_ref)/sum(U), weak scaling: avg(U_ref)/avg(U); GE = PE CompS. Pure. */

#include "sp_profile.h"
#include "sp_scaling.h"

struct sp_efficiency_times {
    int32_t rank_count;
    double time_ns;         /* T */
    double mean_ns, max_ns; /* of U */
    double ideal_ns;        /* T_ideal: the run's time on a network that takes none; NaN unknown */
};

struct sp_efficiency {
    struct sp_efficiency_times times;
    double parallel, load_balance, communication, serialisation, transfer; /* NaN undefined */
    double computation_scaling, global;                                    /* NaN without runs to compare */
    int32_t unmeasured_lanes;                                              /* threads beside the main ones, whose time is not looked at */
    char why_not[200]; /* why the factors, or only the last two of them, are undefined; else empty */
};

struct sp_efficiencies {
    struct sp_efficiency *items; /* one a profile */
    size_t count;
    bool additive, weak;
};

/* "multiplicative" or "additive"; returns -1 (usage) for others. */
int sp_efficiency_parse(const char *name, bool *additive, struct sp_error *err);

/* The factors within a run, from its times. */
void sp_efficiency_factors(struct sp_efficiency *efficiency, bool additive);

/* What the rank does outside MPI and outside the tool, from the end of its MPI_Init to the beginning of its MPI_Finalize: the rest of
 * the run it spends in these. */
double sp_efficiency_useful_ns(const struct sp_run *run, const struct sp_rank_use *use);

/* The times of a run, as its statistics tell them (T_ideal: NaN). Returns false with the reason in efficiency. */
bool sp_efficiency_measure(const struct sp_run *run, struct sp_efficiency *efficiency);

/* Of all runs; scalings: NULL where there is nothing to compare. ideals: T_ideal of each run and why there is none, or NULL.
 * *efficiencies is to be freed with sp_efficiencies_free. */
struct sp_ideal {
    double time_ns; /* NaN: there is none */
    char why_not[200];
};
int sp_efficiencies_analyse(const struct sp_profiles *profiles, const struct sp_scalings *scalings, const struct sp_ideal *ideals,
    bool additive, bool weak, struct sp_efficiencies *efficiencies, struct sp_error *err);
/* CompS and GE of the runs of a series, from their times and factors. */
int sp_efficiencies_compare(
    const struct sp_profiles *profiles, const struct sp_scaling *scaling, struct sp_efficiencies *all, struct sp_error *err);

void sp_efficiencies_free(struct sp_efficiencies *efficiencies);

#endif
