/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_schema3.h"
#include "sp_hdf5.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SMALL_BYTES 65536 /* datasets up to this size are contiguous */
#define INDEX_CHUNK 256
#define EVENT_CHUNK 65536
#define COMPRESSED_FROM 16384 /* events */
#define CACHE_BYTES ((size_t)32 << 20)

enum {
    REGION,
    RANK,
    LINE,
    FILE_NAME,
    TEXT,
    TAGS,
    EVENT_METADATA,
    OFFSET,
    COUNT,
    EXCLUSIVE,
    SUMMARY,
    A_COUNT,
    A_TOTAL,
    A_MIN,
    A_MAX,
    A_OWN
};

/* The columns of /rank_region_index; layout: in which of the two they stand. */
static const struct column {
    const char *name;
    int events, sums;
} columns[] = {{"region_ids", 1, 1}, {"ranks", 1, 1}, {"source_lines", 1, 1}, {"source_files", 1, 1}, {"source_texts", 1, 1},
    {"tags", 1, 1}, {"event_metadata", 1, 1}, {"event_offsets", 1, 0}, {"event_counts", 1, 0}, {"exclusive_totals", 1, 0},
    {"summary_statistics", 1, 0}, {"aggregate_counts", 0, 1}, {"aggregate_totals", 0, 1}, {"aggregate_minimums", 0, 1},
    {"aggregate_maximums", 0, 1}, {"aggregate_exclusives", 0, 1}};

#define COLUMNS (sizeof columns / sizeof columns[0])

struct summary {
    int64_t total, minimum, maximum, first, last, start_minimum, end_maximum;
    uint64_t gpu_count;
    int64_t gpu_total;
    double mean, m2;
};

struct sp_schema3 {
    char *path;
    hid_t file, text, summary;
    hid_t index[COLUMNS]; /* negative where the layout has no such column */
    hid_t deltas, durations, threads;
    uint64_t rows;
    int sums_only;
};

static int fail(const struct sp_schema3 *file, struct sp_error *err, const char *what)
{
    return sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write %s", file->path, what);
}

static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

static hid_t summary_type(void)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(struct summary));
    if (type < 0)
        return -1;
    H5Tinsert(type, "total", HOFFSET(struct summary, total), H5T_NATIVE_INT64);
    H5Tinsert(type, "minimum", HOFFSET(struct summary, minimum), H5T_NATIVE_INT64);
    H5Tinsert(type, "maximum", HOFFSET(struct summary, maximum), H5T_NATIVE_INT64);
    H5Tinsert(type, "first", HOFFSET(struct summary, first), H5T_NATIVE_INT64);
    H5Tinsert(type, "last", HOFFSET(struct summary, last), H5T_NATIVE_INT64);
    H5Tinsert(type, "start_minimum", HOFFSET(struct summary, start_minimum), H5T_NATIVE_INT64);
    H5Tinsert(type, "end_maximum", HOFFSET(struct summary, end_maximum), H5T_NATIVE_INT64);
    H5Tinsert(type, "gpu_count", HOFFSET(struct summary, gpu_count), H5T_NATIVE_UINT64);
    H5Tinsert(type, "gpu_total", HOFFSET(struct summary, gpu_total), H5T_NATIVE_INT64);
    H5Tinsert(type, "mean", HOFFSET(struct summary, mean), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "m2", HOFFSET(struct summary, m2), H5T_NATIVE_DOUBLE);
    return type;
}

/* Contiguous while small, else in chunks, compressed where asked for. */
static hid_t create_column(hid_t group, const char *name, hid_t type, uint64_t rows, hsize_t chunk, int compress)
{
    hsize_t size = rows;
    hid_t space = H5Screate_simple(1, &size, NULL), create = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    herr_t status = H5Pset_obj_track_times(create, 0);
    chunk = chunk < rows ? chunk : rows;
    if (status >= 0 && rows * H5Tget_size(type) > SMALL_BYTES) {
        status = H5Pset_chunk(create, 1, &chunk);
        if (status >= 0)
            status = H5Pset_chunk_cache(access, 521, CACHE_BYTES, H5D_CHUNK_CACHE_W0_DEFAULT);
        if (status >= 0 && compress)
            status = H5Pset_shuffle(create) < 0 || H5Pset_deflate(create, 4) < 0 ? -1 : 0;
    }
    hid_t dataset = status >= 0 ? H5Dcreate2(group, name, type, space, H5P_DEFAULT, create, access) : -1;
    hid_t noted = H5Eget_current_stack();
    H5Pclose(access);
    H5Pclose(create);
    H5Sclose(space);
    H5Eset_current_stack(noted);
    return dataset;
}

static int write_attribute(hid_t object, const char *name, hid_t type, const hsize_t *count, const void *value)
{
    hid_t space = count ? H5Screate_simple(1, count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = attribute >= 0 ? H5Awrite(attribute, type, value) : -1;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return status < 0 ? -1 : 0;
}

/* An attribute has room for 64 KiB: 4 000 texts. */
static int is_list_of_texts(const json_t *value)
{
    size_t i;
    json_t *item;
    json_array_foreach(value, i, item) if (!json_is_string(item)) return 0;
    return json_array_size(value) > 0 && json_array_size(value) < 4000;
}

static int write_list(const struct sp_schema3 *file, hid_t group, const char *name, const json_t *list)
{
    hsize_t count = json_array_size(list);
    const char **texts = calloc((size_t)count, sizeof *texts);
    for (size_t i = 0; texts && i < count; i++)
        texts[i] = json_string_value(json_array_get(list, i));
    int status = texts ? write_attribute(group, name, file->text, &count, texts) : -1;
    free(texts);
    return status;
}

static int write_value(const struct sp_schema3 *file, hid_t group, const char *name, const json_t *value)
{
    if (json_is_integer(value)) {
        int64_t integer = json_integer_value(value);
        return write_attribute(group, name, H5T_NATIVE_INT64, NULL, &integer);
    }
    if (json_is_real(value)) {
        double real = json_real_value(value);
        return write_attribute(group, name, H5T_NATIVE_DOUBLE, NULL, &real);
    }
    if (is_list_of_texts(value))
        return write_list(file, group, name, value);
    char *dumped = json_is_string(value) ? NULL : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *text = dumped ? dumped : json_string_value(value);
    int status = text ? write_attribute(group, name, file->text, NULL, &text) : -1;
    free(dumped);
    return status;
}

static int write_metadata(const struct sp_schema3 *file, const char *text, struct sp_error *err)
{
    json_t *metadata = json_loads(text, JSON_ALLOW_NUL, NULL), *value;
    const char *name;
    hid_t group = H5Gcreate2(file->file, "metadata", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int status = group < 0 ? -1 : 0;
    json_object_foreach(metadata, name, value)
    {
        if (status == 0 && *name)
            status = write_value(file, group, name, value);
    }
    json_decref(metadata);
    if (group >= 0)
        H5Gclose(group);
    return status < 0 ? fail(file, err, "its metadata") : 0;
}

static hid_t column_type(const struct sp_schema3 *file, size_t column)
{
    switch (column) {
    case REGION:
    case RANK: return H5T_NATIVE_UINT32;
    case OFFSET:
    case COUNT:
    case A_COUNT: return H5T_NATIVE_UINT64;
    case FILE_NAME:
    case TEXT:
    case TAGS:
    case EVENT_METADATA: return file->text;
    case SUMMARY: return file->summary;
    default: return H5T_NATIVE_INT64;
    }
}

static int create_index(struct sp_schema3 *file, uint64_t rows, struct sp_error *err)
{
    hid_t group = H5Gcreate2(file->file, "rank_region_index", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int status = group < 0 ? -1 : 0;
    for (size_t c = 0; status == 0 && c < COLUMNS; c++)
        if (file->sums_only ? columns[c].sums : columns[c].events) {
            file->index[c] = create_column(group, columns[c].name, column_type(file, c), rows, INDEX_CHUNK, 0);
            status = file->index[c] < 0 ? -1 : 0;
        }
    if (status < 0)
        fail(file, err, "its index");
    if (group >= 0)
        H5Gclose(group);
    return status;
}

static int create_events(struct sp_schema3 *file, const struct sp_schema3_plan *plan, struct sp_error *err)
{
    int compress = plan->event_count >= COMPRESSED_FROM;
    hid_t group = H5Gcreate2(file->file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) {
        file->deltas = create_column(group, "start_deltas", H5T_NATIVE_INT64, plan->event_count, EVENT_CHUNK, compress);
        file->durations = create_column(group, "durations", H5T_NATIVE_INT64, plan->event_count, EVENT_CHUNK, compress);
        if (plan->has_threads)
            file->threads = create_column(group, "thread_ids", H5T_NATIVE_INT64, plan->event_count, EVENT_CHUNK, compress);
    }
    int status = group < 0 || file->deltas < 0 || file->durations < 0 || (plan->has_threads && file->threads < 0)
        ? fail(file, err, "its events")
        : 0;
    if (group >= 0)
        H5Gclose(group);
    return status;
}

static int write_names(const struct sp_schema3 *file, const struct sp_schema3_plan *plan, struct sp_error *err)
{
    hid_t group = H5Gcreate2(file->file, "region_table", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t names = group >= 0 ? create_column(group, "names", file->text, plan->region_count, INDEX_CHUNK, 0) : -1;
    int status = names < 0 ||
            (plan->region_count > 0 &&
                sp_hdf5_write_rows(names, file->text, H5P_DEFAULT, 0, plan->region_count, (const void *)plan->region_names) < 0)
        ? fail(file, err, "the names of regions")
        : 0;
    if (names >= 0)
        H5Dclose(names);
    if (group >= 0)
        H5Gclose(group);
    return status;
}

static int create_all(struct sp_schema3 *file, const struct sp_schema3_plan *plan, struct sp_error *err)
{
    const char *layout = plan->sums_only ? "aggregate" : "columnar";
    int64_t schema = 3;
    sp_hdf5_init();
    file->file = H5Fcreate(file->path, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
    if (file->file < 0)
        return sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot be created", file->path);
    file->text = text_type();
    file->summary = summary_type();
    if (file->text < 0 || file->summary < 0 || write_attribute(file->file, "scope_profiler_schema", H5T_NATIVE_INT64, NULL, &schema) < 0 ||
        write_attribute(file->file, "storage_layout", file->text, NULL, &layout) < 0)
        return fail(file, err, "its attributes");
    if (write_metadata(file, plan->metadata, err) < 0 || write_names(file, plan, err) < 0 || create_index(file, plan->row_count, err) < 0)
        return -1;
    return plan->sums_only ? 0 : create_events(file, plan, err);
}

int sp_schema3_create(const char *path, const struct sp_schema3_plan *plan, struct sp_schema3 **out, struct sp_error *err)
{
    *out = NULL;
    struct sp_schema3 *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return sp_fail(err, "%s: out of memory", path);
    }
    file->sums_only = plan->sums_only;
    file->file = file->text = file->summary = file->deltas = file->durations = file->threads = -1;
    for (size_t c = 0; c < COLUMNS; c++)
        file->index[c] = -1;
    if (create_all(file, plan, err) < 0) {
        sp_schema3_close(file, NULL);
        return -1;
    }
    *out = file;
    return 0;
}

/* Mean and sum of squared deviations; calls^2 times the variance is exact. */
static struct summary summary_of(const struct sp_schema3_row *row)
{
    const struct sp_stats *stats = &row->stats;
    double calls = (double)stats->calls;
    return (struct summary){stats->total, stats->min, stats->max, stats->first, stats->last, stats->first_start, row->end_maximum, 0, 0,
        sp_stats_mean(stats), calls > 0 ? (double)(sp_stats_spread(stats) / (long double)stats->calls) : 0};
}

/* The value of a row in a column, where to[i] lies. */
static void fill(size_t column, const struct sp_schema3_row *row, void *to)
{
    const struct sp_stats *stats = &row->stats;
    const char **text = to;
    int64_t *number = to;
    switch (column) {
    case REGION: *(uint32_t *)to = row->region; break;
    case RANK: *(uint32_t *)to = row->rank; break;
    case LINE: *number = row->source_line; break;
    case FILE_NAME: *text = row->source_file; break;
    case TEXT: *text = ""; break;
    case TAGS: *text = row->tags; break;
    case EVENT_METADATA: *text = "[]"; break;
    case OFFSET: *number = (int64_t)row->event_offset; break;
    case A_COUNT:
    case COUNT: *number = (int64_t)stats->calls; break;
    case A_OWN:
    case EXCLUSIVE: *number = row->has_exclusive ? stats->self : -1; break;
    case SUMMARY: *(struct summary *)to = summary_of(row); break;
    case A_TOTAL: *number = stats->total; break;
    case A_MIN: *number = stats->min; break;
    case A_MAX: *number = stats->max; break;
    default: break;
    }
}

int sp_schema3_add_rows(struct sp_schema3 *file, const struct sp_schema3_row *rows, size_t count, struct sp_error *err)
{
    char *values = malloc(count * sizeof(struct summary) + 1);
    int status = values ? 0 : sp_fail(err, "%s: out of memory", file->path);
    for (size_t c = 0; status == 0 && c < COLUMNS; c++) {
        if (file->index[c] < 0)
            continue;
        hid_t type = column_type(file, c);
        for (size_t i = 0; i < count; i++)
            fill(c, &rows[i], values + i * H5Tget_size(type));
        if (sp_hdf5_write_rows(file->index[c], type, H5P_DEFAULT, file->rows, count, values) < 0)
            status = fail(file, err, columns[c].name);
    }
    free(values);
    file->rows += count;
    return status;
}

int sp_schema3_write_events(struct sp_schema3 *file, uint64_t first, size_t count, const int64_t *start_deltas, const int64_t *durations,
    const int64_t *threads, struct sp_error *err)
{
    if (sp_hdf5_write_rows(file->deltas, H5T_NATIVE_INT64, H5P_DEFAULT, first, count, start_deltas) < 0 ||
        sp_hdf5_write_rows(file->durations, H5T_NATIVE_INT64, H5P_DEFAULT, first, count, durations) < 0 ||
        (threads && sp_hdf5_write_rows(file->threads, H5T_NATIVE_INT64, H5P_DEFAULT, first, count, threads) < 0))
        return fail(file, err, "events");
    return 0;
}

/* One column of the thread table. */
static int write_column(hid_t group, const char *name, hid_t type, size_t count, const void *values)
{
    hid_t dataset = create_column(group, name, type, count, INDEX_CHUNK, 0);
    int status = dataset < 0 || (count > 0 && sp_hdf5_write_rows(dataset, type, H5P_DEFAULT, 0, count, values) < 0) ? -1 : 0;
    if (dataset >= 0)
        H5Dclose(dataset);
    return status;
}

struct thread_columns {
    uint32_t *ranks;
    int64_t *index, *unknown, *start_ns, *end_ns;
    int8_t *daemon;
    const char **names;
};

static void free_columns(struct thread_columns *all)
{
    free(all->ranks);
    free(all->index);
    free(all->unknown);
    free(all->start_ns);
    free(all->end_ns);
    free(all->daemon);
    free(all->names);
}

int sp_schema3_write_threads(struct sp_schema3 *file, const struct sp_schema3_thread *threads, size_t count, struct sp_error *err)
{
    struct thread_columns all = {calloc(count + 1, 4), calloc(count + 1, 8), calloc(count + 1, 8), calloc(count + 1, 8),
        calloc(count + 1, 8), calloc(count + 1, 1), calloc(count + 1, sizeof(char *))};
    if (!all.ranks || !all.index || !all.unknown || !all.start_ns || !all.end_ns || !all.daemon || !all.names) {
        free_columns(&all);
        return sp_fail(err, "%s: out of memory", file->path);
    }
    for (size_t i = 0; i < count; i++) {
        all.ranks[i] = threads[i].rank;
        all.index[i] = threads[i].index;
        all.unknown[i] = -1;
        all.start_ns[i] = threads[i].start_ns;
        all.end_ns[i] = threads[i].end_ns;
        all.names[i] = threads[i].name;
    }
    hid_t group = H5Gcreate2(file->file, "thread_table", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), int64 = H5T_NATIVE_INT64;
    int status = group < 0 || write_column(group, "ranks", H5T_NATIVE_UINT32, count, all.ranks) < 0 ||
            write_column(group, "index", int64, count, all.index) < 0 || write_column(group, "ident", int64, count, all.unknown) < 0 ||
            write_column(group, "native_id", int64, count, all.unknown) < 0 ||
            write_column(group, "start_ns", int64, count, all.start_ns) < 0 ||
            write_column(group, "end_ns", int64, count, all.end_ns) < 0 || write_column(group, "cpu_ns", int64, count, all.unknown) < 0 ||
            write_column(group, "daemon", H5T_NATIVE_INT8, count, all.daemon) < 0 ||
            write_column(group, "name", file->text, count, all.names) < 0
        ? fail(file, err, "its threads")
        : 0;
    if (group >= 0)
        H5Gclose(group);
    free_columns(&all);
    return status;
}

/* Closing writes what is still in caches. */
static int close_dataset(hid_t dataset)
{
    return dataset >= 0 && H5Dclose(dataset) < 0 ? -1 : 0;
}

int sp_schema3_close(struct sp_schema3 *file, struct sp_error *err)
{
    int status = 0;
    if (!file)
        return 0;
    for (size_t c = 0; c < COLUMNS; c++)
        status |= close_dataset(file->index[c]);
    status |= close_dataset(file->deltas) | close_dataset(file->durations) | close_dataset(file->threads);
    if (file->text >= 0)
        H5Tclose(file->text);
    if (file->summary >= 0)
        H5Tclose(file->summary);
    if (file->file >= 0 && H5Fclose(file->file) < 0)
        status = -1;
    if (status < 0)
        fail(file, err, "the rest of it");
    free(file->path);
    free(file);
    return status;
}
