/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_region_statistics.h"

#include "sp_json.h"
#include "sp_options.h"
#include "sp_outdir.h"
#include "sp_utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void seconds(struct sp_json *json, const char *key, double ns)
{
    sp_json_key(json, key);
    sp_json_real(json, ns / 1e9);
}

/* The eight values, inside an open object. Calls without a time of their own have none but their number. */
static void statistics(struct sp_json *json, const struct sp_run *run, int32_t region, const struct sp_stats *stats)
{
    bool timed = sp_run_is_timed(run, region), any = stats->calls > 0 && timed;
    sp_json_key(json, "count");
    sp_json_integer(json, (int64_t)stats->calls);
    seconds(json, "average_duration_seconds", timed ? sp_stats_mean(stats) : NAN);
    seconds(json, "min_duration_seconds", any ? (double)stats->min : NAN);
    seconds(json, "max_duration_seconds", any ? (double)stats->max : NAN);
    seconds(json, "first_duration_seconds", timed ? sp_run_first_ns(run, stats) : NAN);
    seconds(json, "last_duration_seconds", timed ? sp_run_last_ns(run, stats) : NAN);
    seconds(json, "std_duration_seconds", timed ? sp_run_std_ns(run, stats) : NAN);
    seconds(json, "total_duration_seconds", any ? (double)stats->total : NAN);
}

/* The entries of a region are neighbours: [first, end). */
static void find_entries(const struct sp_run *run, int32_t region, size_t *first, size_t *end)
{
    size_t low = 0, high = run->entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->entries[middle].region < region)
            low = middle + 1;
        else
            high = middle;
    }
    *first = *end = low;
    while (*end < run->entry_count && run->entries[*end].region == region)
        ++*end;
}

static void region(struct sp_json *json, const struct sp_profile *profile, size_t row)
{
    size_t first, end;
    const struct sp_region *named = sp_profile_region(profile, row);
    sp_json_key(json, named->name);
    sp_json_object(json);
    statistics(json, profile->run, profile->regions[row].region, &profile->regions[row].stats);
    if (named->name_bytes) {
        sp_json_key(json, "name_bytes");
        sp_json_text(json, named->name_bytes);
    }
    if (named->kind == SP_REGION_MPI) {
        sp_json_key(json, "tags");
        sp_json_array(json);
        sp_json_text(json, "mpi");
        sp_json_end(json);
    }
    sp_json_key(json, "per_rank");
    sp_json_object(json);
    find_entries(profile->run, profile->regions[row].region, &first, &end);
    for (size_t i = first; i < end; i++) {
        char rank[16];
        snprintf(rank, sizeof rank, "%d", (int)profile->run->entries[i].rank);
        sp_json_key(json, rank);
        sp_json_object(json);
        statistics(json, profile->run, profile->run->entries[i].region, &profile->run->entries[i].stats);
        sp_json_end(json);
    }
    sp_json_end(json);
    sp_json_end(json);
}

static void file(struct sp_json *json, const struct sp_profile *profile)
{
    sp_json_object(json);
    sp_json_key(json, "label");
    sp_json_text(json, profile->run->label);
    sp_json_key(json, "file_path");
    sp_json_text(json, profile->run->path);
    sp_json_key(json, "num_ranks");
    sp_json_integer(json, profile->run->info->rank_count);
    seconds(json, "total_time_seconds", profile->run->total_ns > 0 ? (double)profile->run->total_ns : NAN);
    sp_json_key(json, "trace");
    sp_json_text(json,
        profile->run->info->trace == SP_TRACE_TRUNCATED ? "truncated"
            : profile->run->info->trace == SP_TRACE_OFF ? "off"
                                                        : "complete");
    sp_json_key(json, "region_statistics");
    sp_json_object(json);
    for (size_t i = 0; i < profile->region_count; i++)
        region(json, profile, i);
    sp_json_end(json);
    sp_json_end(json);
}

static void texts(struct sp_json *json, const char *key, const struct sp_texts *list)
{
    sp_json_key(json, key);
    if (!list->count) {
        sp_json_text(json, NULL);
        return;
    }
    sp_json_array(json);
    for (size_t i = 0; i < list->count; i++) {
        char *valid = sp_utf8_valid(list->items[i], strlen(list->items[i]));
        sp_json_text(json, valid);
        free(valid);
    }
    sp_json_end(json);
}

static void ranks(struct sp_json *json, const struct sp_run *run)
{
    sp_json_key(json, "ranks");
    if (run->rank_count == run->info->rank_count) {
        sp_json_text(json, NULL);
        return;
    }
    sp_json_array(json);
    for (int32_t i = 0; i < run->info->rank_count; i++)
        if (run->ranks[i])
            sp_json_integer(json, i);
    sp_json_end(json);
}

static void common_regions(struct sp_json *json, const struct sp_profiles *profiles)
{
    sp_json_key(json, "common_regions");
    sp_json_array(json);
    for (size_t i = 0; profiles->count && i < profiles->items[0].region_count; i++) {
        const char *name = sp_profile_region(&profiles->items[0], i)->name;
        bool everywhere = true;
        for (size_t k = 1; everywhere && k < profiles->count; k++)
            everywhere = sp_profile_find(&profiles->items[k], name);
        if (everywhere)
            sp_json_text(json, name);
    }
    sp_json_end(json);
}

int sp_region_statistics_write(
    const struct sp_profiles *profiles, const struct sp_options *options, struct sp_outdir *dir, struct sp_error *err)
{
    FILE *out;
    struct sp_json json;
    if (sp_outdir_begin(dir, "region_statistics.json", &out, err))
        return -1;
    sp_json_init(&json, out);
    sp_json_object(&json);
    sp_json_key(&json, "format");
    sp_json_text(&json, "scope-profiler-plot-data");
    sp_json_key(&json, "format_version");
    sp_json_integer(&json, 1);
    sp_json_key(&json, "plot");
    sp_json_text(&json, "region_statistics");
    sp_json_key(&json, "units");
    sp_json_object(&json);
    sp_json_key(&json, "durations");
    sp_json_text(&json, "seconds");
    sp_json_end(&json);
    sp_json_key(&json, "filters");
    sp_json_object(&json);
    texts(&json, "include", &options->include);
    texts(&json, "exclude", &options->exclude);
    ranks(&json, profiles->items[0].run);
    if (options->time) {
        sp_json_key(&json, "time");
        sp_json_text(&json, options->time);
    }
    if (options->min_duration) {
        sp_json_key(&json, "min_duration_seconds");
        sp_json_real(&json, (double)profiles->items[0].run->window.min_duration_ns / 1e9);
    }
    sp_json_end(&json);
    common_regions(&json, profiles);
    sp_json_key(&json, "files");
    sp_json_array(&json);
    for (size_t i = 0; i < profiles->count; i++)
        file(&json, &profiles->items[i]);
    sp_json_finish(&json);
    return sp_outdir_end(dir, err);
}
