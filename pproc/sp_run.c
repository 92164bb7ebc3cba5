/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_run.h"

#include "sp_error.h"
#include "sp_utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *sp_region_kind_name(int32_t kind)
{
    static const char *const names[SP_REGION_KINDS] = {"user", "mpi", "openmp", "io", "function"};
    return kind >= 0 && kind < SP_REGION_KINDS ? names[kind] : "unknown";
}

int64_t sp_run_time_of(const struct sp_rank *ranks, int32_t count, bool *init_known, bool *finalize_known)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    *init_known = *finalize_known = count > 0;
    for (int32_t i = 0; i < count; i++) {
        bool began = ranks[i].mpi_init_end_ns >= 0, finished = ranks[i].finalize_begin_ns >= 0;
        int64_t begin = began ? ranks[i].mpi_init_end_ns : ranks[i].start_ns;
        int64_t end = finished ? ranks[i].finalize_begin_ns : ranks[i].end_ns;
        *init_known = *init_known && began;
        *finalize_known = *finalize_known && finished;
        first = begin < first ? begin : first;
        last = end > last ? end : last;
    }
    return count > 0 ? last - first : -1;
}

const char *sp_run_host(const struct sp_run *run, int32_t rank)
{
    if (rank < 0 || rank >= run->info->rank_count)
        return NULL;
    int32_t host = sp_file_ranks(run->file)[rank].host;
    return host >= 0 && host < run->info->host_count ? run->hosts[host] : NULL;
}

static bool is_function(const struct sp_region *region, const char *name)
{
    return region->kind == SP_REGION_MPI && !strcmp(region->name, name);
}

bool sp_run_is_outside(const struct sp_run *run, int32_t region)
{
    const struct sp_region *named = &run->regions[region];
    return is_function(named, "MPI_Init") || is_function(named, "MPI_Init_thread") || is_function(named, "MPI_Finalize");
}

bool sp_run_is_timed(const struct sp_run *run, int32_t region)
{
    return !is_function(&run->regions[region], "MPI_Finalize");
}

/* The run was recorded with a choice of functions. */
static bool was_filtered(const struct sp_run *run)
{
    static const char *const settings[] = {"SP_INCLUDE", "SP_EXCLUDE", "SP_MPI_GROUPS"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *value = json_string_value(json_object_get(run->metadata, settings[i]));
        if (value && value[0])
            return true;
    }
    return false;
}

/* A choice of functions shows where there are none at all. */
bool sp_run_recorded_mpi(const struct sp_run *run)
{
    size_t functions = 0, inside = 0;
    for (int32_t i = 0; i < run->info->region_count; i++) {
        functions += run->regions[i].kind == SP_REGION_MPI;
        inside += run->regions[i].kind == SP_REGION_MPI && !sp_run_is_outside(run, i);
    }
    return functions && (inside || !was_filtered(run));
}

/* A parent stands before its children; under an MPI function all is its. */
int sp_run_mpi_paths(const struct sp_run *run, bool **in_mpi, struct sp_error *err)
{
    const struct sp_callpath *paths = sp_file_callpaths(run->file);
    size_t count = (size_t)run->info->callpath_count + 1;
    bool *under = calloc(count, sizeof *under);
    *in_mpi = calloc(count, sizeof **in_mpi);
    if (!under || !*in_mpi) {
        free(under);
        return sp_fail(err, "out of memory");
    }
    for (int32_t i = 0; i < run->info->callpath_count; i++) {
        int32_t region = paths[i].region;
        bool is_mpi = region >= 0 && region < run->info->region_count && run->regions[region].kind == SP_REGION_MPI &&
            !sp_run_is_outside(run, region);
        bool inside = paths[i].parent >= 0 && under[paths[i].parent];
        under[i] = inside || is_mpi;
        (*in_mpi)[i] = is_mpi && !inside;
    }
    free(under);
    return 0;
}

/* The number that a text is as a whole; NaN: it is none. */
static double number_in(const char *text)
{
    char *end = NULL;
    double value = text ? strtod(text, &end) : NAN;
    return text && *text && !*end && isfinite(value) ? value : NAN;
}

double sp_run_field(const struct sp_run *run, const char *name)
{
    if (!strcmp(name, "num_ranks"))
        return run->info->rank_count;
    if (!strcmp(name, "num_nodes"))
        return run->info->host_count;
    if (!strcmp(name, "total_cores") && !json_object_get(run->metadata, name))
        return run->info->rank_count * sp_run_field(run, "omp_num_threads");
    json_t *value = json_object_get(run->metadata, name);
    return json_is_number(value) ? json_number_value(value) : number_in(json_string_value(value));
}

static bool is_known(const struct sp_run *run, const struct sp_stats *stats)
{
    return stats->calls > 0 && !run->info->sums_only;
}

double sp_run_std_ns(const struct sp_run *run, const struct sp_stats *stats)
{
    return is_known(run, stats) ? sp_stats_std(stats) : NAN;
}

double sp_run_first_ns(const struct sp_run *run, const struct sp_stats *stats)
{
    return is_known(run, stats) ? (double)stats->first : NAN;
}

double sp_run_last_ns(const struct sp_run *run, const struct sp_stats *stats)
{
    return is_known(run, stats) ? (double)stats->last : NAN;
}

static int compare_names(const void *a, const void *b)
{
    const struct sp_region *const *x = a, *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);
    if (order)
        return order;
    if (((*x)->kind == SP_REGION_MPI) != ((*y)->kind == SP_REGION_MPI))
        return (*x)->kind == SP_REGION_MPI ? -1 : 1; /* the real function keeps its name */
    return *x < *y ? -1 : *x > *y;
}

static bool name_is_taken(const struct sp_run *run, const char *name)
{
    for (int32_t i = 0; i < run->info->region_count; i++)
        if (run->regions[i].name && !strcmp(run->regions[i].name, name))
            return true;
    return false;
}

/* "name (2)", with the first number that is free. */
static int rename_region(const struct sp_run *run, struct sp_region *region, struct sp_error *err)
{
    size_t size = strlen(region->name) + 16;
    char *name = malloc(size);
    if (!name)
        return sp_fail(err, "out of memory");
    for (int number = 2;; number++) {
        snprintf(name, size, "%s (%d)", region->name, number);
        if (!name_is_taken(run, name))
            break;
    }
    free(region->name);
    region->name = name;
    return 0;
}

static int make_names_unique(struct sp_run *run, struct sp_error *err)
{
    size_t count = (size_t)run->info->region_count;
    struct sp_region **sorted = malloc((count + 1) * sizeof(struct sp_region *));
    if (!sorted)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < count; i++)
        sorted[i] = &run->regions[i];
    qsort(sorted, count, sizeof(struct sp_region *), compare_names);
    int status = 0;
    for (size_t i = 0; !status && i + 1 < count;) {
        size_t next = i + 1;
        while (next < count && !strcmp(sorted[next]->name, sorted[i]->name))
            next++;
        for (size_t k = i + 1; !status && k < next; k++)
            status = rename_region(run, sorted[k], err);
        i = next;
    }
    free(sorted);
    return status;
}

static int load_regions(struct sp_run *run, const struct sp_filter *filter, struct sp_error *err)
{
    const struct sp_region_row *rows = sp_file_regions(run->file);
    run->regions = calloc((size_t)run->info->region_count + 1, sizeof *run->regions);
    if (!run->regions)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->region_count; i++) {
        size_t bytes;
        const char *name = sp_file_region_name(run->file, i, &bytes);
        struct sp_region *region = &run->regions[i];
        region->name = sp_utf8_valid(name, bytes);
        region->kind = rows[i].kind;
        region->selected = sp_filter_takes(filter, name, bytes);
        if (!sp_utf8_is_valid(name, bytes) && !(region->name_bytes = sp_utf8_hex(name, bytes)))
            return sp_fail(err, "out of memory");
        if (!region->name)
            return sp_fail(err, "out of memory");
    }
    return make_names_unique(run, err);
}

/* The file's name without folders and ending. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return sp_utf8_valid(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* The path from the root, not resolved; to be freed. */
static char *absolute_path(const char *path)
{
    char folder[4096];
    if (path[0] == '/' || !getcwd(folder, sizeof folder))
        return strdup(path);
    size_t size = strlen(folder) + strlen(path) + 2;
    char *absolute = malloc(size);
    if (absolute)
        snprintf(absolute, size, "%s/%s", folder, path);
    return absolute;
}

static int load_description(struct sp_run *run, const char *path, const char *label, struct sp_error *err)
{
    run->metadata = json_loads(sp_file_metadata(run->file), JSON_ALLOW_NUL, NULL);
    if (!json_is_object(run->metadata)) {
        json_decref(run->metadata);
        run->metadata = json_object();
    }
    const char *stored = json_string_value(json_object_get(run->metadata, "label"));
    if (!label && stored && stored[0])
        label = stored;
    run->label = label ? sp_utf8_valid(label, strlen(label)) : stem_of(path);
    run->path = absolute_path(path);
    if (!run->label || !run->path || !run->metadata)
        return sp_fail(err, "out of memory");
    return 0;
}

static int load_hosts(struct sp_run *run, struct sp_error *err)
{
    const struct sp_host *hosts = sp_file_hosts(run->file);
    run->hosts = calloc((size_t)run->info->host_count + 1, sizeof(char *));
    if (!run->hosts)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->host_count; i++)
        if (!(run->hosts[i] = sp_utf8_valid(hosts[i].name, strnlen(hosts[i].name, sizeof hosts[i].name))))
            return sp_fail(err, "out of memory");
    return 0;
}

static int load_ranks(struct sp_run *run, const struct sp_texts *lists, struct sp_error *err)
{
    const struct sp_rank *ranks = sp_file_ranks(run->file);
    run->ranks = calloc((size_t)run->info->rank_count + 1, sizeof *run->ranks);
    if (!run->ranks)
        return sp_fail(err, "out of memory");
    if (sp_ranks_select(lists, run->info->rank_count, run->label, run->ranks, err))
        return -1;
    for (int32_t i = 0; i < run->info->rank_count; i++) {
        run->rank_count += run->ranks[i];
        run->events_dropped += ranks[i].events_dropped;
        run->total_ns = ranks[i].end_ns > run->total_ns ? ranks[i].end_ns : run->total_ns;
    }
    run->time_ns = sp_run_time_of(ranks, run->info->rank_count, &run->init_known, &run->finalize_known);
    if (run->info->sums_only && run->time_ns == 0)
        run->time_ns = -1;
    return 0;
}

static int open_run(struct sp_run *run, const char *path, const char *label, const struct sp_filter *filter, const struct sp_texts *ranks,
    struct sp_error *err)
{
    if (sp_file_open(path, &run->file, err))
        return -1;
    run->info = sp_file_info(run->file);
    if (load_description(run, path, label, err) || load_hosts(run, err) || load_regions(run, filter, err))
        return -1;
    return load_ranks(run, ranks, err);
}

int sp_run_load(const struct sp_crew *crew, const char *path, const char *label, const struct sp_filter *filter,
    const struct sp_texts *ranks, const struct sp_window *window, bool want_paths, struct sp_run **run, struct sp_error *err)
{
    *run = NULL;
    struct sp_run *new = calloc(1, sizeof *new);
    int status = new ? open_run(new, path, label, filter, ranks, err) : sp_fail(err, "out of memory");
    if (sp_crew_agree(crew, status, err))
        goto fail;
    if (sp_run_place_window(crew, new, window, err) || sp_run_load_statistics(crew, new, want_paths, err))
        goto fail;
    *run = new;
    return 0;
fail:
    sp_run_close(new);
    return -1;
}

void sp_run_close(struct sp_run *run)
{
    if (!run)
        return;
    for (int32_t i = 0; run->regions && i < run->info->region_count; i++) {
        free(run->regions[i].name);
        free(run->regions[i].name_bytes);
    }
    free(run->regions);
    for (int32_t i = 0; run->hosts && i < run->info->host_count; i++)
        free(run->hosts[i]);
    free(run->hosts);
    free(run->ranks);
    free(run->entries);
    free(run->paths);
    free(run->uses);
    free(run->path);
    free(run->label);
    json_decref(run->metadata);
    sp_file_close(run->file);
    free(run);
}
