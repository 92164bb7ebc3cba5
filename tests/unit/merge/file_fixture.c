/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "file_fixture.h"
#include "sp_crc.h"
#include "sp_error.h"
#include "sp_write.h"
#include "spill_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two images a rank; they move while they grow, so their bytes are taken at the end. */
void fixture_write(const char *path, int rank_count, uint64_t steps, const char *compression)
{
    struct spill_image **images = calloc((size_t)rank_count * 2, sizeof *images);
    struct sp_writer_source *sources = calloc((size_t)rank_count * 2, sizeof *sources);
    struct sp_writer_result result;
    struct sp_error err = {0};
    char work[300];
    uint32_t count = 0;
    assert_non_null(images);
    assert_non_null(sources);
    for (int rank = 0; rank < rank_count; rank++)
        spill_run_rank("fixture-run", rank, rank_count, steps, &images[2 * rank], &images[2 * rank + 1]);
    for (int i = 2 * rank_count - 1; i >= 0; i--) { /* the order does not matter */
        size_t bytes;
        if (!images[i])
            continue;
        sources[count].image = spill_image_bytes(images[i], &bytes);
        sources[count++].bytes = bytes;
    }
    snprintf(work, sizeof work, "%s.work", path);
    struct sp_writer_job job = {.output_path = path,
        .work_path = work,
        .sources = sources,
        .source_count = count,
        .state = "complete",
        .compression = compression,
        .checksum_readback = 1};
    int status = sp_write(&job, &result, &err);
    if (status < 0)
        fail_msg("%s", err.text);
    assert_string_equal(result.path, path);
    for (int i = 0; i < 2 * rank_count; i++)
        spill_image_free(images[i]);
    free(images);
    free(sources);
}

/* ---- what the run is; see spill_fixture.c for what a step does ---- */

static int has_lane(int rank)
{
    return rank % 5 != 4;
}

static uint64_t steps_of(int rank, uint64_t steps)
{
    return has_lane(rank) ? steps * (uint64_t)(rank + 1) : 0;
}

/* Every hundredth step has an event more. */
static uint64_t own_of(int rank, uint64_t steps)
{
    return (steps_of(rank, steps) + 99) / 100;
}

static int64_t jitter_ns(uint64_t step)
{
    return (int64_t)(step * 2654435761u % 64);
}

struct expected_stats {
    const char *name, *parent;
    uint64_t calls;
    int64_t total, self, min, max, first, last, first_start, last_end, sent, received;
    uint64_t squares;
};

/* Times in ns since 0 = tick 1000; a tick is half a ns; step i starts at (4000 + 2400 i - 1000) / 2. */
static int64_t step_start(uint64_t i)
{
    return 1500 + 1200 * (int64_t)i;
}

static size_t expect_stats(int rank, uint64_t steps, struct expected_stats *rows)
{
    int64_t n = (int64_t)steps_of(rank, steps), own = (int64_t)own_of(rank, steps);
    int64_t total = 0, min = INT64_MAX, max = 0;
    uint64_t squares = 0;
    static const char *const own_names[] = {"own of 0", "own of 1", "own of 2"};
    for (uint64_t i = 0; i < (uint64_t)n; i++) {
        int64_t d = 490 + jitter_ns(i);
        total += d;
        squares += (uint64_t)(d * d);
        min = d < min ? d : min;
        max = d > max ? d : max;
    }
    int64_t last = step_start((uint64_t)n - 1), last_own = step_start((uint64_t)((n - 1) / 100 * 100));
    const struct expected_stats table[] = {
        {"step", NULL, (uint64_t)n, 1000 * n, 1000 * n - total - 300 * n, 1000, 1000, 1000, 1000, 1500, last + 1000, 0, 0,
            1000000 * (uint64_t)n},
        {"compute", "step", (uint64_t)n, total, total - 5 * own, min, max, 490, 490 + jitter_ns((uint64_t)n - 1), 1510,
            last + 10 + 490 + jitter_ns((uint64_t)n - 1), 0, 0, squares},
        {own_names[rank % 3], "compute", (uint64_t)own, 5 * own, 5 * own, 5, 5, 5, 5, 1515, last_own + 20, 0, 0, 25 * (uint64_t)own},
        {"MPI_Sendrecv", "step", (uint64_t)n, 300 * n, 300 * n, 300, 300, 300, 300, 2100, last + 900, 800 * n, 640 * n,
            90000 * (uint64_t)n},
        {"MPI_Allreduce", NULL, (uint64_t)n, 50 * n, 50 * n, 50, 50, 50, 50, 2550, last + 1100, 8 * n, 0, 2500 * (uint64_t)n},
    };
    memcpy(rows, table, sizeof table);
    return SP_COUNT(table);
}

static const char *region_of(const struct sp_file *file, int32_t callpath)
{
    return sp_file_region_name(file, sp_file_callpaths(file)[callpath].region, NULL);
}

static void check_row(const struct sp_file *file, const struct sp_statistic *row, const struct expected_stats *wanted)
{
    int32_t parent = sp_file_callpaths(file)[row->callpath].parent;
    assert_string_equal(region_of(file, row->callpath), wanted->name);
    if (wanted->parent)
        assert_string_equal(region_of(file, parent), wanted->parent);
    else
        assert_int_equal(parent, -1);
    assert_int_equal(row->calls, wanted->calls);
    assert_int_equal(row->total_ns, wanted->total);
    assert_int_equal(row->self_ns, wanted->self);
    assert_int_equal(row->min_ns, wanted->min);
    assert_int_equal(row->max_ns, wanted->max);
    assert_int_equal(row->first_ns, wanted->first);
    assert_int_equal(row->last_ns, wanted->last);
    assert_int_equal(row->first_start_ns, wanted->first_start);
    assert_int_equal(row->last_end_ns, wanted->last_end);
    assert_int_equal(row->bytes_sent, wanted->sent);
    assert_int_equal(row->bytes_received, wanted->received);
    assert_int_equal(row->squares_low, wanted->squares);
    assert_int_equal(row->squares_high, 0);
}

static const struct sp_statistic *row_named(const struct sp_file *file, const struct sp_statistic *rows, uint64_t count, const char *name)
{
    for (uint64_t i = 0; i < count; i++)
        if (strcmp(region_of(file, rows[i].callpath), name) == 0)
            return &rows[i];
    fail_msg("no row of %s", name);
    return NULL;
}

static void check_statistics(struct sp_file *file, int32_t lane, int rank, uint64_t steps)
{
    struct expected_stats wanted[8];
    struct sp_statistic rows[8];
    struct sp_error err;
    const struct sp_lane *place = &sp_file_lanes(file)[lane];
    size_t count = expect_stats(rank, steps, wanted);
    assert_int_equal(place->statistic_count, count);
    assert_int_equal(sp_file_read_statistics(file, place->first_statistic, count, rows, &err), 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].lane, lane);
        assert_true(i == 0 || rows[i].callpath > rows[i - 1].callpath);
        check_row(file, row_named(file, rows, count, wanted[i].name), &wanted[i]);
    }
}

/* The events of a lane in one go. */
struct events {
    int64_t *start, *duration;
    int32_t *callpath;
    uint64_t count;
};

static void read_lane_events(struct sp_file *file, int32_t lane, struct events *e)
{
    struct sp_error err = {0};
    const struct sp_lane *place = &sp_file_lanes(file)[lane];
    e->count = 0;
    e->start = calloc(place->event_count + 1, sizeof *e->start);
    e->duration = calloc(place->event_count + 1, sizeof *e->duration);
    e->callpath = calloc(place->event_count + 1, sizeof *e->callpath);
    assert_true(e->start && e->duration && e->callpath);
    for (uint64_t b = 0; b < sp_file_info(file)->event_block_count; b++) {
        const struct sp_event_block *block = &sp_file_event_blocks(file)[b];
        if (block->lane != lane)
            continue;
        assert_int_equal(block->first_event, place->first_event + e->count);
        if (sp_file_read_events(file, b, e->start + e->count, e->duration + e->count, e->callpath + e->count, &err) < 0)
            fail_msg("%s", err.text);
        assert_int_equal(block->min_start_ns, e->start[e->count]);
        e->count += block->event_count;
    }
    assert_int_equal(e->count, place->event_count);
}

static void check_event(
    const struct sp_file *file, const struct events *e, uint64_t *row, const char *name, int64_t start, int64_t duration)
{
    assert_true(*row < e->count);
    if (e->start[*row] != start || e->duration[*row] != duration || strcmp(region_of(file, e->callpath[*row]), name) != 0)
        fail_msg("event %llu is %s %lld %lld, not %s %lld %lld", (unsigned long long)*row, region_of(file, e->callpath[*row]),
            (long long)e->start[*row], (long long)e->duration[*row], name, (long long)start, (long long)duration);
    ++*row;
}

static void check_events(struct sp_file *file, int32_t lane, int rank, uint64_t steps)
{
    struct events e;
    uint64_t row = 0;
    char own[16];
    snprintf(own, sizeof own, "own of %d", rank % 3);
    read_lane_events(file, lane, &e);
    for (uint64_t i = 0; i < steps_of(rank, steps); i++) {
        int64_t at = step_start(i);
        check_event(file, &e, &row, "step", at, 1000);
        check_event(file, &e, &row, "compute", at + 10, 490 + jitter_ns(i));
        if (i % 100 == 0)
            check_event(file, &e, &row, own, at + 15, 5);
        check_event(file, &e, &row, "MPI_Sendrecv", at + 600, 300);
        check_event(file, &e, &row, "MPI_Allreduce", at + 1050, 50);
    }
    assert_int_equal(row, e.count);
    free(e.start);
    free(e.duration);
    free(e.callpath);
}

/* Three a step: sent, received, reduced; their events are the step's fourth last and last. */
static void check_messages(struct sp_file *file, int32_t lane, int rank, int rank_count, uint64_t steps)
{
    const struct sp_lane *place = &sp_file_lanes(file)[lane];
    struct sp_error err = {0};
    uint64_t n = steps_of(rank, steps), event = place->first_event;
    assert_int_equal(place->message_count, 3 * n);
    for (uint64_t i = 0; i < n; i++) {
        struct sp_message m[3];
        uint64_t length = i % 100 == 0 ? 5 : 4;
        if (i > 20 && i % 997 != 0 && i + 20 < n) { /* each reads a whole block */
            event += length;
            continue;
        }
        if (sp_file_read_messages(file, place->first_message + 3 * i, 3, m, &err) < 0)
            fail_msg("%s", err.text);
        const struct sp_message wanted[] = {
            {event + length - 2, 800, 0, (rank + 1) % rank_count, 7, 1, 1},
            {event + length - 2, 640, 0, (rank + rank_count - 1) % rank_count, 7, 1, 2},
            {event + length - 1, 8, 0, -1, -1, 0, 3},
        };
        assert_memory_equal(m, wanted, sizeof m);
        event += length;
    }
}

/* The bins of some calls, by hand: 64 between powers of two. 5 ns = 4 (1 + 16/64); 50 = 32 (1 + 36/64); 300 = 256 (1 + 11/64);
 * 1000 = 512 (1 + 61/64). Those of compute take 490 to 553 ns: bins of 4 ns up to 512, of 8 ns above. */
static int32_t bin_of_compute(int64_t ns)
{
    return (int32_t)(ns < 512 ? 8 * 64 + (ns - 256) / 4 : 9 * 64 + (ns - 512) / 8);
}

static uint64_t calls_in(struct sp_file *file, int32_t rank, const char *region, int32_t bin)
{
    struct sp_error err = {0};
    const struct sp_histogram *rows = sp_file_histograms(file, &err);
    assert_non_null(rows);
    for (uint64_t i = 0; i < sp_file_info(file)->histogram_count; i++)
        if (rows[i].rank == rank && rows[i].bin == bin && strcmp(sp_file_region_name(file, rows[i].region, NULL), region) == 0)
            return rows[i].calls;
    return 0;
}

/* Of one rank, or of all (-1). Returns the number of rows there must be. */
static uint64_t check_histograms_of(struct sp_file *file, int32_t of, int rank_count, uint64_t steps)
{
    static const char *const own_names[] = {"own of 0", "own of 1", "own of 2"};
    uint64_t calls = 0, own[3] = {0}, compute[1024] = {0}, rows = 0;
    for (int rank = of < 0 ? 0 : of; rank < (of < 0 ? rank_count : of + 1); rank++) {
        calls += steps_of(rank, steps);
        own[rank % 3] += own_of(rank, steps);
        for (uint64_t i = 0; i < steps_of(rank, steps); i++)
            compute[bin_of_compute(490 + jitter_ns(i))]++;
    }
    assert_int_equal(calls_in(file, of, "step", 9 * 64 + 61), calls);
    assert_int_equal(calls_in(file, of, "MPI_Sendrecv", 8 * 64 + 11), calls);
    assert_int_equal(calls_in(file, of, "MPI_Allreduce", 5 * 64 + 36), calls);
    for (int i = 0; i < 3; i++)
        assert_int_equal(calls_in(file, of, own_names[i], 2 * 64 + 16), own[i]);
    for (int bin = 0; bin < 1024; bin++) {
        assert_int_equal(calls_in(file, of, "compute", bin), compute[bin]);
        rows += compute[bin] > 0;
    }
    return rows + (calls > 0 ? 3 : 0) + (own[0] > 0) + (own[1] > 0) + (own[2] > 0);
}

static void check_histograms(struct sp_file *file, int rank_count, uint64_t steps, int of_ranks)
{
    struct sp_error err = {0};
    const struct sp_histogram *rows = sp_file_histograms(file, &err);
    uint64_t count = check_histograms_of(file, -1, rank_count, steps);
    for (int rank = 0; of_ranks && rank < rank_count; rank++)
        count += check_histograms_of(file, rank, rank_count, steps);
    assert_int_equal(sp_file_info(file)->histogram_count, count);
    for (uint64_t i = 1; i < count; i++)
        assert_true(rows[i - 1].rank < rows[i].rank ||
            (rows[i - 1].rank == rows[i].rank &&
                (rows[i - 1].region < rows[i].region || (rows[i - 1].region == rows[i].region && rows[i - 1].bin < rows[i].bin))));
}

/* Each rank sends 800 bytes a step to the next and gets 640 from the one before, in a call of 300 ns. */
static void check_traffic(struct sp_file *file, int rank_count, uint64_t steps)
{
    struct sp_error err = {0};
    const struct sp_traffic_row *rows = sp_file_traffic(file, &err);
    uint64_t count = 0;
    assert_non_null(rows);
    for (int rank = 0; rank < rank_count; rank++)
        count += steps_of(rank, steps) > 0 ? 2 : 0;
    assert_int_equal(sp_file_info(file)->traffic_count, count);
    for (uint64_t i = 0; i < count; i++) {
        int sent = rows[i].operation == 1, rank = sent ? rows[i].source : rows[i].destination;
        int64_t n = (int64_t)steps_of(rank, steps);
        if (sent)
            assert_int_equal(rows[i].destination, (rank + 1) % rank_count);
        else
            assert_int_equal(rows[i].source, (rank + rank_count - 1) % rank_count);
        assert_int_equal(rows[i].operation, sent ? 1 : 2);
        assert_int_equal(rows[i].messages, n);
        assert_int_equal(rows[i].bytes, (sent ? 800 : 640) * n);
        assert_int_equal(rows[i].time_ns, sent ? 300 * n : 0);
        assert_true(i == 0 || rows[i - 1].source < rows[i].source || rows[i - 1].destination < rows[i].destination ||
            rows[i - 1].operation < rows[i].operation);
    }
}

static void check_message_sizes(struct sp_file *file, int rank_count, uint64_t steps)
{
    struct sp_error err = {0};
    const struct sp_message_size *rows = sp_file_message_sizes(file, &err);
    int64_t n = 0;
    assert_non_null(rows);
    for (int rank = 0; rank < rank_count; rank++)
        n += (int64_t)steps_of(rank, steps);
    assert_int_equal(sp_file_info(file)->message_size_count, 3);
    const struct sp_message_size wanted[] = {
        {rows[0].region, 1, 10, (uint64_t)n, 800 * n, 300 * n},
        {rows[0].region, -1, 10, (uint64_t)n, 640 * n, 0},
        {rows[2].region, 1, 4, (uint64_t)n, 8 * n, 50 * n},
    };
    assert_string_equal(sp_file_region_name(file, rows[0].region, NULL), "MPI_Sendrecv");
    assert_string_equal(sp_file_region_name(file, rows[2].region, NULL), "MPI_Allreduce");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(rows[i].region, wanted[i].region);
        assert_int_equal(rows[i].direction, wanted[i].direction);
        assert_int_equal(rows[i].bin, wanted[i].bin);
        assert_int_equal(rows[i].messages, wanted[i].messages);
        assert_int_equal(rows[i].bytes, wanted[i].bytes);
        assert_int_equal(rows[i].time_ns, wanted[i].time_ns);
    }
}

static void check_rank(struct sp_file *file, int rank, uint64_t steps)
{
    const struct sp_rank *row = &sp_file_ranks(file)[rank];
    int64_t end = 1500 + 1200 * (int64_t)steps_of(rank, steps);
    assert_int_equal(row->pid, 1000 + rank);
    assert_int_equal(row->host, rank / 2);
    assert_int_equal(row->start_ns, 0);
    assert_int_equal(row->mpi_init_end_ns, 1000);
    assert_int_equal(row->finalize_begin_ns, end);
    assert_int_equal(row->end_ns, end + 500);
    assert_int_equal(row->offset_first_ns, 100);
    assert_int_equal(row->offset_error_ns, 50);
    assert_int_equal(row->region_cost_ps, 25000);
    assert_int_equal(row->events_dropped, 0);
    assert_int_equal(row->state, 1);
    assert_int_equal(row->lane_count, has_lane(rank));
}

static void check_communicators(const struct sp_file *file, int rank_count)
{
    const struct sp_communicator *rows = sp_file_communicators(file);
    assert_int_equal(sp_file_info(file)->communicator_count, 2);
    assert_int_equal(rows[0].identity, 11);
    assert_int_equal(rows[0].parent, -1);
    assert_int_equal(rows[0].size, rank_count);
    assert_int_equal(rows[0].name_bytes, 14);
    assert_int_equal(rows[0].member_count, rank_count < 256 ? rank_count : 256);
    assert_int_equal(rows[1].identity, 12);
    assert_int_equal(rows[1].parent, 0);
    assert_int_equal(rows[1].name_bytes, 4);
    assert_int_equal(rows[1].member_count, 0);
}

static void check_info(const struct sp_file *file, int rank_count, uint64_t steps)
{
    const struct sp_file_info *info = sp_file_info(file);
    uint64_t events = 0, messages = 0, lanes = 0;
    for (int rank = 0; rank < rank_count; rank++) {
        events += 4 * steps_of(rank, steps) + own_of(rank, steps);
        messages += 3 * steps_of(rank, steps);
        lanes += (uint64_t)has_lane(rank);
    }
    assert_int_equal(info->rank_count, rank_count);
    assert_int_equal(info->lane_count, lanes);
    assert_int_equal(info->event_count, events);
    assert_int_equal(info->message_count, messages);
    assert_int_equal(info->trace, SP_TRACE_COMPLETE);
    assert_int_equal(info->clock_error_ns, 50);
    assert_string_equal(info->clock_source, "tsc");
    /* step, compute, MPI_Sendrecv, MPI_Allreduce and one of three own; "never entered" is not there */
    assert_int_equal(info->region_count, rank_count < 3 ? 4 + rank_count : 7);
    assert_string_equal(sp_file_metadata(file), "{\"mpi_size\": 0, \"label\": \"fixture\"}");
}

void fixture_check(const char *path, int rank_count, uint64_t steps, int of_ranks)
{
    struct sp_file *file;
    struct sp_error err = {0};
    int32_t lane = 0;
    if (sp_file_open(path, &file, &err) < 0)
        fail_msg("%s", err.text);
    check_info(file, rank_count, steps);
    check_communicators(file, rank_count);
    for (int rank = 0; rank < rank_count; rank++) {
        check_rank(file, rank, steps);
        if (!has_lane(rank))
            continue;
        assert_int_equal(sp_file_lanes(file)[lane].rank, rank);
        assert_string_equal(sp_file_lanes(file)[lane].name, "lane 0");
        check_statistics(file, lane, rank, steps);
        check_events(file, lane, rank, steps);
        check_messages(file, lane, rank, rank_count, steps);
        lane++;
    }
    check_histograms(file, rank_count, steps, of_ranks);
    check_traffic(file, rank_count, steps);
    check_message_sizes(file, rank_count, steps);
    sp_file_close(file);
}

/* ---- reading everything ---- */

static uint32_t digest_tables(const struct sp_file *file)
{
    const struct sp_file_info *info = sp_file_info(file);
    uint32_t crc = sp_crc(0, sp_file_metadata(file), strlen(sp_file_metadata(file)));
    crc = sp_crc(crc, sp_file_hosts(file), (size_t)info->host_count * sizeof(struct sp_host));
    crc = sp_crc(crc, sp_file_ranks(file), (size_t)info->rank_count * sizeof(struct sp_rank));
    crc = sp_crc(crc, sp_file_lanes(file), (size_t)info->lane_count * sizeof(struct sp_lane));
    crc = sp_crc(crc, sp_file_callpaths(file), (size_t)info->callpath_count * sizeof(struct sp_callpath));
    crc = sp_crc(crc, sp_file_communicators(file), (size_t)info->communicator_count * sizeof(struct sp_communicator));
    for (int32_t i = 0; i < info->region_count; i++) {
        size_t bytes;
        const char *name = sp_file_region_name(file, i, &bytes);
        crc = sp_crc(crc, name, bytes);
    }
    crc = sp_crc(crc, &info->state, sizeof info->state);
    return sp_crc(crc, &info->clock_error_ns, sizeof info->clock_error_ns);
}

static int digest_rows(struct sp_file *file, void *rows, uint32_t *crc, struct sp_error *err)
{
    const struct sp_file_info *info = sp_file_info(file);
    const struct sp_histogram *histograms = sp_file_histograms(file, err);
    if (!histograms)
        return -1;
    for (uint64_t i = 0; i < info->histogram_count; i++)
        *crc = sp_crc(*crc, &histograms[i].calls, sizeof histograms[i].calls);
    const struct sp_traffic_row *traffic = sp_file_traffic(file, err);
    const struct sp_message_size *sizes = sp_file_message_sizes(file, err);
    if (!traffic || !sizes)
        return -1;
    for (uint64_t i = 0; i < info->traffic_count; i++)
        *crc = sp_crc(*crc, &traffic[i].bytes, sizeof traffic[i].bytes);
    for (uint64_t i = 0; i < info->message_size_count; i++)
        *crc = sp_crc(*crc, &sizes[i].bytes, sizeof sizes[i].bytes);
    if (sp_file_read_statistics(file, 0, (size_t)info->statistic_count, rows, err) < 0)
        return -1;
    *crc = sp_crc(*crc, rows, (size_t)info->statistic_count * sizeof(struct sp_statistic));
    if (sp_file_read_messages(file, 0, (size_t)info->message_count, rows, err) < 0)
        return -1;
    *crc = sp_crc(*crc, rows, (size_t)info->message_count * sizeof(struct sp_message));
    for (uint64_t b = 0; b < info->event_block_count; b++) {
        size_t count = (size_t)sp_file_event_blocks(file)[b].event_count;
        int64_t *start = rows, *duration = start + 65536;
        int32_t *callpath = (int32_t *)(void *)(duration + 65536);
        if (sp_file_read_events(file, b, start, duration, callpath, err) < 0)
            return -1;
        *crc = sp_crc(*crc, start, count * sizeof *start);
        *crc = sp_crc(*crc, duration, count * sizeof *duration);
        *crc = sp_crc(*crc, callpath, count * sizeof *callpath);
    }
    return 0;
}

int fixture_read_all(const char *path, uint32_t *digest, struct sp_error *err)
{
    struct sp_file *file;
    if (sp_file_open(path, &file, err) < 0)
        return -1;
    const struct sp_file_info *info = sp_file_info(file);
    size_t bytes = 65536 * 20;
    if (info->statistic_count * sizeof(struct sp_statistic) > bytes)
        bytes = (size_t)info->statistic_count * sizeof(struct sp_statistic);
    if (info->message_count * sizeof(struct sp_message) > bytes)
        bytes = (size_t)info->message_count * sizeof(struct sp_message);
    void *rows = malloc(bytes);
    assert_non_null(rows);
    *digest = digest_tables(file);
    int status = digest_rows(file, rows, digest, err);
    free(rows);
    sp_file_close(file);
    return status;
}
