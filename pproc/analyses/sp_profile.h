/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PROFILE_H
#define SP_PROFILE_H

/* A run and what the analyses of its statistics found: what the outputs draw from. Pure. */

#include "sp_regions.h"

struct sp_profile {
    const struct sp_run *run;          /* not owned */
    struct sp_region_summary *regions; /* in order of their first start */
    size_t region_count;
    size_t *by_name; /* rows of regions, names ascending */
    double rank_ns;  /* P * T over the selected ranks: what shares of the run refer to; NaN unknown */
    int64_t mpi_ns;  /* total of the MPI functions inside the run's time */
    bool mpi_known;  /* none of them was filtered out, as far as the record tells */
};

struct sp_profiles {
    struct sp_profile *items;
    size_t count;
};

int sp_profiles_create(const struct sp_runs *runs, struct sp_profiles *profiles, struct sp_error *err);
void sp_profiles_free(struct sp_profiles *profiles);

/* Percent that part_ns is of whole_ns; NaN where that is not defined. */
double sp_percent(double part_ns, double whole_ns);

/* See sp_run_is_outside, sp_run_is_timed. */
bool sp_profile_is_outside(const struct sp_profile *profile, size_t row);
bool sp_profile_is_timed(const struct sp_profile *profile, size_t row);

/* Names of what lies outside, "MPI_Init and MPI_Finalize", for sentences; returns how many. */
size_t sp_profile_name_outside(const struct sp_profile *profile, char *names, size_t size);

/* Percent of the run that is spent in MPI functions; NaN where that is not defined or not known. */
double sp_profile_mpi_percent(const struct sp_profile *profile);

/* Percent that a time in MPI functions is of all such time; NaN likewise. */
double sp_profile_percent_of_mpi(const struct sp_profile *profile, double total_ns);

/* Percent of the run that the region takes by itself; NaN where that is not defined. */
double sp_profile_self_percent(const struct sp_profile *profile, size_t row);

/* The same of what it takes with all that it calls: of regions that nest, the shares overlap. */
double sp_profile_total_percent(const struct sp_profile *profile, size_t row);

/* Sum of the self times inside the run's time. */
int64_t sp_profile_self(const struct sp_profile *profile);

/* The region of a summary; a summary by the region's name (NULL: not called). */
const struct sp_region *sp_profile_region(const struct sp_profile *profile, size_t row);
const struct sp_region_summary *sp_profile_find(const struct sp_profile *profile, const char *name);

enum sp_region_order { SP_ORDER_FIRST, SP_ORDER_SELF, SP_ORDER_TOTAL, SP_ORDER_CALLS, SP_ORDER_IMBALANCE, SP_ORDER_NAME };

/* "self", "total", "calls", "imbalance", "name"; returns -1 (usage) for other names. */
int sp_region_order_parse(const char *name, enum sp_region_order *order, struct sp_error *err);

/* Row numbers of the regions that keep() takes (NULL: all), in that order, names ascending; *rows is to be freed. */
int sp_profile_order(const struct sp_profile *profile, enum sp_region_order order, bool (*keep)(const struct sp_region *region),
    size_t **rows, size_t *count, struct sp_error *err);

#endif
