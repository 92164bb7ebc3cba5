/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_schema.h"

#include <string.h>

static void rows_lie_in_the_file_without_gaps(void **state)
{
    static const struct {
        const struct sp_table *table;
        size_t packed;
    } cases[] = {
        {&sp_table_hosts, 64 + 40},
        {&sp_table_ranks, 2 * 4 + 7 * 8 + 4 * 8 + 3 * 4},
        {&sp_table_lanes, 3 * 4 + 32 + 10 * 8},
        {&sp_table_regions, 3 * 8 + 6 * 4},
        {&sp_table_callpaths, 3 * 4},
        {&sp_table_event_blocks, 4 + 4 * 8 + 3 * 4},
        {&sp_table_message_blocks, 4 + 2 * 8 + 4},
        {&sp_table_communicators, 3 * 8 + 4 * 4},
        {&sp_table_checksums, 32 + 8 + 4},
        {&sp_columns_statistics, 2 * 4 + 13 * 8},
        {&sp_columns_events, 2 * 8 + 4},
        {&sp_columns_messages, 3 * 8 + 4 * 4},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        assert_int_equal(sp_schema_packed_bytes(cases[i].table), cases[i].packed);
        hid_t type = sp_schema_compound(cases[i].table);
        assert_int_equal(H5Tget_size(type), cases[i].packed);
        assert_int_equal(H5Tget_nmembers(type), cases[i].table->field_count);
        H5Tclose(type);
    }
}

static void packing_and_unpacking_gives_the_rows_back(void **state)
{
    struct sp_lane rows[3], back[3];
    struct sp_unpacking unpacking;
    unsigned char packed[3 * 124];
    hid_t type = sp_schema_compound(&sp_table_lanes);
    (void)state;
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < 3; i++) {
        rows[i].rank = i;
        rows[i].index = -i;
        memset(rows[i].name, 'a' + i, sizeof rows[i].name);
        rows[i].start_ns = INT64_MIN + i;
        rows[i].unmatched_ends = UINT64_MAX;
    }
    sp_schema_pack(&sp_table_lanes, rows, 3, packed);
    assert_int_equal(packed[124], 1); /* the second row's rank, little endian */
    assert_int_equal(packed[124 + 12], 'b');
    assert_int_equal(sp_schema_match(&sp_table_lanes, type, &unpacking), 0);
    sp_schema_unpack(&sp_table_lanes, &unpacking, packed, 3, back);
    assert_memory_equal(rows, back, sizeof rows);
    H5Tclose(type);
}

static void fields_in_another_order_or_more_of_them_are_read_all_the_same(void **state)
{
    struct sp_unpacking unpacking;
    struct sp_callpath back;
    int32_t row[4] = {7 /* depth */, 99 /* unknown */, 5 /* region */, -1 /* parent */};
    hid_t type = H5Tcreate(H5T_COMPOUND, 16);
    (void)state;
    H5Tinsert(type, "depth", 0, H5T_STD_I32LE);
    H5Tinsert(type, "later", 4, H5T_STD_I32LE);
    H5Tinsert(type, "region", 8, H5T_STD_I32LE);
    H5Tinsert(type, "parent", 12, H5T_STD_I32LE);
    assert_int_equal(sp_schema_match(&sp_table_callpaths, type, &unpacking), 0);
    sp_schema_unpack(&sp_table_callpaths, &unpacking, row, 1, &back);
    assert_int_equal(back.parent, -1);
    assert_int_equal(back.region, 5);
    assert_int_equal(back.depth, 7);
    H5Tclose(type);
}

/* A type with the three fields of /callpaths, one of which is of another type or missing. */
static hid_t odd_type(hid_t depth_type)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, 24);
    H5Tinsert(type, "parent", 0, H5T_STD_I32LE);
    H5Tinsert(type, "region", 4, H5T_STD_I32LE);
    if (depth_type >= 0)
        H5Tinsert(type, "depth", 8, depth_type);
    return type;
}

static void a_field_that_is_missing_or_of_another_type_is_noticed(void **state)
{
    hid_t types[] = {-1, H5T_STD_I64LE, H5T_STD_U32LE, H5T_STD_I32BE, H5T_IEEE_F32LE};
    struct sp_unpacking unpacking;
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    for (size_t i = 0; i < SP_COUNT(types); i++) {
        hid_t type = odd_type(types[i]);
        assert_int_equal(sp_schema_match(&sp_table_callpaths, type, &unpacking), -1);
        H5Tclose(type);
    }
    assert_int_equal(sp_schema_match(&sp_table_callpaths, H5T_STD_I32LE, &unpacking), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_lie_in_the_file_without_gaps),
        cmocka_unit_test(packing_and_unpacking_gives_the_rows_back),
        cmocka_unit_test(fields_in_another_order_or_more_of_them_are_read_all_the_same),
        cmocka_unit_test(a_field_that_is_missing_or_of_another_type_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
