/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_findings.h"

#include <math.h>

size_t sp_finding_largest(const struct sp_profile *profile)
{
    size_t best = SP_NOTHING;
    for (size_t i = 0; i < profile->region_count; i++)
        if (!sp_profile_is_outside(profile, i) &&
            (best == SP_NOTHING || profile->regions[i].stats.self > profile->regions[best].stats.self))
            best = i;
    return best;
}

static double excess_ns(const struct sp_profile *profile, size_t row)
{
    const struct sp_region_summary *summary = &profile->regions[row];
    return (double)summary->busiest_ns - (double)summary->stats.self / profile->run->rank_count;
}

size_t sp_finding_uneven(const struct sp_profile *profile)
{
    size_t best = SP_NOTHING;
    double best_ns = (double)profile->run->time_ns / 100;
    for (size_t i = 0; profile->run->rank_count > 1 && i < profile->region_count; i++)
        if (sp_profile_region(profile, i)->kind == SP_REGION_USER && excess_ns(profile, i) > best_ns) {
            best = i;
            best_ns = excess_ns(profile, i);
        }
    return best;
}

size_t sp_finding_worst_scaling(const struct sp_scaling *scaling)
{
    size_t worst = SP_NOTHING, last = scaling->point_count - 1;
    double lowest = NAN;
    for (size_t i = 1; i < scaling->row_count; i++) {
        double efficiency = sp_scaling_view(&scaling->rows[i].points[last], scaling->kind).efficiency;
        if (scaling->rows[i].kind == SP_REGION_MPI || !(scaling->rows[i].percent >= 5) || isnan(efficiency))
            continue;
        if (worst != SP_NOTHING && !(efficiency < lowest))
            continue;
        worst = i;
        lowest = efficiency;
    }
    return worst;
}
