/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs of begins and ends, recorded by a lane and read back from its spill image, against a model that does everything
 * the slow and obvious way: it keeps the list of calls and adds them up at the end. */
#include "../sp_test.h"
#include "sp_batch.h"
#include "sp_histogram.h"
#include "sp_spill_lane.h"

#include <stdlib.h>
#include <string.h>

enum { REGIONS = 6, MAX_CALLS = 200000, MAX_PATHS = 20000, MAX_DEPTH = 64 };
#define STILL_OPEN UINT64_MAX

struct model_call {
    int path;
    uint64_t start, end;
    int had_batch;       /* while it was open */
    int is_counted_only; /* ended unrecorded, with nothing recorded inside */
};

struct model_path {
    int parent, region;
};

struct model {
    enum sp_nesting nesting;
    struct model_call *calls;
    struct model_path *paths; /* [0] is the root */
    size_t call_count, path_count;
    struct {
        size_t call;
        int path, skipped;
    } stack[MAX_DEPTH];
    int depth, root_skipped;
    uint64_t unmatched, end;
};

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static int path_of(struct model *m, int parent, int region)
{
    for (size_t i = 1; i < m->path_count; i++)
        if (m->paths[i].parent == parent && m->paths[i].region == region)
            return (int)i;
    m->paths[m->path_count] = (struct model_path){parent, region};
    return (int)m->path_count++;
}

static void model_begin(struct model *m, int region, uint64_t now)
{
    int path = path_of(m, m->depth ? m->stack[m->depth - 1].path : 0, region);
    m->calls[m->call_count] = (struct model_call){path, now, STILL_OPEN, 0, 0};
    m->stack[m->depth].call = m->call_count++;
    m->stack[m->depth].path = path;
    m->stack[m->depth++].skipped = 0;
}

static int *skipped_of(struct model *m)
{
    return m->depth ? &m->stack[m->depth - 1].skipped : &m->root_skipped;
}

static void model_end(struct model *m, int region, uint64_t now)
{
    int at = m->depth;
    if (*skipped_of(m) > 0) {
        --*skipped_of(m);
        return;
    }
    while (at > 0 && m->paths[m->stack[at - 1].path].region != region)
        at--;
    if (at != m->depth || at == 0)
        m->unmatched++;
    if (at != m->depth && m->nesting != SP_NESTING_UNWIND)
        return;
    for (; at > 0 && m->depth >= at; m->depth--)
        m->calls[m->stack[m->depth - 1].call].end = now;
}

/* The innermost call ends unrecorded; where it left an event that others follow, or a batch saw it open, it stays one. */
static void model_end_unrecorded(struct model *m, uint64_t now)
{
    size_t call = m->stack[m->depth - 1].call, later = call + 1;
    while (later < m->call_count && m->calls[later].is_counted_only)
        later++;
    if (*skipped_of(m) == 0 && later == m->call_count && !m->calls[call].had_batch)
        m->calls[call].is_counted_only = 1;
    model_end(m, m->paths[m->calls[call].path].region, now);
}

static void model_batch(struct model *m)
{
    for (int i = 0; i < m->depth; i++)
        m->calls[m->stack[i].call].had_batch = 1;
}

static void lane_begin(struct sp_lane *lane, int region, uint64_t now)
{
    if (!sp_lane_try_begin(region, SP_CLOCK_MONOTONIC))
        sp_lane_begin(lane, region);
    sp_hot.top->start = sp_hot.top->event->start = now;
}

static void lane_end(struct sp_lane *lane, int region, uint64_t now)
{
    if (!sp_lane_try_end(region, now))
        sp_lane_end(lane, region, now);
}

/* One step of both, at a time that goes on and now and then jumps over 32 bits. */
static void step(struct model *m, struct sp_lane *lane, uint64_t *now)
{
    uint32_t dice = random_below(1000);
    int region = (int)random_below(REGIONS);
    *now += random_below(4) == 0 ? 1 : random_below(1000) + 1;
    if (dice < 2)
        *now += (uint64_t)1 << 33;
    if (dice < 460 && m->depth < MAX_DEPTH) {
        model_begin(m, region, *now);
        lane_begin(lane, region, *now);
    } else if (dice < 930) {
        if (m->depth > 0 && dice > 500)
            region = m->paths[m->stack[m->depth - 1].path].region;
        model_end(m, region, *now);
        lane_end(lane, region, *now);
    } else if (dice < 960) {
        ++*skipped_of(m);
        sp_lane_skip(lane);
    } else if (dice < 970) {
        model_batch(m);
        sp_batch_sum_up(lane);
    } else if (m->depth > 0) {
        region = m->paths[m->stack[m->depth - 1].path].region;
        model_end_unrecorded(m, *now);
        sp_lane_end_unrecorded(lane, region, *now);
    }
}

static uint64_t last_sign_of_life(const struct model *m, uint64_t clock)
{
    uint64_t end = clock;
    for (size_t i = 0; i < m->call_count; i++) {
        uint64_t sign = m->calls[i].end == STILL_OPEN ? m->calls[i].start : m->calls[i].end;
        end = sign > end ? sign : end;
    }
    return end;
}

static void check_events(const struct model *m, const struct sp_spill_lane *lane)
{
    size_t run_count, n = 0, wanted = 0;
    const struct sp_event_run *runs = sp_spill_lane_events(lane, &run_count);
    for (size_t r = 0; r < run_count; r++)
        for (uint64_t i = 0; i < runs[r].count; i++, n++) {
            while (wanted < m->call_count && m->calls[wanted].is_counted_only)
                wanted++;
            assert_true(wanted < m->call_count);
            const struct model_call *call = &m->calls[wanted++];
            uint64_t duration = sp_spill_lane_duration(lane, runs[r].first + i, &runs[r].events[i]);
            assert_int_equal(runs[r].events[i].node, call->path);
            assert_int_equal(runs[r].events[i].start, call->start);
            assert_true(duration == (call->end == STILL_OPEN ? SP_TICKS_OPEN : call->end - call->start));
        }
    while (wanted < m->call_count && m->calls[wanted].is_counted_only)
        wanted++;
    assert_int_equal(wanted, m->call_count);
}

/* Statistics of one path over the list of calls; own time: less what the calls of its children took. */
static struct sp_stats model_stats(const struct model *m, int path)
{
    struct sp_stats s = {.min = INT64_MAX};
    int64_t last_start = -1;
    for (size_t i = 0; i < m->call_count; i++) {
        const struct model_call *call = &m->calls[i];
        int64_t duration = (int64_t)((call->end == STILL_OPEN ? m->end : call->end) - call->start);
        if (m->paths[call->path].parent == path && path != 0)
            s.self -= duration;
        if (call->path != path)
            continue;
        s.self += duration;
        if (s.calls++ == 0) {
            s.first = duration;
            s.first_start = (int64_t)call->start;
        }
        if ((int64_t)call->start >= last_start) {
            last_start = (int64_t)call->start;
            s.last = duration;
            s.last_end = last_start + duration;
        }
        s.total += duration;
        s.min = duration < s.min ? duration : s.min;
        s.max = duration > s.max ? duration : s.max;
        sp_squares_add(&s.squares_low, &s.squares_high, (uint64_t)duration);
    }
    return s;
}

#define SAME(field) assert_int_equal(got->field, wanted->field)

static void check_same(const struct sp_stats *got, const struct sp_stats *wanted)
{
    SAME(calls);
    SAME(total);
    SAME(self);
    if (wanted->calls > 0) {
        SAME(min);
        SAME(max);
        SAME(first);
        SAME(first_start);
        SAME(last);
        SAME(last_end);
    }
    SAME(squares_low);
    SAME(squares_high);
}

/* Each call is in its region's bin (times are ns here): what was counted less what the model says leaves nothing. */
static void check_bins(const struct model *m, const struct sp_spill_lane *lane)
{
    static uint64_t wanted[REGIONS][SP_HISTOGRAM_BINS];
    size_t count, calls = 0;
    const struct sp_region_bin *bins = sp_spill_lane_bins(lane, &count);
    for (size_t i = 0; i < m->call_count; i++) {
        const struct model_call *call = &m->calls[i];
        wanted[m->paths[call->path].region][sp_histogram_bin((double)((call->end == STILL_OPEN ? m->end : call->end) - call->start))]++;
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(bins[i].calls, wanted[bins[i].region][bins[i].bin]);
        wanted[bins[i].region][bins[i].bin] = 0;
        calls += bins[i].calls;
    }
    assert_int_equal(calls, m->call_count);
}

static void check_statistics(const struct model *m, const struct sp_spill_lane *lane)
{
    assert_int_equal(sp_spill_lane_node_count(lane), m->path_count);
    for (size_t path = 1; path < m->path_count; path++) {
        struct sp_stats got, wanted = model_stats(m, (int)path);
        sp_spill_lane_stats(lane, (uint32_t)path, &got);
        check_same(&got, &wanted);
    }
    check_bins(m, lane);
}

/* What others would read of the lane now. */
static void check_image(struct model *m, struct sp_lane *lane)
{
    struct sp_spill *spill;
    struct sp_spill_lane *read;
    struct sp_error err = {0};
    assert_int_equal(sp_spill_open_image(sp_store_head(lane->store), sp_store_bytes(lane->store), "lane", &spill, &err), 0);
    assert_int_equal(sp_spill_lane_open(spill, &read, &err), 0);
    assert_int_equal(sp_spill_header(spill)->unmatched_ends, m->unmatched);
    check_events(m, read);
    check_statistics(m, read);
    sp_spill_lane_close(read);
    sp_spill_close(spill);
}

static void run_program(struct model *m, uint64_t seed, int steps, int is_killed)
{
    struct sp_trace_budget budget = {.limit = UINT64_MAX};
    struct sp_spill_clock clock = {.source = SP_CLOCK_MONOTONIC, .first = {0, 0}, .last = {{1000, 1000}}};
    struct sp_lane *lane = sp_lane_create(&clock, &budget);
    uint64_t now = 1000;
    m->call_count = m->unmatched = 0;
    m->path_count = 1;
    m->depth = m->root_skipped = 0;
    lane->nesting = m->nesting = (enum sp_nesting)(seed % 3);
    lane->head.rank_count = 1;
    lane->head.lane_start = 1;
    sp_lane_enter(lane);
    random_state = seed;
    for (int i = 0; i < steps; i++)
        step(m, lane, &now);
    if (is_killed) {
        lane->head.clock = clock; /* turn-overs renewed it with real readings */
        m->end = last_sign_of_life(m, 1000);
    } else {
        m->end = now + 17;
        sp_lane_finish(lane, m->end, &clock);
    }
    check_image(m, lane);
    sp_lane_destroy(lane);
}

static struct model *make_model(void)
{
    struct model *m = calloc(1, sizeof *m);
    if (!m || !(m->calls = calloc(MAX_CALLS, sizeof *m->calls)) || !(m->paths = calloc(MAX_PATHS, sizeof *m->paths)))
        abort();
    return m;
}

static void free_model(struct model *m)
{
    free(m->calls);
    free(m->paths);
    free(m);
}

static void short_programs_leave_what_the_model_says(void **state)
{
    (void)state;
    struct model *m = make_model();
    const char *wanted = getenv("SP_TEST_PROGRAMS");
    int programs = wanted ? atoi(wanted) : 100000;
    for (int i = 0; i < programs; i++)
        run_program(m, (uint64_t)i * 7919 + 1, 1 + (int)((unsigned)i * 31 % 120), i % 2);
    free_model(m);
}

/* Several turn-overs of the ring, with calls open across them. Few paths: a tree three deep. */
static void long_programs_leave_what_the_model_says(void **state)
{
    (void)state;
    struct model *m = make_model();
    for (int killed = 0; killed < 2; killed++) {
        struct sp_trace_budget budget = {.limit = UINT64_MAX};
        struct sp_spill_clock clock = {.source = SP_CLOCK_MONOTONIC, .first = {0, 0}, .last = {{1000, 1000}}};
        struct sp_lane *lane = sp_lane_create(&clock, &budget);
        uint64_t now = 1000;
        m->call_count = m->unmatched = 0;
        m->path_count = 1;
        m->depth = m->root_skipped = 0;
        lane->head.rank_count = 1;
        lane->head.lane_start = 1;
        sp_lane_enter(lane);
        random_state = 42;
        while (m->call_count < 150000) {
            int region = (int)random_below(3), open = m->depth < 3 && random_below(2) == 0;
            now += random_below(50) + 1;
            if (!open && m->depth > 0)
                region = m->paths[m->stack[m->depth - 1].path].region;
            if (open) {
                model_begin(m, region, now);
                lane_begin(lane, region, now);
            } else {
                model_end(m, region, now);
                lane_end(lane, region, now);
            }
        }
        lane->head.clock = clock;
        m->end = killed ? last_sign_of_life(m, 1000) : now;
        if (!killed)
            sp_lane_finish(lane, now, &clock);
        check_image(m, lane);
        sp_lane_destroy(lane);
    }
    free_model(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_programs_leave_what_the_model_says),
        cmocka_unit_test(long_programs_leave_what_the_model_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
