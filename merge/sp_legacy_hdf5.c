/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_legacy_hdf5.h"

#include <stdlib.h>
#include <string.h>

#define DENSEST 1100 /* deflate makes at most this many bytes of one */

int sp_legacy_has(hid_t group, const char *name)
{
    int exists = H5Lexists(group, name, H5P_DEFAULT) > 0;
    H5Eclear2(H5E_DEFAULT);
    return exists;
}

/* ---- attributes ---- */

struct attribute {
    hid_t id, type, space;
    hssize_t count;
};

static void close_attribute(struct attribute *attribute)
{
    if (attribute->space >= 0)
        H5Sclose(attribute->space);
    if (attribute->type >= 0)
        H5Tclose(attribute->type);
    if (attribute->id >= 0)
        H5Aclose(attribute->id);
    H5Eclear2(H5E_DEFAULT);
}

/* A null dataspace counts as empty. An attribute lies within 64 KiB unless it is of the dense kind. */
static int open_attribute(hid_t object, const char *name, struct attribute *attribute)
{
    *attribute = (struct attribute){.id = -1, .type = -1, .space = -1};
    if (H5Aexists(object, name) > 0)
        attribute->id = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute->id >= 0) {
        attribute->type = H5Aget_type(attribute->id);
        attribute->space = H5Aget_space(attribute->id);
        attribute->count = attribute->space >= 0 ? H5Sget_simple_extent_npoints(attribute->space) : -1;
    }
    if (attribute->type >= 0 && attribute->count >= 0 && attribute->count <= 1 << 20)
        return 0;
    close_attribute(attribute);
    return -1;
}

int sp_legacy_integer(hid_t object, const char *name, int64_t *value)
{
    struct attribute attribute;
    if (open_attribute(object, name, &attribute) < 0)
        return -1;
    int status =
        attribute.count == 1 && H5Tget_class(attribute.type) == H5T_INTEGER && H5Aread(attribute.id, H5T_NATIVE_INT64, value) >= 0 ? 0 : -1;
    close_attribute(&attribute);
    return status;
}

static json_t *text_value(const char *text, size_t room)
{
    return text ? sp_legacy_text(text, strnlen(text, room)) : json_null();
}

/* Text i of values as H5Dread and H5Aread give them. */
static const char *text_at(const void *values, hid_t type, size_t i, size_t *room)
{
    if (H5Tis_variable_str(type) > 0) {
        *room = SIZE_MAX;
        return ((char *const *)values)[i];
    }
    *room = H5Tget_size(type);
    return (const char *)values + i * *room;
}

static json_t *value_at(const void *values, hid_t type, H5T_class_t class, size_t i)
{
    size_t room;
    if (class == H5T_INTEGER)
        return json_integer(((const int64_t *)values)[i]);
    if (class == H5T_FLOAT) {
        json_t *real = json_real(((const double *)values)[i]);
        return real ? real : json_null(); /* JSON knows no NaN */
    }
    const char *text = text_at(values, type, i, &room);
    return text_value(text, room);
}

json_t *sp_legacy_attribute(hid_t object, const char *name)
{
    struct attribute attribute;
    if (open_attribute(object, name, &attribute) < 0)
        return NULL;
    H5T_class_t class = H5Tget_class(attribute.type);
    hid_t type = class == H5T_INTEGER ? H5T_NATIVE_INT64 : class == H5T_FLOAT ? H5T_NATIVE_DOUBLE : attribute.type;
    size_t count = (size_t)attribute.count, bytes = H5Tget_size(type);
    json_t *value = NULL;
    void *values = class == H5T_INTEGER || class == H5T_FLOAT || class == H5T_STRING ? calloc(count + 1, bytes ? bytes : 1) : NULL;
    if (values && H5Aread(attribute.id, type, values) >= 0) {
        int is_list = H5Sget_simple_extent_type(attribute.space) != H5S_SCALAR;
        value = is_list ? json_array() : count == 1 ? value_at(values, type, class, 0) : NULL;
        for (size_t i = 0; is_list && i < count; i++)
            json_array_append_new(value, value_at(values, type, class, i));
        if (class == H5T_STRING && H5Tis_variable_str(type) > 0)
            H5Dvlen_reclaim(type, attribute.space, H5P_DEFAULT, values);
    }
    free(values);
    close_attribute(&attribute);
    return value;
}

struct noting {
    struct sp_legacy *legacy;
    struct sp_error *err;
};

static herr_t note(hid_t object, const char *name, const H5A_info_t *info, void *data)
{
    struct noting *noting = data;
    (void)info;
    json_t *value = sp_legacy_attribute(object, name), *key = value ? sp_legacy_text(name, strlen(name)) : NULL;
    int status = key ? sp_legacy_note(noting->legacy, json_string_value(key), json_incref(value), noting->err) : 0;
    json_decref(key);
    json_decref(value);
    return status;
}

int sp_legacy_metadata(hid_t file, struct sp_legacy *legacy, struct sp_error *err)
{
    struct noting noting = {legacy, err};
    hsize_t at = 0;
    hid_t group = sp_legacy_has(file, "metadata") ? H5Oopen(file, "metadata", H5P_DEFAULT) : -1;
    if (group < 0)
        return 0;
    err->code = 0;
    herr_t status = H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, &at, note, &noting);
    H5Oclose(group);
    if (status < 0 && err->code == 0)
        return sp_legacy_damaged(legacy, err, "its metadata");
    return status < 0 ? -1 : 0;
}

/* ---- datasets ---- */

struct dataset {
    hid_t id, type, space;
    uint64_t count;
};

static void close_dataset(struct dataset *dataset)
{
    if (dataset->space >= 0)
        H5Sclose(dataset->space);
    if (dataset->type >= 0)
        H5Tclose(dataset->type);
    if (dataset->id >= 0)
        H5Dclose(dataset->id);
    H5Eclear2(H5E_DEFAULT);
}

static int open_dataset(const struct sp_legacy *legacy, hid_t group, const char *name, struct dataset *dataset, struct sp_error *err)
{
    hsize_t rows = 0;
    *dataset = (struct dataset){.id = sp_legacy_has(group, name) ? H5Dopen2(group, name, H5P_DEFAULT) : -1, .type = -1, .space = -1};
    if (dataset->id >= 0) {
        dataset->type = H5Dget_type(dataset->id);
        dataset->space = H5Dget_space(dataset->id);
    }
    if (dataset->type < 0 || dataset->space < 0 || H5Sget_simple_extent_ndims(dataset->space) != 1 ||
        H5Sget_simple_extent_dims(dataset->space, &rows, NULL) != 1) {
        close_dataset(dataset);
        return sp_legacy_damaged(legacy, err, "no column %s", name);
    }
    size_t bytes = H5Tget_size(dataset->type);
    if (bytes == 0 || (rows > 0 && rows > ((uint64_t)H5Dget_storage_size(dataset->id) + 64) * DENSEST / bytes)) {
        close_dataset(dataset);
        return sp_legacy_damaged(legacy, err, "column %s is longer than what is stored of it", name);
    }
    dataset->count = rows;
    return 0;
}

int sp_legacy_integers(
    const struct sp_legacy *legacy, hid_t group, const char *name, int64_t **values, uint64_t *count, struct sp_error *err)
{
    struct dataset dataset;
    int status = 0;
    *values = NULL;
    if (open_dataset(legacy, group, name, &dataset, err) < 0)
        return -1;
    *count = dataset.count;
    if (H5Tget_class(dataset.type) != H5T_INTEGER)
        status = sp_legacy_damaged(legacy, err, "column %s holds no integers", name);
    else if (!(*values = malloc((size_t)dataset.count * sizeof **values + 1)))
        status = sp_fail(err, "%s: out of memory", legacy->path);
    else if (dataset.count > 0 && H5Dread(dataset.id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0)
        status = sp_legacy_damaged(legacy, err, "cannot read column %s", name);
    close_dataset(&dataset);
    if (status < 0) {
        free(*values);
        *values = NULL;
    }
    return status;
}

int sp_legacy_integers_of(
    const struct sp_legacy *legacy, hid_t group, const char *name, uint64_t count, int64_t **values, struct sp_error *err)
{
    uint64_t found;
    *values = NULL;
    if (!sp_legacy_has(group, name))
        return 0;
    if (sp_legacy_integers(legacy, group, name, values, &found, err) < 0)
        return -1;
    if (found == count)
        return 0;
    free(*values);
    *values = NULL;
    return sp_legacy_damaged(legacy, err, "column %s is of another length", name);
}

static int copy_texts(const struct sp_legacy *legacy, const void *values, hid_t type, struct sp_legacy_texts *texts, struct sp_error *err)
{
    for (uint64_t i = 0; i < texts->count; i++) {
        size_t room;
        const char *text = text_at(values, type, (size_t)i, &room);
        texts->items[i] = text ? strndup(text, room) : strdup("");
        if (!texts->items[i])
            return sp_fail(err, "%s: out of memory", legacy->path);
    }
    return 0;
}

int sp_legacy_texts_read(const struct sp_legacy *legacy, hid_t group, const char *name, struct sp_legacy_texts *texts, struct sp_error *err)
{
    struct dataset dataset;
    *texts = (struct sp_legacy_texts){0};
    if (open_dataset(legacy, group, name, &dataset, err) < 0)
        return -1;
    size_t bytes = H5Tget_size(dataset.type);
    void *values = calloc((size_t)dataset.count + 1, bytes);
    texts->items = calloc((size_t)dataset.count + 1, sizeof *texts->items);
    texts->count = texts->items ? dataset.count : 0;
    int status = 0;
    if (!values || !texts->items)
        status = sp_fail(err, "%s: out of memory", legacy->path);
    else if (H5Tget_class(dataset.type) != H5T_STRING)
        status = sp_legacy_damaged(legacy, err, "column %s holds no texts", name);
    else if (dataset.count > 0 && H5Dread(dataset.id, dataset.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        status = sp_legacy_damaged(legacy, err, "cannot read column %s", name);
    else
        status = copy_texts(legacy, values, dataset.type, texts, err);
    if (values && texts->items && H5Tget_class(dataset.type) == H5T_STRING && H5Tis_variable_str(dataset.type) > 0)
        H5Dvlen_reclaim(dataset.type, dataset.space, H5P_DEFAULT, values);
    free(values);
    close_dataset(&dataset);
    if (status < 0)
        sp_legacy_texts_free(texts);
    return status;
}

void sp_legacy_texts_free(struct sp_legacy_texts *texts)
{
    for (uint64_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    *texts = (struct sp_legacy_texts){0};
}
