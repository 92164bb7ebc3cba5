/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_sheet_details.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A row of a sheet over all runs: of which run, and which one there. */
struct place {
    const struct sp_profile *profile;
    const struct sp_detail *detail;
    size_t row;
};

static struct place locate(const struct sp_details *details, size_t row, size_t (*rows_of)(const struct sp_detail *detail))
{
    size_t run = 0;
    for (size_t count = rows_of(&details->items[0]); row >= count; count = rows_of(&details->items[run])) {
        row -= count;
        run++;
    }
    return (struct place){&details->profiles->items[run], &details->items[run], row};
}

static size_t rows_of_all(const struct sp_details *details, size_t (*rows_of)(const struct sp_detail *detail))
{
    size_t sum = 0;
    for (size_t i = 0; i < details->profiles->count; i++)
        sum += rows_of(&details->items[i]);
    return sum;
}

static void fill_call(const struct sp_profile *profile, const struct sp_mpi_call *call, struct sp_cell *cell)
{
    const struct sp_run *run = profile->run;
    bool outside = sp_run_is_outside(run, call->region), timed = sp_run_is_timed(run, call->region);
    double total = timed ? (double)call->stats.total : NAN;
    *cell++ = sp_cell_text(run->label);
    *cell++ = sp_cell_text(call->name);
    *cell++ = sp_cell_text(run->regions[call->region].name);
    *cell++ = sp_cell_integer(call->rank_count);
    *cell++ = sp_cell_integer((int64_t)call->stats.calls);
    *cell++ = sp_cell_seconds(total);
    *cell++ = sp_cell_real(outside ? NAN : sp_profile_percent_of_mpi(profile, total));
    *cell++ = sp_cell_seconds(timed ? sp_stats_mean(&call->stats) : NAN);
    *cell++ = sp_cell_seconds(timed ? (double)call->stats.min : NAN);
    *cell++ = sp_cell_seconds(timed ? (double)call->stats.max : NAN);
    *cell++ = sp_cell_integer(call->stats.bytes_sent);
    *cell++ = sp_cell_integer(call->stats.bytes_received);
}

static size_t paths_of(const struct sp_detail *detail)
{
    return detail->paths.count;
}

static void fill_path(const void *data, size_t row, struct sp_cell *cells)
{
    struct place at = locate(data, row, paths_of);
    fill_call(at.profile, &at.detail->paths.items[at.row], cells);
}

struct sp_sheet sp_sheet_mpi_paths(const struct sp_details *details)
{
    static const char *const columns[] = {"file", "call_path", "function", "ranks", "calls", "total_seconds", "mpi_percent", "avg_seconds",
        "min_seconds", "max_seconds", "bytes_sent", "bytes_received"};
    return (struct sp_sheet){"mpi_call_paths", columns, COUNT(columns), rows_of_all(details, paths_of), details, fill_path};
}

static size_t sites_of(const struct sp_detail *detail)
{
    return detail->sites.count;
}

static void fill_site(const void *data, size_t row, struct sp_cell *cells)
{
    struct place at = locate(data, row, sites_of);
    fill_call(at.profile, &at.detail->sites.items[at.row], cells);
}

struct sp_sheet sp_sheet_call_sites(const struct sp_details *details)
{
    static const char *const columns[] = {"file", "call_site", "function", "ranks", "calls", "total_seconds", "mpi_percent", "avg_seconds",
        "min_seconds", "max_seconds", "bytes_sent", "bytes_received"};
    return (struct sp_sheet){"call_sites", columns, COUNT(columns), rows_of_all(details, sites_of), details, fill_site};
}

static size_t usages_of(const struct sp_detail *detail)
{
    return detail->traffic.usage_count;
}

static void fill_usage(const void *data, size_t row, struct sp_cell *cells)
{
    struct place at = locate(data, row, usages_of);
    const struct sp_usage *usage = &at.detail->traffic.usages[at.row];
    const struct sp_run *run = at.profile->run;
    bool known = usage->communicator < run->info->communicator_count;
    const struct sp_communicator *communicator = known ? &sp_file_communicators(run->file)[usage->communicator] : NULL;
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(run->label);
    *cell++ = sp_cell_integer(usage->communicator);
    *cell++ = sp_cell_text(known ? at.detail->communicators[usage->communicator] : NULL);
    *cell++ = known ? sp_cell_integer(communicator->size) : sp_cell_text(NULL);
    *cell++ = sp_cell_text(run->regions[usage->region].name);
    *cell++ = sp_cell_integer((int64_t)usage->calls);
    *cell++ = sp_cell_seconds((double)usage->time_ns);
    *cell++ = sp_cell_integer(usage->bytes_sent);
    *cell++ = sp_cell_integer(usage->bytes_received);
}

struct sp_sheet sp_sheet_communicators(const struct sp_details *details)
{
    static const char *const columns[] = {
        "file", "communicator", "name", "size", "function", "calls", "total_seconds", "bytes_sent", "bytes_received"};
    return (struct sp_sheet){"communicators", columns, COUNT(columns), rows_of_all(details, usages_of), details, fill_usage};
}

static size_t peers_of(const struct sp_detail *detail)
{
    return detail->traffic.peer_count;
}

static void fill_peer(const void *data, size_t row, struct sp_cell *cells)
{
    struct place at = locate(data, row, peers_of);
    const struct sp_peer *peer = &at.detail->traffic.peers[at.row];
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(at.profile->run->label);
    *cell++ = sp_cell_integer(peer->source);
    *cell++ = sp_cell_integer(peer->destination);
    *cell++ = sp_cell_integer((int64_t)peer->messages);
    *cell++ = sp_cell_integer(peer->bytes);
    *cell++ = sp_cell_seconds((double)peer->time_ns);
    *cell++ = sp_cell_integer((int64_t)peer->received);
    *cell++ = sp_cell_integer(peer->bytes_received);
    *cell++ = sp_cell_seconds((double)peer->receive_ns);
}

struct sp_sheet sp_sheet_comm_matrix(const struct sp_details *details)
{
    static const char *const columns[] = {
        "file", "source", "destination", "messages", "bytes", "total_seconds", "messages_received", "bytes_received", "receive_seconds"};
    return (struct sp_sheet){"comm_matrix", columns, COUNT(columns), rows_of_all(details, peers_of), details, fill_peer};
}

static size_t sizes_of(const struct sp_detail *detail)
{
    return detail->traffic.size_count;
}

static void fill_size(const void *data, size_t row, struct sp_cell *cells)
{
    struct place at = locate(data, row, sizes_of);
    const struct sp_size *size = &at.detail->traffic.sizes[at.row];
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(at.profile->run->label);
    *cell++ = sp_cell_text(at.profile->run->regions[size->region].name);
    *cell++ = sp_cell_text(size->direction > 0 ? "sent" : "received");
    *cell++ = sp_cell_integer(sp_size_first(size->bin));
    *cell++ = sp_cell_integer(sp_size_last(size->bin));
    *cell++ = sp_cell_integer((int64_t)size->messages);
    *cell++ = sp_cell_integer(size->bytes);
    *cell++ = sp_cell_seconds((double)size->time_ns);
}

struct sp_sheet sp_sheet_message_sizes(const struct sp_details *details)
{
    static const char *const columns[] = {"file", "function", "direction", "from_bytes", "to_bytes", "messages", "bytes", "total_seconds"};
    return (struct sp_sheet){"message_sizes", columns, COUNT(columns), rows_of_all(details, sizes_of), details, fill_size};
}

static size_t imbalances_of(const struct sp_detail *detail)
{
    return detail->imbalances.count;
}

static void fill_imbalance(const void *data, size_t row, struct sp_cell *cells)
{
    struct place at = locate(data, row, imbalances_of);
    const struct sp_imbalance *item = &at.detail->imbalances.items[at.row];
    const struct sp_run *run = at.profile->run;
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(run->label);
    *cell++ = sp_cell_text(run->regions[item->region].name);
    *cell++ = sp_cell_text(sp_region_kind_name(run->regions[item->region].kind));
    *cell++ = sp_cell_real(100 * item->load_balance);
    *cell++ = sp_cell_seconds(item->excess_ns);
    *cell++ = sp_cell_real(item->shorter_percent);
    *cell++ = sp_cell_real(item->percent);
    *cell++ = sp_cell_real(item->phase_percent);
    *cell++ = sp_cell_real(100 * item->within);
    *cell++ = sp_cell_real(100 * item->between);
    *cell++ = sp_cell_seconds(item->mean_ns);
    *cell++ = sp_cell_seconds(item->min_ns);
    *cell++ = sp_cell_seconds(item->p25_ns);
    *cell++ = sp_cell_seconds(item->median_ns);
    *cell++ = sp_cell_seconds(item->p75_ns);
    *cell++ = sp_cell_seconds(item->max_ns);
    *cell++ = sp_cell_integer(item->slowest_rank);
    *cell++ = sp_cell_text(sp_run_host(run, item->slowest_rank));
}

struct sp_sheet sp_sheet_imbalance(const struct sp_details *details)
{
    static const char *const columns[] = {"file", "region", "kind", "load_balance_percent", "excess_seconds", "run_shorter_percent",
        "imbalance_percent", "phase_imbalance_percent", "within_nodes_percent", "between_nodes_percent", "mean_seconds", "min_seconds",
        "p25_seconds", "median_seconds", "p75_seconds", "max_seconds", "slowest_rank", "slowest_host"};
    return (struct sp_sheet){"imbalance", columns, COUNT(columns), rows_of_all(details, imbalances_of), details, fill_imbalance};
}
