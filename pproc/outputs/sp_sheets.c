/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_overhead.h"
#include "sp_results.h"

#include "sp_cost.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *state_name(enum sp_file_state state)
{
    return state == SP_FILE_COMPLETE ? "complete" : state == SP_FILE_INCOMPLETE ? "incomplete" : "recovered";
}

static const char *trace_name(enum sp_file_trace trace)
{
    return trace == SP_TRACE_COMPLETE ? "complete" : trace == SP_TRACE_TRUNCATED ? "truncated" : "off";
}

/* What the run's time reaches from and to. */
static const char *time_name(const struct sp_run *run)
{
    if (run->init_known)
        return run->finalize_known ? "mpi_init to mpi_finalize" : "mpi_init to end of record";
    return run->finalize_known ? "start of record to mpi_finalize" : "record";
}

static void fill_run(const void *data, size_t row, struct sp_cell *cells)
{
    const struct sp_profiles *profiles = data;
    const struct sp_run *run = profiles->items[row].run;
    struct sp_overhead overhead = sp_overhead_of(&profiles->items[row]);
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(run->label);
    *cell++ = sp_cell_text(run->path);
    *cell++ = sp_cell_integer(run->info->rank_count);
    *cell++ = sp_cell_integer(run->rank_count);
    *cell++ = sp_cell_integer(run->info->host_count);
    *cell++ = sp_cell_seconds(run->time_ns < 0 ? NAN : (double)run->time_ns);
    *cell++ = sp_cell_text(time_name(run));
    *cell++ = sp_cell_seconds((double)run->total_ns);
    *cell++ = sp_cell_text(state_name(run->info->state));
    *cell++ = sp_cell_text(trace_name(run->info->trace));
    *cell++ = sp_cell_integer((int64_t)run->events_dropped);
    *cell++ = sp_cell_integer((int64_t)overhead.calls);
    *cell++ = sp_cell_seconds(overhead.cost_ns);
    *cell++ = sp_cell_real(overhead.percent);
    *cell++ = sp_cell_real(sp_cost_cores(run));
    *cell++ = sp_cell_real(sp_cost_core_hours(sp_cost_cores(run), run->time_ns < 0 ? NAN : (double)run->time_ns));
}

struct sp_sheet sp_sheet_runs(const struct sp_profiles *profiles)
{
    static const char *const columns[] = {"file", "file_path", "num_ranks", "ranks_selected", "num_nodes", "run_seconds", "run_time_from",
        "total_seconds", "state", "trace", "events_dropped", "recorded_calls", "region_cost_seconds", "overhead_percent", "cores",
        "core_hours"};
    return (struct sp_sheet){"runs", columns, COUNT(columns), profiles->count, profiles, fill_run};
}

static size_t regions_of(const struct sp_profile *profile)
{
    return profile->region_count;
}

static size_t entries_of(const struct sp_profile *profile)
{
    return profile->run->entry_count;
}

static size_t mpi_rows_of(const struct sp_profile *profile)
{
    size_t count = 0;
    for (size_t i = 0; i < profile->region_count; i++)
        count += sp_profile_region(profile, i)->kind == SP_REGION_MPI;
    return count;
}

static size_t rows_of_all(const struct sp_profiles *profiles, size_t (*rows_of)(const struct sp_profile *profile))
{
    size_t sum = 0;
    for (size_t i = 0; i < profiles->count; i++)
        sum += rows_of(&profiles->items[i]);
    return sum;
}

/* The profile in which the row of a sheet over all profiles lies; *row becomes its number there. */
static const struct sp_profile *locate(const struct sp_profiles *profiles, size_t *row, size_t (*rows_of)(const struct sp_profile *profile))
{
    const struct sp_profile *profile = profiles->items;
    for (size_t count = rows_of(profile); *row >= count; count = rows_of(profile)) {
        *row -= count;
        profile++;
    }
    return profile;
}

/* avg min max std first last, six cells. */
static void fill_durations(const struct sp_run *run, const struct sp_stats *stats, struct sp_cell *cells)
{
    cells[0] = sp_cell_seconds(sp_stats_mean(stats));
    cells[1] = sp_cell_seconds((double)stats->min);
    cells[2] = sp_cell_seconds((double)stats->max);
    cells[3] = sp_cell_seconds(sp_run_std_ns(run, stats));
    cells[4] = sp_cell_seconds(sp_run_first_ns(run, stats));
    cells[5] = sp_cell_seconds(sp_run_last_ns(run, stats));
}

/* Cells without a value, where a region has no time. */
static void clear(struct sp_cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cells[i] = (struct sp_cell){.kind = SP_CELL_NONE};
}

static void fill_region(const void *data, size_t row, struct sp_cell *cells)
{
    const struct sp_results *results = data;
    const struct sp_profile *profile = locate(results->profiles, &row, regions_of);
    const struct sp_region_summary *summary = &profile->regions[row];
    const struct sp_region *region = sp_profile_region(profile, row);
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(profile->run->label);
    *cell++ = sp_cell_text(region->name);
    *cell++ = sp_cell_text(sp_region_kind_name(region->kind));
    *cell++ = sp_cell_integer(summary->rank_count);
    *cell++ = sp_cell_integer((int64_t)summary->stats.calls);
    *cell++ = sp_cell_seconds((double)summary->stats.total);
    *cell++ = sp_cell_seconds((double)summary->stats.self);
    *cell++ = sp_cell_real(sp_profile_self_percent(profile, row));
    fill_durations(profile->run, &summary->stats, cell);
    cell += 6;
    *cell++ = sp_cell_real(summary->imbalance);
    *cell++ = sp_cell_real(summary->imbalance_all);
    *cell++ = sp_cell_integer(summary->slowest_rank);
    *cell++ = sp_cell_text(sp_run_host(profile->run, summary->slowest_rank));
    *cell++ = sp_cell_seconds((double)summary->slowest_ns);
    *cell++ = sp_cell_real(summary->imbalance_self);
    *cell++ = sp_cell_integer(summary->busiest_rank);
    *cell++ = sp_cell_text(sp_run_host(profile->run, summary->busiest_rank));
    *cell++ = sp_cell_seconds((double)summary->busiest_ns);
    *cell++ = sp_cell_text(region->name_bytes);
    if (!sp_profile_is_timed(profile, row))
        clear(&cells[5], 18); /* total_seconds to busiest_self_seconds */
}

struct sp_sheet sp_sheet_regions(const struct sp_results *results)
{
    static const char *const columns[] = {"file", "region", "kind", "ranks", "calls", "total_seconds", "self_seconds", "self_percent",
        "avg_seconds", "min_seconds", "max_seconds", "std_seconds", "first_seconds", "last_seconds", "imbalance_percent",
        "imbalance_all_percent", "slowest_rank", "slowest_host", "slowest_total_seconds", "imbalance_self_percent", "busiest_rank",
        "busiest_host", "busiest_self_seconds", "name_bytes"};
    return (struct sp_sheet){"regions", columns, COUNT(columns), rows_of_all(results->profiles, regions_of), results, fill_region};
}

static void fill_rank(const void *data, size_t row, struct sp_cell *cells)
{
    const struct sp_results *results = data;
    const struct sp_profile *profile = locate(results->profiles, &row, entries_of);
    const struct sp_entry *entry = &profile->run->entries[row];
    const struct sp_region *region = &profile->run->regions[entry->region];
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(profile->run->label);
    *cell++ = sp_cell_text(region->name);
    *cell++ = sp_cell_text(sp_region_kind_name(region->kind));
    *cell++ = sp_cell_integer(entry->rank);
    *cell++ = sp_cell_text(sp_run_host(profile->run, entry->rank));
    *cell++ = sp_cell_integer((int64_t)entry->stats.calls);
    *cell++ = sp_cell_seconds((double)entry->stats.total);
    *cell++ = sp_cell_seconds((double)entry->stats.self);
    fill_durations(profile->run, &entry->stats, cell);
    cell += 6;
    *cell++ = sp_cell_seconds((double)entry->stats.first_start);
    *cell++ = sp_cell_seconds((double)entry->stats.last_end);
    *cell++ = sp_cell_integer(entry->stats.bytes_sent);
    *cell++ = sp_cell_integer(entry->stats.bytes_received);
    if (!sp_run_is_timed(profile->run, entry->region)) {
        clear(&cells[6], 8);  /* total_seconds to last_seconds */
        clear(&cells[15], 1); /* last_end_seconds */
    }
}

struct sp_sheet sp_sheet_ranks(const struct sp_results *results)
{
    static const char *const columns[] = {"file", "region", "kind", "rank", "host", "calls", "total_seconds", "self_seconds", "avg_seconds",
        "min_seconds", "max_seconds", "std_seconds", "first_seconds", "last_seconds", "first_start_seconds", "last_end_seconds",
        "bytes_sent", "bytes_received"};
    return (struct sp_sheet){"regions_per_rank", columns, COUNT(columns), rows_of_all(results->profiles, entries_of), results, fill_rank};
}

static void fill_mpi(const void *data, size_t row, struct sp_cell *cells)
{
    const struct sp_results *results = data;
    const struct sp_profile *profile = locate(results->profiles, &row, mpi_rows_of);
    size_t at = 0;
    while (sp_profile_region(profile, at)->kind != SP_REGION_MPI || row--)
        at++;
    const struct sp_region_summary *summary = &profile->regions[at];
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(profile->run->label);
    *cell++ = sp_cell_text(sp_profile_region(profile, at)->name);
    *cell++ = sp_cell_integer(summary->rank_count);
    *cell++ = sp_cell_integer((int64_t)summary->stats.calls);
    *cell++ = sp_cell_seconds((double)summary->stats.total);
    bool outside = sp_profile_is_outside(profile, at);
    *cell++ = sp_cell_real(outside ? NAN : sp_profile_percent_of_mpi(profile, (double)summary->stats.total));
    *cell++ = sp_cell_real(outside ? NAN : sp_percent((double)summary->stats.total, profile->rank_ns));
    fill_durations(profile->run, &summary->stats, cell);
    cell += 6;
    *cell++ = sp_cell_integer(summary->stats.bytes_sent);
    *cell++ = sp_cell_integer(summary->stats.bytes_received);
    if (!sp_profile_is_timed(profile, at))
        clear(&cells[4], 9); /* total_seconds to last_seconds */
}

struct sp_sheet sp_sheet_mpi(const struct sp_results *results)
{
    static const char *const columns[] = {"file", "function", "ranks", "calls", "total_seconds", "mpi_percent", "run_percent",
        "avg_seconds", "min_seconds", "max_seconds", "std_seconds", "first_seconds", "last_seconds", "bytes_sent", "bytes_received"};
    return (struct sp_sheet){"mpi", columns, COUNT(columns), rows_of_all(results->profiles, mpi_rows_of), results, fill_mpi};
}

static void fill_efficiency(const void *data, size_t row, struct sp_cell *cells)
{
    const struct sp_results *results = data;
    const struct sp_efficiency *efficiency = &results->efficiencies->items[row];
    const struct sp_efficiency_times *times = &efficiency->times;
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(results->profiles->items[row].run->label);
    *cell++ = sp_cell_integer(times->rank_count);
    *cell++ = sp_cell_text(results->efficiencies->additive ? "additive" : "multiplicative");
    *cell++ = sp_cell_real(efficiency->global);
    *cell++ = sp_cell_real(efficiency->computation_scaling);
    *cell++ = sp_cell_real(efficiency->parallel);
    *cell++ = sp_cell_real(efficiency->load_balance);
    *cell++ = sp_cell_real(efficiency->communication);
    *cell++ = sp_cell_real(efficiency->serialisation);
    *cell++ = sp_cell_real(efficiency->transfer);
    *cell++ = sp_cell_seconds(times->time_ns);
    *cell++ = sp_cell_seconds(times->ideal_ns);
    *cell++ = sp_cell_seconds(times->mean_ns);
    *cell++ = sp_cell_seconds(times->max_ns);
    *cell++ = sp_cell_integer(efficiency->unmeasured_lanes);
    *cell++ = sp_cell_text(efficiency->why_not[0] ? efficiency->why_not : NULL);
}

struct sp_sheet sp_sheet_efficiency(const struct sp_results *results)
{
    static const char *const columns[] = {"file", "ranks_selected", "pop", "global_efficiency", "computation_scaling",
        "parallel_efficiency", "load_balance", "communication_efficiency", "serialisation_efficiency", "transfer_efficiency", "run_seconds",
        "ideal_seconds", "useful_mean_seconds", "useful_max_seconds", "threads_not_measured", "note"};
    return (struct sp_sheet){"efficiency", columns, COUNT(columns), results->efficiencies->count, results, fill_efficiency};
}
