/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_KEYED_ROWS_H
#define SP_KEYED_ROWS_H

/* The tables by key of a run, out of what its lanes counted: /histograms, /traffic, /message_sizes. */

#include "sp_part.h"
#include "sp_team.h"

#define SP_HISTOGRAM_RANKS 1024 /* runs of more ranks have none of single ranks, unless asked for */

struct sp_keyed_rows {
    struct sp_histogram *histograms;
    struct sp_traffic_row *traffic;
    struct sp_message_size *sizes;
    size_t histogram_count, traffic_count, size_count;
};

/* Whose histograms are kept beside the sums, of what SP_HISTOGRAMS says ("auto", "rank"; NULL or empty: auto). */
enum sp_histogram_ranks { SP_HISTOGRAMS_AUTO, SP_HISTOGRAMS_RANK };
int sp_histogram_ranks_parse(const char *text, enum sp_histogram_ranks *wanted, struct sp_error *err);

/* Whether single ranks get histograms, too: where no events can answer for them, and there are few. Pure. */
int sp_histogram_ranks_choose(enum sp_histogram_ranks wanted, int trace_is_complete, int32_t rank_count);

/* The tables of all processes, on process 0; empty elsewhere. callpaths: the run's, which the part is numbered by. The same on any
 * number of processes. *rows is to be freed also after a failure. Collective. */
int sp_keyed_rows_unite(const struct sp_team *team, const struct sp_part *part, const struct sp_callpath *callpaths, int of_ranks,
    struct sp_keyed_rows *rows, struct sp_error *err);
void sp_keyed_rows_free(struct sp_keyed_rows *rows);

#endif
