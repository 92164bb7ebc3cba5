/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_inspection.h"

#include "sp_error.h"
#include "sp_grid.h"
#include "sp_number.h"
#include "sp_sheet.h"
#include "sp_utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_COLUMNS 96

static void write_shown(FILE *out, const char *text, size_t columns)
{
    char *shown = text[0] ? sp_utf8_show(text, columns) : NULL;
    fputs(shown ? shown : "", out);
    free(shown);
}

/* Time from the first region entry to the last exit; NaN without calls. */
static double wall_ns(const struct sp_run *run)
{
    int64_t start = INT64_MAX, end = INT64_MIN;
    for (size_t i = 0; i < run->path_count; i++) {
        start = run->paths[i].stats.first_start < start ? run->paths[i].stats.first_start : start;
        end = run->paths[i].stats.last_end > end ? run->paths[i].stats.last_end : end;
    }
    return run->path_count ? (double)(end - start) : NAN;
}

void sp_inspection_write_head(const struct sp_run *run, FILE *out)
{
    char wall[SP_NUMBER_SIZE], total[SP_NUMBER_SIZE], bytes[SP_NUMBER_SIZE];
    const struct sp_file_info *info = run->info;
    char *valid = sp_utf8_valid(run->path, strlen(run->path));
    write_shown(out, valid ? valid : "?", 0);
    free(valid);
    fprintf(out, "\n%d rank(s), %d region(s), %s, %s wall clock, %s total (setup to finalize)\n", (int)info->rank_count,
        (int)info->region_count, sp_number_bytes(bytes, (double)info->file_bytes), sp_number_duration(wall, wall_ns(run)),
        sp_number_duration(total, (double)run->total_ns));
    fprintf(out, "%" PRIu64 " event(s) of %d lane(s) on %d host(s); written by ", info->event_count, (int)info->lane_count,
        (int)info->host_count);
    write_shown(out, info->creator, 60);
    fprintf(out, "; %s, trace %s", info->state == SP_FILE_RECOVERED ? "recovered" : "complete",
        info->trace == SP_TRACE_COMPLETE        ? "complete"
            : info->trace == SP_TRACE_TRUNCATED ? "truncated"
                                                : "off");
    if (run->events_dropped)
        fprintf(out, " (%" PRIu64 " events dropped)", run->events_dropped);
    fputc('\n', out);
}

int sp_inspection_write_metadata(const struct sp_run *run, bool full, FILE *out, struct sp_error *err)
{
    const char *key;
    json_t *value;
    if (json_object_size(run->metadata))
        fputs("\nMetadata\n", out);
    json_object_foreach(run->metadata, key, value)
    {
        char *dumped = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
        const char *text = json_is_string(value) ? json_string_value(value) : dumped;
        if (!text)
            return sp_fail(err, "out of memory");
        fputs("  ", out);
        write_shown(out, key, 40);
        fputs(": ", out);
        write_shown(out, text, full ? 0 : VALUE_COLUMNS);
        fputc('\n', out);
        free(dumped);
    }
    return 0;
}

/* "    solve (100x)": what stands in the first column. To be freed. */
static char *row_label(const struct sp_run *run, const struct sp_tree_row *row)
{
    char calls[SP_NUMBER_SIZE];
    int indent = row->depth < 30 ? 2 * row->depth : 60;
    char *name = row->own ? strdup("(own)") : sp_utf8_show(run->regions[row->region].name, 40);
    size_t size = name ? strlen(name) + (size_t)indent + 64 : 0;
    char *label = name ? malloc(size) : NULL;
    if (label && row->own)
        snprintf(label, size, "%*s%s", indent, "", name);
    else if (label)
        snprintf(label, size, "%*s%s (%sx)", indent, "", name, sp_number_count(calls, (double)row->stats.calls));
    free(name);
    return label;
}

static void add_row(struct sp_grid *grid, const struct sp_run *run, const struct sp_tree_row *row)
{
    char text[SP_NUMBER_SIZE];
    char *label = row_label(run, row);
    sp_grid_add(grid, label ? label : "?");
    free(label);
    snprintf(text, sizeof text, "%d", (int)row->rank_count);
    sp_grid_add(grid, row->own ? "" : text);
    snprintf(text, sizeof text, "%" PRIu64, row->stats.calls);
    sp_grid_add(grid, row->own ? "" : text);
    bool timed = row->stats.calls && sp_run_is_timed(run, row->region);
    sp_grid_add(grid, sp_number_duration(text, sp_run_is_timed(run, row->region) ? (double)row->stats.total : NAN));
    sp_grid_add(grid, sp_number_duration(text, timed ? (double)row->stats.total / (double)row->stats.calls : NAN));
}

static int write_grid(const struct sp_run *run, const struct sp_tree_row *rows, size_t count, bool boxes, FILE *out, struct sp_error *err)
{
    static const char *const headers[] = {"<region", "ranks", "calls", "total", "avg"};
    struct sp_grid *grid = sp_grid_create("Call paths", headers, 5);
    if (grid)
        sp_grid_keep_whole(grid);
    for (size_t i = 0; grid && i < count; i++)
        add_row(grid, run, &rows[i]);
    bool sound = grid && sp_grid_is_sound(grid);
    if (sound && count) {
        fputc('\n', out);
        sp_grid_write(grid, out, boxes);
    }
    sp_grid_destroy(grid);
    return sound ? 0 : sp_fail(err, "out of memory");
}

int sp_inspection_write_tree(
    const struct sp_run *run, const struct sp_tree_row *rows, size_t count, bool boxes, FILE *out, struct sp_error *err)
{
    if (write_grid(run, rows, count, boxes, out, err))
        return -1;
    if (!run->path_count)
        fputs("\nNo timing data found - this file recorded no calls.\n", out);
    else if (!count)
        fputs(
            "\nNo timing data left - this file recorded calls, but none of what the filters (-i, -e, -r, --time, --min-duration) select.\n",
            out);
    return 0;
}

/* What the sheet of the tree draws from. */
struct tree {
    const struct sp_run *run;
    const struct sp_tree_row *rows;
};

static void fill(const void *data, size_t which, struct sp_cell *cells)
{
    const struct tree *tree = data;
    const struct sp_tree_row *row = &tree->rows[which];
    const struct sp_region *region = &tree->run->regions[row->region];
    bool own = row->own;
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_integer(row->callpath);
    *cell++ = sp_cell_integer(row->depth);
    *cell++ = sp_cell_text(own ? "(own)" : region->name);
    *cell++ = sp_cell_text(sp_region_kind_name(region->kind));
    *cell++ = sp_cell_integer(row->rank_count);
    *cell++ = sp_cell_integer((int64_t)row->stats.calls);
    *cell++ = sp_cell_seconds((double)row->stats.total);
    *cell++ = sp_cell_seconds((double)row->stats.self);
    *cell++ = sp_cell_seconds(own ? NAN : sp_stats_mean(&row->stats));
    *cell++ = sp_cell_seconds(own ? NAN : (double)row->stats.min);
    *cell++ = sp_cell_seconds(own ? NAN : (double)row->stats.max);
    *cell++ = sp_cell_seconds(own ? NAN : sp_run_std_ns(tree->run, &row->stats));
    for (size_t i = 6; i < 12 && !sp_run_is_timed(tree->run, row->region); i++)
        cells[i] = (struct sp_cell){.kind = SP_CELL_NONE}; /* total_seconds to std_seconds */
}

json_t *sp_inspection_tree(const struct sp_run *run, const struct sp_tree_row *rows, size_t count)
{
    static const char *const columns[] = {"call_path", "depth", "region", "kind", "ranks", "calls", "total_seconds", "self_seconds",
        "avg_seconds", "min_seconds", "max_seconds", "std_seconds"};
    struct tree tree = {run, rows};
    struct sp_sheet sheet = {"call_paths", columns, sizeof columns / sizeof columns[0], count, &tree, fill};
    return sp_sheet_rows(&sheet);
}

json_t *sp_inspection_document(const struct sp_run *run)
{
    char *path = sp_utf8_valid(run->path, strlen(run->path));
    double wall = wall_ns(run);
    json_t *document = json_object();
    int status = !path || json_object_set_new(document, "file", json_string(run->label));
    status |= json_object_set_new(document, "file_path", json_string(path));
    status |= json_object_set_new(document, "num_ranks", json_integer(run->info->rank_count));
    status |= json_object_set_new(document, "num_regions", json_integer(run->info->region_count));
    status |= json_object_set_new(document, "num_events", json_integer((json_int_t)run->info->event_count));
    status |= json_object_set_new(document, "file_bytes", json_integer(run->info->file_bytes));
    status |= json_object_set_new(document, "wall_seconds", isnan(wall) ? json_null() : json_real(wall / 1e9));
    status |= json_object_set_new(document, "total_seconds", json_real((double)run->total_ns / 1e9));
    status |= json_object_set_new(document, "metadata", json_incref(run->metadata));
    free(path);
    if (!status)
        return document;
    json_decref(document);
    return NULL;
}
