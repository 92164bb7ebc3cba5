/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_schema.h"

#include <assert.h>
#include <string.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows are stored as they lie in memory: little endian");

struct sp_event_columns {
    SP_COLUMNS_EVENTS(SP_STRUCT_FIELD)
};

#define TYPE_OF(type)                                                                                                                      \
    _Generic((type)0, int32_t : SP_TYPE_INT32, uint32_t : SP_TYPE_UINT32, int64_t : SP_TYPE_INT64, uint64_t : SP_TYPE_UINT64)
#define FIELD(ctype, name, meaning) {#name, TYPE_OF(ctype), sizeof(ctype), offsetof(struct ROW, name), meaning},
#define TEXT(length, name, meaning) {#name, SP_TYPE_TEXT, length, offsetof(struct ROW, name), meaning},
#define COUNT(list) (sizeof(list) / sizeof(list)[0])
#define TABLE(variable, path, fields) const struct sp_table variable = {path, sizeof(struct ROW), fields, COUNT(fields)}

#define ROW sp_host
static const struct sp_field host_fields[] = {SP_TABLE_HOSTS(FIELD, TEXT)};
TABLE(sp_table_hosts, "hosts", host_fields);
#undef ROW
#define ROW sp_rank
static const struct sp_field rank_fields[] = {SP_TABLE_RANKS(FIELD, TEXT)};
TABLE(sp_table_ranks, "ranks", rank_fields);
#undef ROW
#define ROW sp_lane
static const struct sp_field lane_fields[] = {SP_TABLE_LANES(FIELD, TEXT)};
TABLE(sp_table_lanes, "lanes", lane_fields);
#undef ROW
#define ROW sp_region_row
static const struct sp_field region_fields[] = {SP_TABLE_REGIONS(FIELD, TEXT)};
TABLE(sp_table_regions, "regions", region_fields);
#undef ROW
#define ROW sp_callpath
static const struct sp_field callpath_fields[] = {SP_TABLE_CALLPATHS(FIELD, TEXT)};
TABLE(sp_table_callpaths, "callpaths", callpath_fields);
#undef ROW
#define ROW sp_event_block
static const struct sp_field event_block_fields[] = {SP_TABLE_EVENT_BLOCKS(FIELD, TEXT)};
TABLE(sp_table_event_blocks, "event_blocks", event_block_fields);
#undef ROW
#define ROW sp_message_block
static const struct sp_field message_block_fields[] = {SP_TABLE_MESSAGE_BLOCKS(FIELD, TEXT)};
TABLE(sp_table_message_blocks, "message_blocks", message_block_fields);
#undef ROW
#define ROW sp_communicator
static const struct sp_field communicator_fields[] = {SP_TABLE_COMMUNICATORS(FIELD, TEXT)};
TABLE(sp_table_communicators, "communicators", communicator_fields);
#undef ROW
#define ROW sp_histogram
static const struct sp_field histogram_fields[] = {SP_TABLE_HISTOGRAMS(FIELD, TEXT)};
TABLE(sp_table_histograms, "histograms", histogram_fields);
#undef ROW
#define ROW sp_traffic_row
static const struct sp_field traffic_fields[] = {SP_TABLE_TRAFFIC(FIELD, TEXT)};
TABLE(sp_table_traffic, "traffic", traffic_fields);
#undef ROW
#define ROW sp_message_size
static const struct sp_field message_size_fields[] = {SP_TABLE_MESSAGE_SIZES(FIELD, TEXT)};
TABLE(sp_table_message_sizes, "message_sizes", message_size_fields);
#undef ROW
#define ROW sp_checksum
static const struct sp_field checksum_fields[] = {SP_TABLE_CHECKSUMS(FIELD, TEXT)};
TABLE(sp_table_checksums, "checksums", checksum_fields);
#undef ROW
#define ROW sp_statistic
static const struct sp_field statistic_fields[] = {SP_COLUMNS_STATISTICS(FIELD)};
TABLE(sp_columns_statistics, "statistics", statistic_fields);
#undef ROW
#define ROW sp_event_columns
static const struct sp_field event_fields[] = {SP_COLUMNS_EVENTS(FIELD)};
TABLE(sp_columns_events, "events", event_fields);
#undef ROW
#define ROW sp_message
static const struct sp_field message_fields[] = {SP_COLUMNS_MESSAGES(FIELD)};
TABLE(sp_columns_messages, "messages", message_fields);
#undef ROW

static_assert(COUNT(statistic_fields) <= SP_COLUMNS_MAX, "raise SP_COLUMNS_MAX");
static_assert(COUNT(rank_fields) <= 32 && COUNT(lane_fields) <= 32, "raise the fields of struct sp_unpacking");

hid_t sp_schema_file_type(enum sp_type type)
{
    switch (type) {
    case SP_TYPE_INT32: return H5T_STD_I32LE;
    case SP_TYPE_UINT32: return H5T_STD_U32LE;
    case SP_TYPE_INT64: return H5T_STD_I64LE;
    case SP_TYPE_UINT64: return H5T_STD_U64LE;
    case SP_TYPE_UINT8: return H5T_STD_U8LE;
    default: return -1;
    }
}

hid_t sp_schema_memory_type(enum sp_type type)
{
    switch (type) {
    case SP_TYPE_INT32: return H5T_NATIVE_INT32;
    case SP_TYPE_UINT32: return H5T_NATIVE_UINT32;
    case SP_TYPE_INT64: return H5T_NATIVE_INT64;
    case SP_TYPE_UINT64: return H5T_NATIVE_UINT64;
    case SP_TYPE_UINT8: return H5T_NATIVE_UINT8;
    default: return -1;
    }
}

size_t sp_schema_packed_bytes(const struct sp_table *table)
{
    size_t bytes = 0;
    for (size_t i = 0; i < table->field_count; i++)
        bytes += table->fields[i].bytes;
    return bytes;
}

static hid_t text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0 || H5Tset_size(type, bytes) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0) {
        if (type >= 0)
            H5Tclose(type);
        return -1;
    }
    return type;
}

static int insert_field(hid_t compound, const struct sp_field *field, size_t at)
{
    if (field->type != SP_TYPE_TEXT)
        return H5Tinsert(compound, field->name, at, sp_schema_file_type(field->type)) < 0 ? -1 : 0;
    hid_t text = text_type(field->bytes);
    if (text < 0)
        return -1;
    int status = H5Tinsert(compound, field->name, at, text) < 0 ? -1 : 0;
    H5Tclose(text);
    return status;
}

hid_t sp_schema_compound(const struct sp_table *table)
{
    size_t at = 0;
    hid_t compound = H5Tcreate(H5T_COMPOUND, sp_schema_packed_bytes(table));
    for (size_t i = 0; compound >= 0 && i < table->field_count; i++) {
        if (insert_field(compound, &table->fields[i], at) < 0) {
            H5Tclose(compound);
            return -1;
        }
        at += table->fields[i].bytes;
    }
    return compound;
}

void sp_schema_pack(const struct sp_table *table, const void *rows, size_t count, void *packed)
{
    const char *row = rows;
    char *to = packed;
    for (size_t r = 0; r < count; r++, row += table->row_bytes)
        for (size_t i = 0; i < table->field_count; i++) {
            memcpy(to, row + table->fields[i].offset, table->fields[i].bytes);
            to += table->fields[i].bytes;
        }
}

static int type_matches(hid_t type, const struct sp_field *field)
{
    if (H5Tget_size(type) != field->bytes)
        return 0;
    if (field->type == SP_TYPE_TEXT)
        return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    return H5Tequal(type, sp_schema_file_type(field->type)) > 0;
}

/* Offset of a field in a compound type, or -1. */
static long match_field(hid_t compound, const struct sp_field *field)
{
    int member = H5Tget_member_index(compound, field->name);
    if (member < 0)
        return -1;
    hid_t type = H5Tget_member_type(compound, (unsigned)member);
    if (type < 0)
        return -1;
    long offset = type_matches(type, field) ? (long)H5Tget_member_offset(compound, (unsigned)member) : -1;
    H5Tclose(type);
    return offset;
}

int sp_schema_match(const struct sp_table *table, hid_t type, struct sp_unpacking *unpacking)
{
    if (H5Tget_class(type) != H5T_COMPOUND)
        return -1;
    unpacking->row_bytes = H5Tget_size(type);
    for (size_t i = 0; i < table->field_count; i++) {
        long offset = match_field(type, &table->fields[i]);
        if (offset < 0 || (size_t)offset + table->fields[i].bytes > unpacking->row_bytes)
            return -1;
        unpacking->offsets[i] = (size_t)offset;
    }
    return 0;
}

void sp_schema_unpack(const struct sp_table *table, const struct sp_unpacking *unpacking, const void *packed, size_t count, void *rows)
{
    const char *from = packed;
    char *row = rows;
    memset(rows, 0, count * table->row_bytes);
    for (size_t r = 0; r < count; r++, row += table->row_bytes, from += unpacking->row_bytes)
        for (size_t i = 0; i < table->field_count; i++)
            memcpy(row + table->fields[i].offset, from + unpacking->offsets[i], table->fields[i].bytes);
}
