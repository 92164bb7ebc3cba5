/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_REGION_STATISTICS_H
#define SP_REGION_STATISTICS_H

/* region_statistics.json in the layout of the Python scope-profiler: per run and region, pooled and per rank. Local. */

#include "sp_profile.h"

struct sp_outdir;
struct sp_options;

int sp_region_statistics_write(
    const struct sp_profiles *profiles, const struct sp_options *options, struct sp_outdir *dir, struct sp_error *err);

#endif
