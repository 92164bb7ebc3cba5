/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_FINDINGS_H
#define SP_FINDINGS_H

/* What a picture's title says. Pure. */

#include "sp_scaling.h"

#include <stddef.h>

#define SP_NOTHING SIZE_MAX

/* Row of the region with the largest self time; SP_NOTHING without regions. */
size_t sp_finding_largest(const struct sp_profile *profile);

/* Row of the user region whose busiest rank is, by self time, furthest above the mean of all ranks, if that is at least a hundredth
 * of the run; else SP_NOTHING. */
size_t sp_finding_uneven(const struct sp_profile *profile);

/* Row (of scaling) with the lowest efficiency at the largest x among the regions, not MPI functions, that take at least a
 * twentieth of a run; SP_NOTHING if there is none. */
size_t sp_finding_worst_scaling(const struct sp_scaling *scaling);

#endif
