/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_DETAILS_H
#define SP_DETAILS_H

/* What is known of runs beyond their regions: a run's MPI calls by place and by peer, its load balance. */

#include "sp_imbalance.h"
#include "sp_mpi_calls.h"
#include "sp_profile.h"
#include "sp_traffic.h"

struct sp_detail {
    struct sp_mpi_calls paths, sites;
    struct sp_traffic traffic;
    struct sp_imbalances imbalances;
    char **communicators; /* names in valid UTF-8, NULL: it has none */
};

struct sp_details {
    const struct sp_profiles *profiles; /* not owned */
    struct sp_detail *items;            /* one a profile; owned */
};

/* Of the runs that profiles (process 0) was made from, which were loaded with their paths. trace: also what takes reading it all: communicators,
 * imbalance by call.
 * *details is to be freed with sp_details_free. Collective. */
int sp_details_read(const struct sp_crew *crew, const struct sp_runs *runs, const struct sp_profiles *profiles, bool trace,
    struct sp_details *details, struct sp_error *err);
void sp_details_free(struct sp_details *details, const struct sp_runs *runs);

#endif
