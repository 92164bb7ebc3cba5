/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_bars.h"

#include "sp_error.h"

#include <stdlib.h>
#include <string.h>

static int compare_int32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

/* Drops the rows of what lies outside the run's time, which would shrink all the rest. */
static size_t keep_inside(const struct sp_profile *profile, size_t *rows, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (!sp_profile_is_outside(profile, rows[i]))
            rows[used++] = rows[i];
    return used;
}

/* The largest regions get slots of their own; one left over gets one too. */
static int plan_slots(const struct sp_profile *profile, size_t top_n, struct sp_bars *bars, struct sp_error *err)
{
    size_t *rows, count;
    if (sp_profile_order(profile, SP_ORDER_TOTAL, NULL, &rows, &count, err))
        return -1;
    count = keep_inside(profile, rows, count);
    size_t own = count <= top_n + 1 ? count : top_n;
    bars->slots = calloc(own + 1, sizeof *bars->slots);
    if (!bars->slots) {
        free(rows);
        return sp_fail(err, "out of memory");
    }
    for (size_t i = 0; i < own; i++)
        bars->slots[i] = (int32_t)rows[i];
    free(rows);
    qsort(bars->slots, own, sizeof *bars->slots, compare_int32); /* rows are in order of first start */
    for (size_t i = 0; i < own; i++)
        bars->slots[i] = profile->regions[bars->slots[i]].region;
    bars->slot_count = (int32_t)own;
    bars->other_count = (int32_t)(count - own);
    if (bars->other_count)
        bars->slots[bars->slot_count++] = SP_BARS_OTHERS;
    return 0;
}

/* All selected ranks, or as many evenly spaced ones as there is room for. */
static int plan_ranks(const struct sp_run *run, size_t row_limit, struct sp_bars *bars, struct sp_error *err)
{
    size_t limit = bars->slot_count ? row_limit / (size_t)bars->slot_count : 1, seen = 0, selected = (size_t)run->rank_count;
    limit = limit < 2 ? 2 : limit;
    size_t drawn = selected < limit ? selected : limit;
    bars->ranks = calloc(drawn + 1, sizeof *bars->ranks);
    if (!bars->ranks)
        return sp_fail(err, "out of memory");
    for (int32_t rank = 0; rank < run->info->rank_count; rank++) {
        if (!run->ranks[rank])
            continue;
        size_t next = drawn > 1 ? (size_t)bars->rank_count * (selected - 1) / (drawn - 1) : 0;
        if (seen++ == next && (size_t)bars->rank_count < drawn)
            bars->ranks[bars->rank_count++] = rank;
    }
    return 0;
}

static bool rank_is_drawn(const struct sp_bars *bars, int32_t rank)
{
    return bsearch(&rank, bars->ranks, (size_t)bars->rank_count, sizeof *bars->ranks, compare_int32) != NULL;
}

/* From the first entry to the last exit. */
static void measure(const struct sp_profile *profile, struct sp_bars *bars)
{
    bool first = true;
    for (size_t i = 0; i < profile->region_count; i++) {
        const struct sp_stats *stats = &profile->regions[i].stats;
        if (sp_profile_is_outside(profile, i))
            continue;
        bars->origin_ns = first || stats->first_start < bars->origin_ns ? stats->first_start : bars->origin_ns;
        bars->end_ns = first || stats->last_end > bars->end_ns ? stats->last_end : bars->end_ns;
        first = false;
    }
}

int sp_bars_plan(const struct sp_profile *profile, size_t top_n, size_t row_limit, struct sp_bars *bars, struct sp_error *err)
{
    const struct sp_run *run = profile->run;
    *bars = (struct sp_bars){.merge_ns = -1};
    if (plan_slots(profile, top_n, bars, err) || plan_ranks(run, row_limit, bars, err)) {
        sp_bars_free(bars);
        return -1;
    }
    measure(profile, bars);
    if (run->window.timed)
        bars->origin_ns = run->origin_ns;
    for (size_t i = 0; i < run->entry_count; i++)
        if (rank_is_drawn(bars, run->entries[i].rank) && !sp_run_is_outside(run, run->entries[i].region))
            bars->call_count += run->entries[i].stats.calls;
    if (run->info->trace == SP_TRACE_TRUNCATED && run->info->event_count < bars->call_count)
        bars->call_count = run->info->event_count;
    if (bars->call_count > SP_BARS_EXACT)
        bars->merge_ns = (bars->end_ns - bars->origin_ns) / SP_BARS_PIXELS;
    return 0;
}

void sp_bars_find_cut(const struct sp_lane *lanes, const int64_t *last_start_ns, int32_t lane_count, struct sp_bars *bars)
{
    for (int32_t i = 0; i < lane_count; i++) {
        if (!lanes[i].events_dropped || !rank_is_drawn(bars, lanes[i].rank))
            continue;
        int64_t end_ns = last_start_ns[i] < 0 ? lanes[i].start_ns : last_start_ns[i];
        bars->cut_first_ns = !bars->cut || end_ns < bars->cut_first_ns ? end_ns : bars->cut_first_ns;
        bars->cut_last_ns = !bars->cut || end_ns > bars->cut_last_ns ? end_ns : bars->cut_last_ns;
        bars->cut = true;
    }
}

static int compare_bars(const void *a, const void *b)
{
    const struct sp_bar *x = a, *y = b;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    return x->calls < y->calls ? -1 : x->calls > y->calls;
}

/* Whether a bar that starts at start_ns belongs to the one before it in its row. */
static bool joins(const struct sp_bar *before, int64_t start_ns, int64_t merge_ns, bool others)
{
    int64_t reach = merge_ns < 0 && others ? 0 : merge_ns;
    return reach >= 0 && start_ns - before->end_ns <= reach;
}

static void extend(struct sp_bar *bar, int64_t end_ns, int64_t calls)
{
    bar->end_ns = end_ns > bar->end_ns ? end_ns : bar->end_ns;
    bar->calls += calls;
}

size_t sp_bars_merge(struct sp_bar *bars, size_t count, int64_t merge_ns, int32_t others_slot)
{
    size_t used = 0;
    if (count)
        qsort(bars, count, sizeof *bars, compare_bars);
    for (size_t i = 0; i < count; i++) {
        struct sp_bar *last = used ? &bars[used - 1] : NULL;
        bool same_row = last && last->slot == bars[i].slot && last->rank == bars[i].rank;
        if (same_row && joins(last, bars[i].start_ns, merge_ns, bars[i].slot == others_slot))
            extend(last, bars[i].end_ns, bars[i].calls);
        else
            bars[used++] = bars[i];
    }
    return used;
}

/* The plan of process 0 becomes that of all. */
static int share_plan(const struct sp_crew *crew, struct sp_bars *bars, struct sp_error *err)
{
    struct sp_bars plan = *bars;
    sp_crew_share(crew, &plan, sizeof plan);
    int status = 0;
    if (crew->rank) {
        *bars = plan;
        bars->slots = calloc((size_t)plan.slot_count + 1, sizeof *bars->slots);
        bars->ranks = calloc((size_t)plan.rank_count + 1, sizeof *bars->ranks);
        if (!bars->slots || !bars->ranks)
            status = sp_fail(err, "out of memory");
    }
    if (sp_crew_agree(crew, status, err))
        return -1;
    sp_crew_share(crew, bars->slots, (size_t)plan.slot_count * sizeof *bars->slots);
    sp_crew_share(crew, bars->ranks, (size_t)plan.rank_count * sizeof *bars->ranks);
    return 0;
}

/* What one process needs while it reads event blocks. */
struct reading {
    const struct sp_run *run;
    const struct sp_bars *bars;
    int32_t *slot_of;                /* of each region, -1 none */
    int64_t *last;                   /* of each slot: the bar last added in the current lane, -1 none */
    int64_t *last_start_ns;          /* of each lane: of its last event, + 1, where this process read it; else 0 */
    int32_t lane;                    /* current, -1 none yet */
    int64_t *start_ns, *duration_ns; /* of a block's events */
    int32_t *callpath;
    uint64_t room; /* events that fit */
    struct sp_bar *new;
    size_t count, new_room;
};

static void reading_free(struct reading *reading)
{
    free(reading->slot_of);
    free(reading->last);
    free(reading->last_start_ns);
    free(reading->start_ns);
    free(reading->duration_ns);
    free(reading->callpath);
    free(reading->new);
}

static int reading_init(struct reading *reading, const struct sp_run *run, const struct sp_bars *bars, struct sp_error *err)
{
    size_t regions = (size_t)run->info->region_count;
    *reading = (struct reading){.run = run, .bars = bars, .lane = -1};
    reading->slot_of = malloc((regions + 1) * sizeof *reading->slot_of);
    reading->last = malloc(((size_t)bars->slot_count + 1) * sizeof *reading->last);
    reading->last_start_ns = calloc((size_t)run->info->lane_count + 1, sizeof *reading->last_start_ns);
    if (!reading->slot_of || !reading->last || !reading->last_start_ns)
        return sp_fail(err, "out of memory");
    int32_t others = bars->other_count ? bars->slot_count - 1 : -1;
    for (size_t i = 0; i < regions; i++)
        reading->slot_of[i] = run->regions[i].selected && !sp_run_is_outside(run, (int32_t)i) ? others : -1;
    for (int32_t i = 0; i < bars->slot_count; i++)
        if (bars->slots[i] >= 0)
            reading->slot_of[bars->slots[i]] = i;
    return 0;
}

static int make_room(struct reading *reading, uint64_t events, struct sp_error *err)
{
    if (events <= reading->room)
        return 0;
    free(reading->start_ns);
    free(reading->duration_ns);
    free(reading->callpath);
    reading->start_ns = malloc(events * sizeof *reading->start_ns);
    reading->duration_ns = malloc(events * sizeof *reading->duration_ns);
    reading->callpath = malloc(events * sizeof *reading->callpath);
    reading->room = events;
    return reading->start_ns && reading->duration_ns && reading->callpath ? 0 : sp_fail(err, "out of memory");
}

static int add_call(struct reading *reading, int32_t slot, int32_t rank, int64_t start_ns, int64_t end_ns, struct sp_error *err)
{
    const struct sp_bars *bars = reading->bars;
    int64_t last = reading->last[slot];
    if (last >= 0 && joins(&reading->new[last], start_ns, bars->merge_ns, bars->slots[slot] == SP_BARS_OTHERS)) {
        extend(&reading->new[last], end_ns, 1);
        return 0;
    }
    if (reading->count == reading->new_room) {
        size_t room = 2 * reading->new_room + 1024;
        struct sp_bar *new = realloc(reading->new, room * sizeof *new);
        if (!new)
            return sp_fail(err, "out of memory");
        reading->new = new;
        reading->new_room = room;
    }
    reading->last[slot] = (int64_t)reading->count;
    reading->new[reading->count++] = (struct sp_bar){slot, rank, start_ns, end_ns, 1};
    return 0;
}

/* Clips a call to the window; one that did not end is drawn until its lane does. */
static bool is_drawn(const struct sp_run *run, const struct sp_lane *lane, int64_t *start_ns, int64_t *duration_ns)
{
    if (*duration_ns < 0)
        *duration_ns = lane->end_ns - *start_ns;
    return !sp_window_is_part(&run->window) ||
        (*duration_ns >= run->window.min_duration_ns && sp_window_clip(&run->window, lane->end_ns, start_ns, duration_ns));
}

static int read_block(struct reading *reading, uint64_t number, const struct sp_event_block *block, struct sp_error *err)
{
    const struct sp_run *run = reading->run;
    const struct sp_lane *lane = &sp_file_lanes(run->file)[block->lane];
    const struct sp_callpath *paths = sp_file_callpaths(run->file);
    if (make_room(reading, block->event_count, err) ||
        sp_file_read_events(run->file, number, reading->start_ns, reading->duration_ns, reading->callpath, err))
        return -1;
    if (block->lane != reading->lane)
        for (int32_t i = 0; i < reading->bars->slot_count; i++)
            reading->last[i] = -1;
    reading->lane = block->lane;
    bool ends_lane = number + 1 == run->info->event_block_count || block[1].lane != block->lane;
    if (ends_lane && block->event_count)
        reading->last_start_ns[block->lane] = reading->start_ns[block->event_count - 1] + 1;
    for (uint64_t i = 0; i < block->event_count; i++) {
        int32_t path = reading->callpath[i];
        if (path < 0 || path >= run->info->callpath_count)
            return sp_fail_as(err, SP_EXIT_CORRUPT, "%.300s: an event names a call path that is not there", run->info->path);
        int32_t slot = reading->slot_of[paths[path].region];
        int64_t start = reading->start_ns[i], duration = reading->duration_ns[i];
        if (slot < 0 || !is_drawn(run, lane, &start, &duration))
            continue;
        if (add_call(reading, slot, lane->rank, start, start + duration, err))
            return -1;
    }
    return 0;
}

static int read_share(const struct sp_crew *crew, struct reading *reading, struct sp_error *err)
{
    const struct sp_run *run = reading->run;
    const struct sp_event_block *blocks = sp_file_event_blocks(run->file);
    const struct sp_lane *lanes = sp_file_lanes(run->file);
    size_t count = (size_t)run->info->event_block_count, first, end;
    uint64_t *weights = calloc(count + 1, sizeof *weights);
    int status = weights ? 0 : sp_fail(err, "out of memory");
    for (size_t i = 0; !status && i < count; i++) {
        if (blocks[i].lane < 0 || blocks[i].lane >= run->info->lane_count)
            status = sp_fail_as(err, SP_EXIT_CORRUPT, "%.300s: an event block names a lane that is not there", run->info->path);
        else if (rank_is_drawn(reading->bars, lanes[blocks[i].lane].rank))
            weights[i] = blocks[i].event_count;
    }
    if (!status)
        sp_crew_split(weights, count, crew->rank, crew->size, &first, &end);
    for (size_t i = first; !status && i < end; i++)
        if (weights[i])
            status = read_block(reading, i, &blocks[i], err);
    free(weights);
    return status;
}

/* Makes of what each process knows of the lanes' last events what all know. Collective. */
static void share_cut(const struct sp_crew *crew, const struct reading *reading, struct sp_bars *bars)
{
    const struct sp_run *run = reading->run;
    int64_t *ends = reading->last_start_ns;
    if (run->info->trace != SP_TRACE_TRUNCATED)
        return;
    sp_crew_sum(crew, ends, (size_t)run->info->lane_count);
    for (int32_t i = 0; i < run->info->lane_count; i++)
        ends[i]--;
    sp_bars_find_cut(sp_file_lanes(run->file), ends, run->info->lane_count, bars);
}

int sp_bars_read(const struct sp_crew *crew, const struct sp_run *run, const struct sp_profile *profile, size_t top_n, struct sp_bars *bars,
    struct sp_error *err)
{
    *bars = (struct sp_bars){0};
    int status = crew->rank == 0 ? sp_bars_plan(profile, top_n, SP_BARS_ROWS, bars, err) : 0;
    if (sp_crew_agree(crew, status, err) || share_plan(crew, bars, err))
        goto fail;
    struct reading reading;
    void *all = NULL;
    status = reading_init(&reading, run, bars, err);
    if (!status)
        status = read_share(crew, &reading, err);
    status = sp_crew_agree(crew, status, err);
    if (!status)
        share_cut(crew, &reading, bars);
    if (!status)
        status = sp_crew_gather(crew, reading.new, sizeof *reading.new, reading.count, &all, &bars->bar_count, err);
    reading_free(&reading);
    bars->bars = all;
    if (status)
        goto fail;
    int32_t others = bars->other_count ? bars->slot_count - 1 : -1;
    bars->bar_count = sp_bars_merge(bars->bars, bars->bar_count, bars->merge_ns, others);
    bars->call_count = 0;
    for (size_t i = 0; i < bars->bar_count; i++) {
        bars->call_count += (uint64_t)bars->bars[i].calls;
        bars->end_ns = bars->bars[i].end_ns > bars->end_ns ? bars->bars[i].end_ns : bars->end_ns;
    }
    return 0;
fail:
    sp_bars_free(bars);
    return -1;
}

void sp_bars_free(struct sp_bars *bars)
{
    free(bars->slots);
    free(bars->ranks);
    free(bars->bars);
    *bars = (struct sp_bars){0};
}
