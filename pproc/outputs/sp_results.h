/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_RESULTS_H
#define SP_RESULTS_H

/* The tables of the default command, for machines: which columns they have. Each is written as NAME.csv and NAME.json. Local. */

#include "sp_efficiency.h"
#include "sp_models.h"
#include "sp_scaling.h"
#include "sp_sheet_details.h"
#include "sp_sheet.h"

struct sp_outdir;

struct sp_results {
    const struct sp_profiles *profiles;
    const struct sp_scalings *scalings; /* NULL: one run, nothing to compare */
    const struct sp_models *models;     /* of the scalings */
    const struct sp_efficiencies *efficiencies;
    const struct sp_details *details; /* NULL: not read */
    const char *of;                   /* which time the scaling compares: "mean", "max", "total" */
};

/* Runs: what was measured, where, and how much of it is there. */
struct sp_sheet sp_sheet_runs(const struct sp_profiles *profiles);
struct sp_sheet sp_sheet_regions(const struct sp_results *results);
struct sp_sheet sp_sheet_ranks(const struct sp_results *results);
struct sp_sheet sp_sheet_mpi(const struct sp_results *results);
struct sp_sheet sp_sheet_efficiency(const struct sp_results *results);
struct sp_sheet sp_sheet_scaling(const struct sp_results *results);
struct sp_sheet sp_sheet_models(const struct sp_results *results);

/* Writes all of them. */
int sp_results_write(const struct sp_results *results, struct sp_outdir *dir, struct sp_error *err);

#endif
