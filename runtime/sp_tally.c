/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_tally.h"
#include "sp_batch.h"
#include "sp_checked.h"
#include "sp_process.h"
#include "sp_snapshot.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sum {
    uint64_t calls, total; /* ticks */
};

/* What had been counted at the last reset, by region. */
static struct sum *baseline;
static int baseline_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int has_stopped(const struct sp_process *process)
{
    return process->rank_record.end != 0;
}

static int is_off(void)
{
    return (__atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED) & SP_GATE_OFF) != 0;
}

typedef void visit_function(const struct sp_spill_node *node, const struct sp_spill_sums *sums, void *data);

static void visit_lane(struct sp_lane *lane, visit_function *visit, void *data)
{
    for (uint32_t id = 1; id < lane->head.node_count; id++) {
        const struct sp_spill_node *node = sp_paths_node(lane->paths, id);
        visit(node, &node->sums[sp_spill_valid_copy(node->batch, lane->head.batches)], data);
    }
}

/* Visits the nodes of all lanes at rest and of the thread's own, and says what their ticks mean. A forked child has none: their
 * memory is its parent's. */
static struct sp_spill_clock visit_lanes(struct sp_process *process, visit_function *visit, void *data)
{
    struct sp_spill_clock clock = {0};
    if (is_off() && !has_stopped(process))
        return clock;
    pthread_mutex_lock(&process->lock);
    clock = process->clock;
    if (has_stopped(process)) {
        for (struct sp_lane *lane = process->lanes; lane; lane = lane->next)
            visit_lane(lane, visit, data);
    } else {
        for (struct sp_lane *lane = process->idle_lanes; lane; lane = lane->next_idle) {
            sp_batch_sum_up(lane);
            visit_lane(lane, visit, data);
        }
        if (sp_hot.lane) {
            sp_batch_sum_up(sp_hot.lane);
            visit_lane(sp_hot.lane, visit, data);
        }
        sp_clock_renew(&clock);
    }
    pthread_mutex_unlock(&process->lock);
    return clock;
}

struct request {
    uint32_t region;
    struct sp_spill_sums sums;
};

static void add_if_asked(const struct sp_spill_node *node, const struct sp_spill_sums *sums, void *data)
{
    struct request *request = data;
    if (node->region != request->region || sums->calls == 0)
        return;
    request->sums.calls += sums->calls;
    request->sums.total += sums->total;
    if (sums->min < request->sums.min)
        request->sums.min = sums->min;
    if (sums->max > request->sums.max)
        request->sums.max = sums->max;
}

static struct sum baseline_of(int region)
{
    struct sum sum = {0, 0};
    pthread_mutex_lock(&lock);
    if (region < baseline_count)
        sum = baseline[region];
    pthread_mutex_unlock(&lock);
    return sum;
}

static int64_t ns_of(const struct sp_spill_clock *clock, uint64_t ticks)
{
    return sp_clock_to_ns(clock, clock->first.ticks + ticks) - clock->first.monotonic_ns;
}

int sp_tally_stats(int region, sp_region_stats *stats)
{
    struct sp_process *process = sp_process_get();
    struct request request = {.region = (uint32_t)region, .sums = {.min = UINT64_MAX}};
    if (!process || region == SP_INVALID_REGION) /* switched off, or a region that is not wanted */
        return SP_OK;
    if (!stats || region < 0 || region >= sp_registry_count(process->registry))
        return SP_ERR_INACTIVE;
    struct sp_spill_clock clock = visit_lanes(process, add_if_asked, &request);
    struct sum before = baseline_of(region);
    if (request.sums.calls <= before.calls)
        return SP_OK;
    stats->calls = (int64_t)(request.sums.calls - before.calls);
    stats->total_ns = ns_of(&clock, request.sums.total - before.total);
    stats->min_ns = ns_of(&clock, request.sums.min);
    stats->max_ns = ns_of(&clock, request.sums.max);
    return SP_OK;
}

int64_t sp_tally_calls(int region)
{
    sp_region_stats stats = {0, 0, 0, 0};
    sp_tally_stats(region, &stats);
    return stats.calls + sp_checked_count_open(region);
}

struct totals {
    struct sum *sums;
    int count;
};

static void add_to_its_region(const struct sp_spill_node *node, const struct sp_spill_sums *sums, void *data)
{
    const struct totals *totals = data;
    if (node->region >= (uint32_t)totals->count)
        return;
    totals->sums[node->region].calls += sums->calls;
    totals->sums[node->region].total += sums->total;
}

int sp_tally_reset(void)
{
    struct sp_process *process = sp_process_get();
    if (!process || is_off())
        return process ? SP_ERR_INACTIVE : SP_OK;
    if (sp_checked_count_open(-1) > 0)
        return SP_ERR_OPEN_SCOPES;
    struct totals totals = {.count = sp_registry_count(process->registry)};
    totals.sums = calloc((size_t)totals.count + 1, sizeof *totals.sums);
    if (!totals.sums)
        return SP_ERR_NO_MEMORY;
    visit_lanes(process, add_to_its_region, &totals);
    pthread_mutex_lock(&lock);
    free(baseline);
    baseline = totals.sums;
    baseline_count = totals.count;
    pthread_mutex_unlock(&lock);
    return SP_OK;
}

static size_t add_name(char *names, size_t used, const char *path)
{
    if (!path)
        return used;
    strcpy(names + used, path);
    return used + strlen(path) + 1;
}

/* Names of the files there are now, each zero-terminated, one after another and an empty one. NULL without memory. */
static char *list_files(struct sp_process *process)
{
    size_t used = 0;
    pthread_mutex_lock(&process->lock);
    char *names = calloc((size_t)process->lane_count + 2, sizeof process->spill_directory + 64);
    if (names)
        used = add_name(names, used, sp_store_path(process->store));
    for (struct sp_lane *lane = names ? process->lanes : NULL; lane; lane = lane->next)
        used = add_name(names, used, sp_store_path(lane->store));
    pthread_mutex_unlock(&process->lock);
    return names;
}

static void ignore(const struct sp_spill_node *node, const struct sp_spill_sums *sums, void *data)
{
    (void)node;
    (void)sums;
    (void)data;
}

int sp_tally_flush(void)
{
    struct sp_process *process = sp_process_get();
    int status = SP_OK;
    if (!process || is_off())
        return process ? SP_ERR_INACTIVE : SP_OK;
    visit_lanes(process, ignore, NULL);
    char *names = list_files(process);
    if (!names)
        return SP_ERR_NO_MEMORY;
    for (const char *name = names; *name; name += strlen(name) + 1)
        if (sp_snapshot_sync(name) < 0)
            status = SP_ERR_IO;
    free(names);
    return status;
}
