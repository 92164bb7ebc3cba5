/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_cost.h"

#include "sp_scaling.h"

#include <math.h>

double sp_cost_cores(const struct sp_run *run)
{
    double threads = sp_run_field(run, "omp_num_threads");
    return sp_run_field(run, "num_ranks") * (threads > 0 ? threads : 1);
}

double sp_cost_core_hours(double cores, double time_ns)
{
    return time_ns >= 0 ? cores * time_ns / 3.6e12 : NAN;
}

size_t sp_cost_last_paying(const struct sp_scaling_point *points, size_t count, double *gain)
{
    for (size_t i = 0; i + 1 < count; i++) {
        double doublings = log2(points[i + 1].x / points[i].x);
        *gain = pow(points[i].time_ns / points[i + 1].time_ns, 1 / doublings);
        if (*gain < SP_COST_PAYS)
            return i;
    }
    *gain = NAN;
    return SIZE_MAX;
}
