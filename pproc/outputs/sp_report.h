/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_REPORT_H
#define SP_REPORT_H

/* The tables of the default command, for people. Local. */

#include "sp_results.h"

struct sp_report_options {
    enum sp_region_order order;
    size_t top_n;
    bool boxes;
};

/* What must stand in front of every number: records that end early, runs that did not. Nothing when all is complete. */
void sp_report_warnings(const struct sp_profiles *profiles, FILE *out);

/* A sentence for each of the regions, at most `most`, that the ranks share most unevenly, as far as it matters. */
void sp_report_findings(const struct sp_run *run, const struct sp_detail *detail, size_t most, FILE *out);

/* All tables. */
int sp_report_write(const struct sp_results *results, const struct sp_report_options *options, FILE *out, struct sp_error *err);

/* The part of it that compares runs. */
int sp_report_scaling(const struct sp_results *results, const struct sp_report_options *options, FILE *out, struct sp_error *err);

#endif
