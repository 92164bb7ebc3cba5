/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_plan.h"
#include "sp_hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void add(struct sp_plan *plan, const char *name, const struct sp_table *table, enum sp_type type, uint64_t rows)
{
    struct sp_dataset *dataset = &plan->datasets[plan->count++];
    snprintf(dataset->name, sizeof dataset->name, "%s", name);
    dataset->table = table;
    dataset->type = type;
    dataset->rows = rows;
    dataset->is_checked = 1;
}

static void add_columns(struct sp_plan *plan, const struct sp_table *group, uint64_t rows, const struct sp_compression *compression)
{
    for (size_t i = 0; i < group->field_count; i++) {
        char name[sizeof plan->datasets[0].name];
        snprintf(name, sizeof name, "%s/%s", group->name, group->fields[i].name);
        add(plan, name, NULL, group->fields[i].type, rows);
        if (!compression)
            continue;
        plan->datasets[plan->count - 1].layout = sp_layout_of(*compression, 1, rows, group->fields[i].bytes);
        plan->datasets[plan->count - 1].is_checked = 0; /* by the blocks */
    }
}

void sp_plan_make(struct sp_plan *plan, const struct sp_sizes *sizes, struct sp_compression compression)
{
    memset(plan, 0, sizeof *plan);
    add(plan, "metadata", NULL, SP_TYPE_UINT8, sizes->metadata_bytes);
    add(plan, "strings", NULL, SP_TYPE_UINT8, sizes->string_bytes);
    add(plan, "hosts", &sp_table_hosts, 0, sizes->hosts);
    add(plan, "ranks", &sp_table_ranks, 0, sizes->ranks);
    add(plan, "lanes", &sp_table_lanes, 0, sizes->lanes);
    add(plan, "regions", &sp_table_regions, 0, sizes->regions);
    add(plan, "callpaths", &sp_table_callpaths, 0, sizes->callpaths);
    add(plan, "communicators", &sp_table_communicators, 0, sizes->communicators);
    add(plan, "members", NULL, SP_TYPE_INT32, sizes->members);
    add(plan, "event_blocks", &sp_table_event_blocks, 0, sizes->event_blocks);
    add(plan, "message_blocks", &sp_table_message_blocks, 0, sizes->message_blocks);
    add(plan, "histograms", &sp_table_histograms, 0, sizes->histograms);
    add(plan, "traffic", &sp_table_traffic, 0, sizes->traffic);
    add(plan, "message_sizes", &sp_table_message_sizes, 0, sizes->message_sizes);
    add_columns(plan, &sp_columns_statistics, sizes->statistics, NULL);
    add(plan, "checksums", &sp_table_checksums, 0, plan->count);
    plan->datasets[plan->count - 1].is_checked = 0;
    add_columns(plan, &sp_columns_events, sizes->events, &compression);
    add_columns(plan, &sp_columns_messages, sizes->messages, &compression);
}

const struct sp_dataset *sp_plan_find(const struct sp_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->datasets[i].name, name) == 0)
            return &plan->datasets[i];
    return NULL;
}

size_t sp_dataset_row_bytes(const struct sp_dataset *dataset)
{
    static const size_t bytes[] = {
        [SP_TYPE_INT32] = 4, [SP_TYPE_UINT32] = 4, [SP_TYPE_INT64] = 8, [SP_TYPE_UINT64] = 8, [SP_TYPE_UINT8] = 1};
    return dataset->table ? sp_schema_packed_bytes(dataset->table) : bytes[dataset->type];
}

uint64_t sp_plan_growth(const struct sp_plan *plan)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct sp_dataset *dataset = &plan->datasets[i];
        if (dataset->layout.chunk_rows == 0)
            continue;
        uint64_t chunks = dataset->rows / dataset->layout.chunk_rows + 1;
        uint64_t chunk_bytes = dataset->layout.chunk_rows * sp_dataset_row_bytes(dataset);
        /* incompressible data grow by 5 bytes in 16 KiB; an index entry takes 24 bytes, in nodes of 64 that may be half empty */
        bytes += chunks * (chunk_bytes + chunk_bytes / 2048 + 128) + 16384;
    }
    return bytes;
}

static hid_t creation_properties(const struct sp_dataset *dataset)
{
    hsize_t chunk = dataset->layout.chunk_rows;
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (properties < 0)
        return -1;
    herr_t status = H5Pset_obj_track_times(properties, 0);
    if (status >= 0)
        status = H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
    if (status >= 0)
        status = H5Pset_alloc_time(properties, chunk ? H5D_ALLOC_TIME_INCR : H5D_ALLOC_TIME_EARLY);
    if (status >= 0 && chunk)
        status = H5Pset_chunk(properties, 1, &chunk);
    if (status >= 0 && chunk)
        status = H5Pset_shuffle(properties);
    if (status >= 0 && chunk)
        status = H5Pset_deflate(properties, (unsigned)dataset->layout.level);
    if (status < 0) {
        H5Pclose(properties);
        return -1;
    }
    return properties;
}

static int create_dataset(hid_t file, const struct sp_dataset *dataset)
{
    hsize_t rows = dataset->rows;
    hid_t type = dataset->table ? sp_schema_compound(dataset->table) : H5Tcopy(sp_schema_file_type(dataset->type));
    hid_t space = H5Screate_simple(1, &rows, NULL);
    hid_t properties = creation_properties(dataset);
    hid_t created = -1;
    if (type >= 0 && space >= 0 && properties >= 0)
        created = H5Dcreate2(file, dataset->name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    int status = created >= 0 && H5Dclose(created) >= 0 ? 0 : -1;
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    if (properties >= 0)
        H5Pclose(properties);
    return status;
}

/* Groups without times, their links in one object header. */
static int set_group_properties(hid_t properties)
{
    return H5Pset_obj_track_times(properties, 0) < 0 || H5Pset_link_phase_change(properties, SP_DATASETS_MAX, SP_DATASETS_MAX / 2) < 0 ? -1
                                                                                                                                       : 0;
}

static int create_group(hid_t file, const char *name)
{
    hid_t properties = H5Pcreate(H5P_GROUP_CREATE), group = -1;
    if (properties < 0)
        return -1;
    if (set_group_properties(properties) == 0)
        group = H5Gcreate2(file, name, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Pclose(properties);
    return group >= 0 && H5Gclose(group) >= 0 ? 0 : -1;
}

static int add_attribute(hid_t file, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR), attribute = -1;
    if (space < 0)
        return -1;
    attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int status = attribute >= 0 && H5Awrite(attribute, type, value) >= 0 ? 0 : -1;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return status;
}

/* Of a fixed length, so that the state can be written over. */
static int add_text(hid_t file, const char *name, const char *value, size_t bytes)
{
    char text[256] = "";
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0)
        return -1;
    snprintf(text, bytes < sizeof text ? bytes + 1 : sizeof text, "%s", value);
    int status = -1;
    if (H5Tset_size(type, bytes) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0)
        status = add_attribute(file, name, type, text);
    H5Tclose(type);
    return status;
}

static int add_attributes(hid_t file, const struct sp_file_attributes *attributes)
{
    int32_t version = SP_FORMAT_VERSION_NUMBER;
    if (add_text(file, "format", SP_FORMAT_NAME, sizeof SP_FORMAT_NAME - 1) < 0 ||
        add_attribute(file, "format_version", H5T_STD_I32LE, &version) < 0 || add_text(file, "creator", attributes->creator, 64) < 0 ||
        add_text(file, "state", "incomplete", 16) < 0 || add_text(file, "trace", attributes->trace, 16) < 0 ||
        add_text(file, "clock_source", attributes->clock_source, 16) < 0 ||
        add_attribute(file, "clock_error_ns", H5T_STD_I64LE, &attributes->clock_error_ns) < 0)
        return -1;
    return 0;
}

static int create_objects(hid_t file, const struct sp_plan *plan, const struct sp_file_attributes *attributes)
{
    if (add_attributes(file, attributes) < 0 || create_group(file, "statistics") < 0 || create_group(file, "events") < 0 ||
        create_group(file, "messages") < 0)
        return -1;
    for (size_t i = 0; i < plan->count; i++)
        if (create_dataset(file, &plan->datasets[i]) < 0)
            return -1;
    return 0;
}

static hid_t create_file(const char *path)
{
    hid_t access = sp_hdf5_access(), creation = H5Pcreate(H5P_FILE_CREATE), file = -1;
    if (access >= 0 && creation >= 0 && set_group_properties(creation) == 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    if (access >= 0)
        H5Pclose(access);
    if (creation >= 0)
        H5Pclose(creation);
    return file;
}

/* The system's word on why a file cannot be made is clearer than HDF5's. */
static int try_to_create(const char *path, struct sp_error *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: cannot create: %s", path, strerror(errno));
    close(fd);
    return 0;
}

int sp_plan_create(const struct sp_plan *plan, const struct sp_file_attributes *attributes, const char *path, struct sp_error *err)
{
    if (try_to_create(path, err) < 0)
        return -1;
    hid_t file = create_file(path);
    if (file < 0)
        return sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot create", path);
    int status = create_objects(file, plan, attributes);
    if (status < 0)
        sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write", path);
    if (H5Fclose(file) < 0 && status == 0)
        status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write", path);
    return status;
}
