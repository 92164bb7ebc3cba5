/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_write.h"
#include "sp_hdf5.h"
#include "sp_index.h"
#include "sp_keyed_rows.h"
#include "sp_metadata.h"
#include "sp_naming.h"
#include "sp_publish.h"
#include "sp_tables.h"
#include "sp_transfer.h"
#include "sp_unify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is summed over the processes, and up to this one. */
struct counts {
    uint64_t lanes, events, messages, statistics, event_blocks, message_blocks, profile_lanes, dropped;
};
#define COUNTS ((int)(sizeof(struct counts) / sizeof(uint64_t)))

/* A rank's row on its way to process 0. */
struct ranked_row {
    int64_t rank;
    struct sp_rank row;
};

struct write {
    struct sp_team team;
    const struct sp_writer_job *job;
    struct sp_transfer_options options;
    struct sp_compression compression;
    enum sp_histogram_ranks histogram_ranks;
    struct sp_part *part;
    struct sp_dictionary *dictionary;
    struct sp_dictionary_tables tables;
    struct counts total, before;
    int32_t run_rank_count;
    int64_t clock_error_ns, clock_source;
    struct sp_rows *rows[SP_GROUPS];
    struct sp_column_sum sums[SP_COLUMNS_MAX]; /* of /statistics, on process 0 */

    /* process 0 */
    struct sp_naming naming;
    struct sp_metadata metadata;
    struct sp_rank *ranks;
    struct sp_lane *lanes;
    void *event_blocks, *message_blocks;
    struct sp_keyed_rows keyed;
    struct sp_plan plan;
    int is_created;
};

static int parse_options(struct write *w, struct sp_error *err)
{
    const struct sp_writer_job *job = w->job;
    const char *hints = job->mpiio_hints ? job->mpiio_hints : "";
    if (w->team.rank != 0)
        return 0;
    if (sp_compression_parse(job->compression, &w->compression, err) < 0 || sp_io_parse(job->io, &w->options.io, err) < 0 ||
        sp_histogram_ranks_parse(job->histograms, &w->histogram_ranks, err) < 0)
        return -1;
    if (strlen(hints) >= sizeof w->options.hints)
        return sp_fail_as(err, SP_EXIT_USAGE, "SP_MPIIO_HINTS is longer than %zu bytes", sizeof w->options.hints - 1);
    if (!job->work_path || !job->output_path || strlen(job->work_path) >= sizeof w->options.path)
        return sp_fail_as(err, SP_EXIT_USAGE, "the output's name is missing or too long");
    snprintf(w->options.hints, sizeof w->options.hints, "%s", hints);
    snprintf(w->options.path, sizeof w->options.path, "%s", job->work_path);
    w->options.read_back = job->checksum_readback;
    return 0;
}

/* What process 0 was told counts. */
static int share_options(struct write *w, struct sp_error *err)
{
    if (sp_agree(&w->team, parse_options(w, err), err) < 0)
        return -1;
    int status = sp_team_broadcast(&w->team, &w->options, sizeof w->options, err);
    if (status == 0)
        status = sp_team_broadcast(&w->team, &w->compression, sizeof w->compression, err);
    if (status == 0)
        status = sp_team_broadcast(&w->team, &w->histogram_ranks, sizeof w->histogram_ranks, err);
    return sp_agree(&w->team, status, err);
}

/* All parts must be of one run: compares with the highest and lowest (the negated maximum of the negated). */
static int check_run(struct write *w, struct sp_error *err)
{
    const struct sp_part *part = w->part;
    int empty = part->run_rank_count == 0;
    int64_t hash = (int64_t)(sp_hash_bytes(0, part->run_id, strlen(part->run_id)) >> 1);
    int64_t values[4] = {empty ? INT64_MIN : part->run_rank_count, empty ? INT64_MIN : -(int64_t)part->run_rank_count,
        empty ? INT64_MIN : hash, empty ? INT64_MIN : -hash};
    if (sp_team_max(&w->team, values, 4, err) < 0)
        return -1;
    if (values[0] == INT64_MIN)
        return sp_fail_as(err, SP_EXIT_INPUT, "no spill files: nothing to write");
    if (values[0] != -values[1] || values[2] != -values[3])
        return sp_fail_as(err, SP_EXIT_COMBINE, "the spill files are of different runs");
    w->run_rank_count = (int32_t)values[0];
    return 0;
}

static int open_part(struct write *w, struct sp_error *err)
{
    int status = sp_part_open(w->job->sources, w->job->source_count, &w->part, err);
    if (sp_agree(&w->team, status, err) < 0)
        return -1;
    return sp_agree(&w->team, check_run(w, err), err);
}

static int unite_names(struct write *w, struct sp_error *err)
{
    struct sp_dictionary_map map;
    if (sp_unify(&w->team, w->part->dictionary, &w->dictionary, &map, err) < 0)
        return -1;
    sp_part_renumber(w->part, &map);
    sp_dictionary_map_free(&map);
    if (w->team.rank == 0) /* which writes the names: what the others have is not looked at again */
        sp_naming_apply(w->dictionary, &w->naming);
    int status = sp_dictionary_tables(w->dictionary, &w->tables);
    return sp_agree(&w->team, status < 0 ? sp_fail(err, "out of memory while uniting region names") : 0, err);
}

/* The run starts with its first rank; the worst clock error counts. */
static int settle_time(struct write *w, struct sp_error *err)
{
    int64_t values[3] = {-INT64_MAX, 0, 0}, start = sp_part_start(w->part);
    if (start != INT64_MAX)
        values[0] = -start;
    for (size_t i = 0; i < w->part->rank_count; i++) {
        const struct sp_spill_rank *record = w->part->ranks[i].process.rank;
        if (record && record->offset_error_ns > values[1])
            values[1] = record->offset_error_ns;
    }
    values[2] = w->part->clock_source;
    if (sp_agree(&w->team, sp_team_max(&w->team, values, 3, err), err) < 0)
        return -1;
    sp_part_set_origin(w->part, -values[0]);
    w->clock_error_ns = values[1];
    w->clock_source = values[2];
    return 0;
}

static int count_all(struct write *w, struct sp_error *err)
{
    struct counts counts = {.lanes = w->part->lane_count,
        .event_blocks = sp_rows_event_blocks(w->part),
        .message_blocks = sp_rows_message_blocks(w->part),
        .dropped = sp_part_dropped(w->part)};
    for (size_t i = 0; i < w->part->lane_count; i++) {
        const struct sp_part_lane *lane = &w->part->lanes[i];
        counts.events += sp_spill_lane_event_count(lane->lane);
        counts.messages += sp_spill_lane_message_count(lane->lane);
        counts.statistics += lane->statistic_count;
        counts.profile_lanes += (uint64_t)sp_spill_lane_is_profile(lane->lane);
    }
    w->total = w->before = counts;
    int status = sp_team_sum(&w->team, &w->total.lanes, COUNTS, err);
    if (status == 0)
        status = sp_team_before(&w->team, &w->before.lanes, COUNTS, err);
    if (status == 0 && w->total.lanes > INT32_MAX)
        status = sp_fail(err, "%llu lanes are too many for one file", (unsigned long long)w->total.lanes);
    return sp_agree(&w->team, status, err);
}

/* Rank rows of this process, malloc'ed. */
static struct ranked_row *own_ranks(const struct write *w)
{
    struct ranked_row *rows = calloc(w->part->rank_count + 1, sizeof *rows);
    for (size_t i = 0; rows && i < w->part->rank_count; i++) {
        rows[i].rank = w->part->ranks[i].rank;
        sp_part_rank_row(w->part, i, &rows[i].row);
    }
    return rows;
}

/* Lane rows of this process with their places in the tables, malloc'ed. */
static struct sp_lane *own_lanes(const struct write *w)
{
    struct sp_lane *rows = calloc(w->part->lane_count + 1, sizeof *rows);
    struct counts at = w->before;
    for (size_t i = 0; rows && i < w->part->lane_count; i++) {
        sp_part_lane_row(w->part, i, &rows[i]);
        rows[i].first_event = at.events;
        rows[i].first_message = at.messages;
        rows[i].first_statistic = at.statistics;
        at.events += rows[i].event_count;
        at.messages += rows[i].message_count;
        at.statistics += rows[i].statistic_count;
    }
    return rows;
}

/* Every rank of the run gets a row; of some there may be nothing. */
static int place_ranks(struct write *w, const struct ranked_row *rows, size_t count, struct sp_error *err)
{
    w->ranks = calloc((size_t)w->run_rank_count + 1, sizeof *w->ranks);
    if (!w->ranks)
        return sp_fail(err, "out of memory for %d ranks", w->run_rank_count);
    for (int32_t i = 0; i < w->run_rank_count; i++)
        w->ranks[i] =
            (struct sp_rank){.host = -1, .pid = -1, .mpi_init_end_ns = -1, .finalize_begin_ns = -1, .state = -1, .thread_level = -1};
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && rows[i].rank <= rows[i - 1].rank)
            return sp_fail_as(err, SP_EXIT_COMBINE, "two processes bring spill files of rank %d", (int)rows[i].rank);
        w->ranks[rows[i].rank] = rows[i].row;
    }
    return 0;
}

static int gather_rows(struct write *w, struct sp_error *err)
{
    struct ranked_row *ranks = own_ranks(w);
    struct sp_lane *lanes = own_lanes(w);
    void *all_ranks = NULL, *all_lanes = NULL;
    size_t rank_bytes = 0, lane_bytes = 0;
    int status = sp_agree(&w->team, ranks && lanes ? 0 : sp_fail(err, "out of memory"), err);
    if (status == 0)
        status = sp_team_gather(&w->team, ranks, w->part->rank_count * sizeof *ranks, &all_ranks, &rank_bytes, err);
    if (status == 0)
        status = sp_team_gather(&w->team, lanes, w->part->lane_count * sizeof *lanes, &all_lanes, &lane_bytes, err);
    if (status == 0 && w->team.rank == 0)
        status = place_ranks(w, all_ranks, rank_bytes / sizeof *ranks, err);
    w->lanes = all_lanes;
    free(all_ranks);
    free(ranks);
    free(lanes);
    return sp_agree(&w->team, status, err);
}

static const char *trace_state(const struct counts *total)
{
    if (total->lanes > 0 && total->profile_lanes == total->lanes)
        return "off";
    return total->dropped > 0 ? "truncated" : "complete";
}

static int unite_keyed(struct write *w, struct sp_error *err)
{
    int is_complete = strcmp(trace_state(&w->total), "complete") == 0;
    int of_ranks = sp_histogram_ranks_choose(w->histogram_ranks, is_complete, w->run_rank_count);
    return sp_keyed_rows_unite(&w->team, w->part, w->tables.callpaths, of_ranks, &w->keyed, err);
}

static const char *clock_name(int64_t source)
{
    return source == SP_CLOCK_TSC ? "tsc" : source == SP_CLOCK_CNTVCT ? "cntvct" : "monotonic";
}

/* Process 0 makes the empty file and reserves its space. */
static int create_file(struct write *w, struct sp_error *err)
{
    struct sp_sizes sizes = {
        .metadata_bytes = w->metadata.bytes,
        .string_bytes = w->tables.string_bytes,
        .hosts = w->tables.host_count,
        .ranks = (uint64_t)w->run_rank_count,
        .lanes = w->total.lanes,
        .regions = w->tables.region_count,
        .callpaths = w->tables.callpath_count,
        .communicators = w->tables.communicator_count,
        .members = w->tables.member_count,
        .event_blocks = w->total.event_blocks,
        .message_blocks = w->total.message_blocks,
        .statistics = w->total.statistics,
        .events = w->total.events,
        .messages = w->total.messages,
        .histograms = w->keyed.histogram_count,
        .traffic = w->keyed.traffic_count,
        .message_sizes = w->keyed.size_count,
    };
    struct sp_file_attributes attributes = {.creator = "scope-profiler-mpi " SP_VERSION,
        .trace = trace_state(&w->total),
        .clock_source = clock_name(w->clock_source),
        .clock_error_ns = w->clock_error_ns};
    sp_plan_make(&w->plan, &sizes, w->compression);
    w->is_created = 1;
    if (sp_plan_create(&w->plan, &attributes, w->options.path, err) < 0)
        return -1;
    return sp_reserve(w->options.path, sp_plan_growth(&w->plan), err);
}

static int make_rows(struct write *w, struct sp_error *err)
{
    static const struct sp_table *const kinds[SP_GROUPS] = {&sp_columns_statistics, &sp_columns_events, &sp_columns_messages};
    struct sp_rows_place place = {.first_lane = w->before.lanes,
        .first_event = w->before.events,
        .first_message = w->before.messages,
        .first_statistic = w->before.statistics};
    for (int g = 0; g < SP_GROUPS; g++)
        if (!(w->rows[g] = sp_rows_create(kinds[g], w->part, &place)))
            return sp_fail(err, "out of memory");
    return 0;
}

static uint64_t column_bytes(const struct counts *total)
{
    return total->events * 20 + total->messages * 40 + total->statistics * 112;
}

static int write_columns(struct write *w, struct sp_error *err)
{
    if (sp_agree(&w->team, make_rows(w, err), err) < 0)
        return -1;
    w->options.io_may_change = w->options.io == SP_IO_AUTO;
    w->options.io = w->team.communicator ? sp_io_choose(w->options.io, column_bytes(&w->total)) : SP_IO_GATHER;
    return sp_transfer(&w->team, &w->options, w->rows, w->sums, err);
}

static int gather_blocks(struct write *w, struct sp_error *err)
{
    size_t count, bytes;
    const void *blocks = sp_rows_blocks(w->rows[1], &count);
    int status = sp_team_gather(&w->team, blocks, count * sizeof(struct sp_event_block), &w->event_blocks, &bytes, err);
    blocks = sp_rows_blocks(w->rows[2], &count);
    if (status == 0)
        status = sp_team_gather(&w->team, blocks, count * sizeof(struct sp_message_block), &w->message_blocks, &bytes, err);
    return sp_agree(&w->team, status, err);
}

/* CRCs of the columns of /statistics, by their names. */
static void name_sums(const struct write *w, struct sp_known_sum *known)
{
    const struct sp_table *kind = &sp_columns_statistics;
    for (size_t c = 0; c < kind->field_count; c++) {
        snprintf(known[c].name, sizeof known[c].name, "%s/%s", kind->name, kind->fields[c].name);
        known[c].bytes = w->sums[c].bytes;
        known[c].crc = w->sums[c].crc;
    }
}

static int write_tables(struct write *w, struct sp_error *err)
{
    struct sp_known_sum known[SP_COLUMNS_MAX];
    const struct sp_table_content contents[] = {
        {"metadata", w->metadata.text},
        {"strings", w->tables.strings},
        {"hosts", w->tables.hosts},
        {"ranks", w->ranks},
        {"lanes", w->lanes},
        {"regions", w->tables.regions},
        {"callpaths", w->tables.callpaths},
        {"communicators", w->tables.communicators},
        {"members", w->tables.members},
        {"event_blocks", w->event_blocks},
        {"message_blocks", w->message_blocks},
        {"histograms", w->keyed.histograms},
        {"traffic", w->keyed.traffic},
        {"message_sizes", w->keyed.sizes},
    };
    name_sums(w, known);
    return sp_tables_write(w->options.path, &w->plan, contents, sizeof contents / sizeof contents[0], known,
        sp_columns_statistics.field_count, w->job->state ? w->job->state : "complete", w->options.read_back, err);
}

static int finish_file(struct write *w, struct sp_writer_result *result, struct sp_error *err)
{
    struct stat status;
    if (write_tables(w, err) < 0)
        return -1;
    if (stat(w->options.path, &status) < 0)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: vanished", w->options.path);
    if (sp_sync(w->options.path, err) < 0)
        return -1;
    if (sp_publish(w->options.path, w->job->output_path, result->path, sizeof result->path, err) < 0)
        return -1;
    w->is_created = 0;
    sp_sync_name(result->path);
    result->file_bytes = status.st_size;
    result->event_count = w->total.events;
    result->rank_count = w->run_rank_count;
    result->lane_count = (int32_t)w->total.lanes;
    result->region_count = (int32_t)w->tables.region_count;
    snprintf(result->note, sizeof result->note, "%s", w->naming.note);
    return 0;
}

static int write_file(struct write *w, struct sp_writer_result *result, struct sp_error *err)
{
    if (share_options(w, err) < 0 || open_part(w, err) < 0 || unite_names(w, err) < 0 || settle_time(w, err) < 0 || count_all(w, err) < 0 ||
        gather_rows(w, err) < 0 || sp_metadata_take(&w->team, w->part, w->job->metadata, &w->naming, &w->metadata, err) < 0 ||
        unite_keyed(w, err) < 0)
        return -1;
    if (sp_agree(&w->team, w->team.rank == 0 ? create_file(w, err) : 0, err) < 0)
        return -1;
    if (write_columns(w, err) < 0 || gather_blocks(w, err) < 0)
        return -1;
    if (sp_agree(&w->team, w->team.rank == 0 ? finish_file(w, result, err) : 0, err) < 0)
        return -1;
    return sp_agree(&w->team, sp_team_broadcast(&w->team, result, sizeof *result, err), err);
}

static void clear(struct write *w)
{
    if (w->is_created)
        unlink(w->options.path);
    for (int g = 0; g < SP_GROUPS; g++)
        sp_rows_destroy(w->rows[g]);
    sp_dictionary_destroy(w->dictionary);
    sp_part_close(w->part);
    sp_metadata_free(&w->metadata);
    free(w->ranks);
    free(w->lanes);
    sp_keyed_rows_free(&w->keyed);
    free(w->event_blocks);
    free(w->message_blocks);
    free(w);
}

int sp_write(const struct sp_writer_job *job, struct sp_writer_result *result, struct sp_error *err)
{
    struct sp_error ignored = {0};
    struct sp_team team;
    if (!err)
        err = &ignored;
    memset(err, 0, sizeof *err);
    memset(result, 0, sizeof *result);
    if (sp_team_init(&team, job->communicator, err) < 0)
        return -1;
    struct write *w = calloc(1, sizeof *w);
    if (sp_agree(&team, w ? sp_hdf5_check(err) : sp_fail(err, "out of memory"), err) < 0) {
        free(w);
        return -1;
    }
    sp_hdf5_init();
    w->team = team;
    w->job = job;
    int status = write_file(w, result, err);
    clear(w);
    return status;
}
