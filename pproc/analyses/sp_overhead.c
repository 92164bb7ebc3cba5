/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_overhead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sp_overhead sp_overhead_sum(const int64_t *costs_ps, const uint64_t *calls, size_t count, double rank_ns)
{
    struct sp_overhead overhead = {0};
    bool known = count > 0;
    for (size_t i = 0; i < count; i++) {
        known = known && costs_ps[i] > 0;
        overhead.calls += calls[i];
        overhead.total_ns += (double)costs_ps[i] / 1e3 * (double)calls[i];
        overhead.cost_ns += (double)costs_ps[i] / 1e3 / (double)count;
    }
    if (!known)
        overhead.cost_ns = overhead.total_ns = NAN;
    overhead.percent = sp_percent(overhead.total_ns, rank_ns);
    return overhead;
}

struct sp_overhead sp_overhead_of(const struct sp_profile *profile)
{
    const struct sp_run *run = profile->run;
    size_t count = run->use_count;
    int64_t *costs_ps = malloc((count + 1) * sizeof *costs_ps);
    uint64_t *calls = malloc((count + 1) * sizeof *calls);
    bool known = costs_ps && calls && !run->info->sums_only;
    for (size_t i = 0; known && i < count; i++) {
        costs_ps[i] = sp_file_ranks(run->file)[run->uses[i].rank].region_cost_ps;
        calls[i] = run->uses[i].calls;
    }
    struct sp_overhead overhead = sp_overhead_sum(costs_ps, calls, known ? count : 0, profile->rank_ns);
    free(costs_ps);
    free(calls);
    return overhead;
}

bool sp_overhead_is_short(const struct sp_overhead *overhead, const struct sp_stats *stats)
{
    return stats->calls && sp_stats_mean(stats) < SP_OVERHEAD_SHORT * overhead->cost_ns;
}

/* Adds a name and what separates it from those before, or nothing if there is no room. */
static bool append(char *names, size_t size, const char *name)
{
    size_t used = strlen(names), needed = (used ? 1 : 0) + strlen(name) + 1;
    for (const char *at = name; *at; at++)
        needed += *at == ',';
    if (used + needed > size)
        return false;
    if (used)
        names[used++] = ',';
    for (; *name; name++) {
        if (*name == ',')
            names[used++] = '\\';
        names[used++] = *name;
    }
    names[used] = '\0';
    return true;
}

size_t sp_overhead_name_short(
    const struct sp_profile *profile, const struct sp_overhead *overhead, size_t most, char *names, size_t size, double *saved_percent)
{
    size_t *rows, count, named = 0;
    uint64_t calls = 0;
    names[0] = '\0';
    *saved_percent = NAN;
    if (sp_profile_order(profile, SP_ORDER_CALLS, NULL, &rows, &count, NULL))
        return 0;
    for (size_t i = 0; i < count && named < most; i++) {
        const struct sp_stats *stats = &profile->regions[rows[i]].stats;
        if (sp_profile_is_outside(profile, rows[i]) || !sp_overhead_is_short(overhead, stats))
            continue;
        if (!append(names, size, sp_profile_region(profile, rows[i])->name))
            break;
        calls += stats->calls;
        named++;
    }
    *saved_percent = sp_percent((double)calls * overhead->cost_ns, profile->rank_ns);
    free(rows);
    return named;
}
