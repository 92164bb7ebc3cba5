/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_legacy_hdf5.h"
#include "sp_legacy_heap.h"

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

/* ---- texts, of attributes and datasets ---- */

/* Texts of an object that holds count of them, malloc'ed one by one; -1 where one is not to be had. */
static int read_texts(const char *path, hid_t object, hid_t type, int is_attribute, size_t count, char **texts)
{
    int is_variable = H5Tis_variable_str(type) > 0;
    size_t room = is_variable ? SP_LEGACY_REFERENCE : H5Tget_size(type), bytes, i = 0;
    unsigned char *values = calloc(count + 1, room);
    struct sp_legacy_heap heap;
    int status = sp_legacy_heap_open(&heap, path);
    if (!values || count == 0)
        status = values ? 0 : -1;
    else if (status == 0 && is_variable)
        status = sp_legacy_heap_references(object, type, is_attribute, values);
    else if (status == 0)
        status = (is_attribute ? H5Aread(object, type, values) : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values)) < 0 ? -1 : 0;
    for (; status == 0 && i < count; i++) {
        const unsigned char *value = values + i * room;
        texts[i] = is_variable ? sp_legacy_heap_text(&heap, value, &bytes) : strndup((const char *)value, room);
        status = texts[i] ? 0 : -1;
    }
    sp_legacy_heap_close(&heap);
    free(values);
    return status;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++)
        free(texts[i]);
    free(texts);
}

static json_t *as_json(const struct attribute *attribute, json_t *(*value_at)(const void *values, size_t i), const void *values)
{
    if (H5Sget_simple_extent_type(attribute->space) == H5S_SCALAR)
        return attribute->count == 1 ? value_at(values, 0) : NULL;
    json_t *list = json_array();
    for (size_t i = 0; i < (size_t)attribute->count; i++)
        json_array_append_new(list, value_at(values, i));
    return list;
}

static json_t *integer_at(const void *values, size_t i)
{
    return json_integer(((const int64_t *)values)[i]);
}

static json_t *real_at(const void *values, size_t i)
{
    json_t *real = json_real(((const double *)values)[i]);
    return real ? real : json_null(); /* JSON knows no NaN */
}

static json_t *text_at(const void *values, size_t i)
{
    const char *text = ((char *const *)values)[i];
    return sp_legacy_text(text, strlen(text));
}

static json_t *texts_of(const char *path, const struct attribute *attribute)
{
    size_t count = (size_t)attribute->count;
    char **texts = calloc(count + 1, sizeof *texts);
    json_t *value = NULL;
    if (texts && read_texts(path, attribute->id, attribute->type, 1, count, texts) == 0)
        value = as_json(attribute, text_at, texts);
    free_texts(texts, count);
    return value;
}

static json_t *numbers_of(const struct attribute *attribute, hid_t type, json_t *(*value_at)(const void *values, size_t i))
{
    void *values = calloc((size_t)attribute->count + 1, 8);
    json_t *value = NULL;
    if (values && H5Aread(attribute->id, type, values) >= 0)
        value = as_json(attribute, value_at, values);
    free(values);
    return value;
}

json_t *sp_legacy_attribute(const char *path, hid_t object, const char *name)
{
    struct attribute attribute;
    json_t *value = NULL;
    if (open_attribute(object, name, &attribute) < 0)
        return NULL;
    switch (H5Tget_class(attribute.type)) {
    case H5T_INTEGER: value = numbers_of(&attribute, H5T_NATIVE_INT64, integer_at); break;
    case H5T_FLOAT: value = numbers_of(&attribute, H5T_NATIVE_DOUBLE, real_at); break;
    case H5T_STRING: value = texts_of(path, &attribute); break;
    default: break;
    }
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
    json_t *value = sp_legacy_attribute(noting->legacy->path, object, name), *key = value ? sp_legacy_text(name, strlen(name)) : NULL;
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

/* Whether what is stored can be so many rows. HDF5 itself reads compact data beyond its end. */
static int is_stored(const struct dataset *dataset)
{
    size_t bytes = H5Tis_variable_str(dataset->type) > 0 ? SP_LEGACY_REFERENCE : H5Tget_size(dataset->type);
    uint64_t stored = H5Dget_storage_size(dataset->id);
    hid_t created = H5Dget_create_plist(dataset->id);
    H5D_layout_t layout = created >= 0 ? H5Pget_layout(created) : H5D_LAYOUT_ERROR;
    if (created >= 0)
        H5Pclose(created);
    if (layout == H5D_LAYOUT_ERROR || bytes == 0)
        return 0;
    if (layout == H5D_COMPACT)
        return dataset->count <= stored / bytes;
    return dataset->count == 0 || dataset->count <= (stored + 64) * DENSEST / bytes;
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
    dataset->count = rows;
    if (is_stored(dataset))
        return 0;
    close_dataset(dataset);
    return sp_legacy_damaged(legacy, err, "column %s is longer than what is stored of it", name);
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

int sp_legacy_texts_read(const struct sp_legacy *legacy, hid_t group, const char *name, struct sp_legacy_texts *texts, struct sp_error *err)
{
    struct dataset dataset;
    int status = 0;
    *texts = (struct sp_legacy_texts){0};
    if (open_dataset(legacy, group, name, &dataset, err) < 0)
        return -1;
    texts->items = calloc((size_t)dataset.count + 1, sizeof *texts->items);
    texts->count = texts->items ? dataset.count : 0;
    if (!texts->items)
        status = sp_fail(err, "%s: out of memory", legacy->path);
    else if (H5Tget_class(dataset.type) != H5T_STRING)
        status = sp_legacy_damaged(legacy, err, "column %s holds no texts", name);
    else if (read_texts(legacy->path, dataset.id, dataset.type, 0, (size_t)dataset.count, texts->items) < 0)
        status = sp_legacy_damaged(legacy, err, "cannot read column %s", name);
    close_dataset(&dataset);
    if (status < 0)
        sp_legacy_texts_free(texts);
    return status;
}

void sp_legacy_texts_free(struct sp_legacy_texts *texts)
{
    free_texts(texts->items, (size_t)texts->count);
    *texts = (struct sp_legacy_texts){0};
}
