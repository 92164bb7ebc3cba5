/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_plot.h"

#include <string.h>

static const struct sp_plot_kind table[] = {
    {"durations", "time of each region, by run", 0, sp_plot_durations_write},
    {"gantt", "when each region ran, by rank (needs a trace)", SP_PLOT_NEEDS_EVENTS, sp_plot_gantt_write},
    {"speedup", "speedup of each region over x (several runs)", SP_PLOT_NEEDS_SEVERAL, sp_plot_speedup_write},
};

#define TABLE_SIZE (sizeof table / sizeof table[0])

const struct sp_plot_kind *sp_plot_find(const char *name)
{
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

const struct sp_plot_kind *sp_plot_at(size_t which)
{
    return which < TABLE_SIZE ? &table[which] : NULL;
}
