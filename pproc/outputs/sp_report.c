/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_report.h"

#include "sp_error.h"
#include "sp_number.h"
#include "sp_overhead.h"
#include "sp_grid.h"
#include "sp_utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* "Regions of LABEL" */
static void make_title(char *title, size_t size, const char *what, const char *label)
{
    char *shown = sp_utf8_show(label, 60);
    snprintf(title, size, "%s of %s", what, shown ? shown : "?");
    free(shown);
}

static void warn(FILE *out, const char *label, const char *text)
{
    char *shown = sp_utf8_show(label, 60);
    fprintf(out, "%s: %s\n", shown ? shown : "?", text);
    free(shown);
}

void sp_report_warnings(const struct sp_profiles *profiles, FILE *out)
{
    for (size_t i = 0; i < profiles->count; i++) {
        const struct sp_run *run = profiles->items[i].run;
        char text[200];
        if (run->info->state != SP_FILE_COMPLETE)
            warn(out, run->label, "the run did not end in MPI_Finalize; the record holds what was there until then");
        char until[SP_NUMBER_SIZE];
        int used = snprintf(text, sizeof text, "the trace %s at SP_TRACE_LIMIT (%" PRIu64 " events dropped); ",
            run->info->event_count ? "was cut" : "was cut to nothing", run->events_dropped);
        if (!sp_window_is_part(&run->window))
            snprintf(text + used, sizeof text - (size_t)used, "statistics cover the whole run");
        else if (run->reach_ns == INT64_MAX)
            snprintf(text + used, sizeof text - (size_t)used, "it reaches beyond this window");
        else
            snprintf(text + used, sizeof text - (size_t)used, "here everything ends with it, on the first rank at %s",
                sp_number_duration(until, (double)(run->reach_ns - run->origin_ns)));
        if (run->info->trace == SP_TRACE_TRUNCATED)
            warn(out, run->label, text);
    }
}

/* An empty cell is one thing, an empty name another. */
static void add_name(struct sp_grid *table, const char *name)
{
    sp_grid_add(table, name[0] ? name : "(no name)");
}

static void add_integer(struct sp_grid *table, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    sp_grid_add(table, text);
}

static void add_duration(struct sp_grid *table, double ns)
{
    char text[SP_NUMBER_SIZE];
    sp_grid_add(table, sp_number_duration(text, ns));
}

static void add_bytes(struct sp_grid *table, int64_t bytes)
{
    char text[SP_NUMBER_SIZE];
    sp_grid_add(table, bytes ? sp_number_bytes(text, (double)bytes) : "-");
}

static void add_percent(struct sp_grid *table, double percent)
{
    char text[32] = "-";
    if (isfinite(percent))
        snprintf(text, sizeof text, "%.1f %%", percent);
    sp_grid_add(table, text);
}

/* Writes and frees the table. */
static int finish(struct sp_grid *table, bool boxes, FILE *out, struct sp_error *err)
{
    bool sound = table && sp_grid_is_sound(table);
    if (sound)
        sp_grid_write(table, out, boxes);
    sp_grid_destroy(table);
    return sound ? 0 : sp_fail(err, "out of memory");
}

static int report_runs(const struct sp_profiles *profiles, bool boxes, FILE *out, struct sp_error *err)
{
    static const char *const headers[] = {"<run", "ranks", "hosts", "<host", "lanes", "time", "in regions", "in MPI"};
    struct sp_grid *table = sp_grid_create("Runs", headers, COUNT(headers));
    for (size_t i = 0; table && i < profiles->count; i++) {
        const struct sp_profile *profile = &profiles->items[i];
        const struct sp_run *run = profile->run;
        add_name(table, run->label);
        add_integer(table, run->info->rank_count);
        add_integer(table, run->info->host_count);
        sp_grid_add(table, run->info->host_count ? run->hosts[0] : "-");
        add_integer(table, run->info->lane_count);
        add_duration(table, run->time_ns < 0 ? NAN : (double)run->time_ns);
        add_percent(table, sp_percent((double)sp_profile_self(profile), profile->rank_ns));
        add_percent(table, sp_profile_mpi_percent(profile));
    }
    return finish(table, boxes, out, err);
}

static void add_region(struct sp_grid *table, const struct sp_profile *profile, size_t row)
{
    const struct sp_region_summary *summary = &profile->regions[row];
    bool timed = sp_profile_is_timed(profile, row), several = timed && profile->run->rank_count > 1;
    char busiest[SP_NUMBER_SIZE] = "-";
    if (several && isfinite(summary->imbalance_self))
        snprintf(busiest, sizeof busiest, "rank %d", (int)summary->busiest_rank);
    add_name(table, sp_profile_region(profile, row)->name);
    add_integer(table, summary->rank_count);
    add_integer(table, (int64_t)summary->stats.calls);
    add_duration(table, timed ? (double)summary->stats.total : NAN);
    add_duration(table, timed ? (double)summary->stats.self : NAN);
    add_percent(table, sp_profile_self_percent(profile, row));
    add_duration(table, timed ? sp_stats_mean(&summary->stats) : NAN);
    add_percent(table, several ? summary->imbalance : NAN);
    add_percent(table, several ? summary->imbalance_all : NAN);
    add_percent(table, several ? summary->imbalance_self : NAN);
    sp_grid_add(table, busiest);
}

/* The sum over the regions inside the run's time as the last row, those left out of the table included. */
static void add_region_total(struct sp_grid *table, const struct sp_profile *profile)
{
    int64_t calls = 0;
    for (size_t i = 0; i < profile->region_count; i++)
        calls += sp_profile_is_outside(profile, i) ? 0 : (int64_t)profile->regions[i].stats.calls;
    sp_grid_add_rule(table);
    sp_grid_add(table, "TOTAL");
    sp_grid_add(table, "");
    add_integer(table, calls);
    sp_grid_add(table, "");
    add_duration(table, (double)sp_profile_self(profile));
    add_percent(table, sp_percent((double)sp_profile_self(profile), profile->rank_ns));
    for (int i = 0; i < 5; i++)
        sp_grid_add(table, "");
}

static void note_rest(FILE *out, size_t shown, size_t count, const char *what, const char *file)
{
    if (shown < count)
        fprintf(out, "%zu more %s not shown: --top-n %zu shows all, %s holds all.\n", count - shown, what, count, file);
}

static void note_outside(const struct sp_profile *profile, FILE *out)
{
    char names[100];
    size_t count = sp_profile_name_outside(profile, names, sizeof names);
    if (count)
        fprintf(out, "TOTAL and shares leave out %s: %s outside the run's time.\n", names, count == 1 ? "it lies" : "they lie");
}

/* What the columns mean, as far as they say something. */
static void note_columns(const struct sp_profile *profile, FILE *out)
{
    bool threads = profile->run->info->lane_count > profile->run->info->rank_count;
    fprintf(out, "self: own time, which adds up; totals overlap where regions nest. of run: self, of ranks x time%s.\n",
        threads ? " (with threads it may exceed 100 %)" : "");
    if (profile->run->rank_count > 1)
        fprintf(out,
            "imbalance: slowest rank's total above the mean of the ranks that entered; all ranks: above that of all;\n"
            "self imbalance: the same of self, the rank being that with most own time.\n");
}

static int report_regions(const struct sp_profile *profile, const struct sp_report_options *options, FILE *out, struct sp_error *err)
{
    static const char *const headers[] = {
        "<region", "ranks", "calls", "total", "self", "of run", "avg", "imbalance", "all ranks", "self imbalance", "most own time"};
    char title[300];
    size_t *rows, count;
    if (sp_profile_order(profile, options->order, NULL, &rows, &count, err))
        return -1;
    make_title(title, sizeof title, "Regions", profile->run->label);
    struct sp_grid *table = sp_grid_create(title, headers, COUNT(headers));
    size_t shown = count < options->top_n ? count : options->top_n;
    for (size_t i = 0; table && i < shown; i++)
        add_region(table, profile, rows[i]);
    if (table)
        add_region_total(table, profile);
    free(rows);
    if (finish(table, options->boxes, out, err))
        return -1;
    note_rest(out, shown, count, "region(s)", "regions.csv");
    note_columns(profile, out);
    note_outside(profile, out);
    return 0;
}

/* What recording cost; where that is much, what to leave out. */
static void note_overhead(const struct sp_profile *profile, FILE *out)
{
    struct sp_overhead overhead = sp_overhead_of(profile);
    char names[300], calls[SP_NUMBER_SIZE], cost[SP_NUMBER_SIZE];
    double saved;
    if (isnan(overhead.percent))
        return;
    bool much = overhead.percent > SP_OVERHEAD_PERCENT;
    fprintf(out, "%secording took about %.2f %% of the run (%s calls of %s).\n", much ? "warning: r" : "R", overhead.percent,
        sp_number_count(calls, (double)overhead.calls), sp_number_duration(cost, overhead.cost_ns));
    if (!much || !sp_overhead_name_short(profile, &overhead, 8, names, sizeof names, &saved))
        return;
    char *shown = sp_utf8_show(names, 0);
    fprintf(out, "Short against that, on average: leaving them out, SP_EXCLUDE='%s', would save %.1f %%.\n", shown ? shown : "?", saved);
    free(shown);
}

void sp_report_findings(const struct sp_run *run, const struct sp_detail *detail, size_t most, FILE *out)
{
    char text[400];
    size_t said = 0;
    for (size_t i = 0; i < detail->imbalances.count && said < most; i++) {
        if (!sp_imbalance_matters(run, &detail->imbalances.items[i]))
            continue;
        sp_imbalance_sentence(run, &detail->imbalances.items[i], text, sizeof text);
        fprintf(out, "%s\n", text);
        said++;
    }
}

static bool any_untimed(const struct sp_profile *profile)
{
    for (size_t i = 0; i < profile->region_count; i++)
        if (!sp_profile_is_timed(profile, i))
            return true;
    return false;
}

static bool is_mpi(const struct sp_region *region)
{
    return region->kind == SP_REGION_MPI;
}

/* inside: of the run's time. */
static void add_mpi(
    struct sp_grid *table, const char *name, const struct sp_stats *stats, const struct sp_profile *profile, bool inside, bool timed)
{
    double total = inside ? (double)stats->total : NAN;
    add_name(table, name);
    add_integer(table, (int64_t)stats->calls);
    add_duration(table, timed ? (double)stats->total : NAN);
    add_percent(table, sp_profile_percent_of_mpi(profile, total));
    add_percent(table, sp_percent(total, profile->rank_ns));
    add_bytes(table, stats->bytes_sent);
    add_bytes(table, stats->bytes_received);
    add_duration(table, timed ? sp_stats_mean(stats) : NAN);
}

static int report_mpi(const struct sp_profile *profile, const struct sp_report_options *options, FILE *out, struct sp_error *err)
{
    static const char *const headers[] = {"<function", "calls", "total", "of MPI", "of run", "sent", "received", "avg"};
    char title[300];
    size_t *rows, count;
    if (sp_profile_order(profile, SP_ORDER_TOTAL, is_mpi, &rows, &count, err))
        return -1;
    if (!count) {
        free(rows);
        return 0;
    }
    make_title(title, sizeof title, "MPI functions", profile->run->label);
    struct sp_grid *table = sp_grid_create(title, headers, COUNT(headers));
    struct sp_stats sum = {0};
    size_t shown = count < options->top_n ? count : options->top_n;
    for (size_t i = 0; i < count; i++)
        if (!sp_profile_is_outside(profile, rows[i]))
            sp_stats_merge(&sum, &profile->regions[rows[i]].stats);
    for (size_t i = 0; table && i < shown; i++)
        add_mpi(table, sp_profile_region(profile, rows[i])->name, &profile->regions[rows[i]].stats, profile,
            !sp_profile_is_outside(profile, rows[i]), sp_profile_is_timed(profile, rows[i]));
    if (table) {
        sp_grid_add_rule(table);
        add_mpi(table, "TOTAL", &sum, profile, true, true);
    }
    free(rows);
    fputc('\n', out);
    if (finish(table, options->boxes, out, err))
        return -1;
    note_rest(out, shown, count, "function(s)", "mpi.csv");
    note_outside(profile, out);
    if (any_untimed(profile))
        fprintf(out, "MPI_Finalize closes the record: how long it takes is not in it.\n");
    return 0;
}

static void add_efficiency(struct sp_grid *table, const struct sp_run *run, const struct sp_efficiency *efficiency)
{
    add_name(table, run->label);
    add_integer(table, efficiency->times.rank_count);
    add_percent(table, 100 * efficiency->global);
    add_percent(table, 100 * efficiency->computation_scaling);
    add_percent(table, 100 * efficiency->parallel);
    add_percent(table, 100 * efficiency->load_balance);
    add_percent(table, 100 * efficiency->communication);
    add_percent(table, 100 * efficiency->serialisation);
    add_percent(table, 100 * efficiency->transfer);
}

/* Why factors are missing and what they do not cover, a line each. */
static void note_efficiency(const struct sp_results *results, FILE *out)
{
    char text[300];
    for (size_t i = 0; i < results->efficiencies->count; i++) {
        const struct sp_efficiency *efficiency = &results->efficiencies->items[i];
        const char *label = results->profiles->items[i].run->label;
        const char *what = isnan(efficiency->parallel) ? "no factors" : "no serialisation and transfer";
        snprintf(text, sizeof text, "%s: %s", what, efficiency->why_not);
        if (efficiency->why_not[0])
            warn(out, label, text);
        snprintf(text, sizeof text, "MPI-level: threads not measured (%d)", (int)efficiency->unmeasured_lanes);
        if (efficiency->unmeasured_lanes > 0 && !isnan(efficiency->parallel))
            warn(out, label, text);
    }
}

static bool any_factor(const struct sp_efficiencies *efficiencies)
{
    for (size_t i = 0; i < efficiencies->count; i++)
        if (!isnan(efficiencies->items[i].parallel))
            return true;
    return false;
}

static int report_efficiency(const struct sp_results *results, const struct sp_report_options *options, FILE *out, struct sp_error *err)
{
    static const char *const headers[] = {
        "<run", "ranks", "global", "computation", "parallel", "load balance", "communication", "serialisation", "transfer"};
    if (!any_factor(results->efficiencies))
        return 0;
    struct sp_grid *table = sp_grid_create(
        results->efficiencies->additive ? "Efficiency (POP, additive)" : "Efficiency (POP, multiplicative)", headers, COUNT(headers));
    for (size_t i = 0; table && i < results->profiles->count; i++)
        add_efficiency(table, results->profiles->items[i].run, &results->efficiencies->items[i]);
    fputc('\n', out);
    if (finish(table, options->boxes, out, err))
        return -1;
    if (results->efficiencies->additive)
        fprintf(out, "parallel = load balance + communication - 1; communication = serialisation + transfer - 1");
    else
        fprintf(out, "parallel = load balance x communication; communication = serialisation x transfer");
    fprintf(out, "; global = parallel x computation.\n");
    note_efficiency(results, out);
    return 0;
}

int sp_report_write(const struct sp_results *results, const struct sp_report_options *options, FILE *out, struct sp_error *err)
{
    sp_report_warnings(results->profiles, out);
    if (report_runs(results->profiles, options->boxes, out, err))
        return -1;
    for (size_t i = 0; i < results->profiles->count; i++) {
        fputc('\n', out);
        if (report_regions(&results->profiles->items[i], options, out, err))
            return -1;
        note_overhead(&results->profiles->items[i], out);
        if (results->details)
            sp_report_findings(results->profiles->items[i].run, &results->details->items[i], 3, out);
        if (report_mpi(&results->profiles->items[i], options, out, err))
            return -1;
    }
    if (report_efficiency(results, options, out, err))
        return -1;
    return results->scalings ? sp_report_scaling(results, options, out, err) : 0;
}
