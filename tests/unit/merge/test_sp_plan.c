/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_hdf5.h"
#include "sp_plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct sp_file_attributes attributes = {"creator 1", "complete", "tsc", 12};

static void the_number_of_datasets_does_not_depend_on_the_run(void **state)
{
    static const struct sp_sizes nothing,
        much = {.metadata_bytes = 1,
            .ranks = 100000,
            .lanes = 800000,
            .events = 1000000000,
            .messages = 1000000000,
            .statistics = 100000000,
            .event_blocks = 1000000};
    static const struct sp_compression automatic = {1, 1};
    struct sp_plan a, b;
    (void)state;
    sp_plan_make(&a, &nothing, automatic);
    sp_plan_make(&b, &much, automatic);
    assert_int_equal(a.count, 15 + 15 + 3 + 7);
    assert_int_equal(b.count, a.count);
    for (size_t i = 0; i < a.count; i++)
        assert_string_equal(a.datasets[i].name, b.datasets[i].name);
    /* every dataset without blocks but /checksums itself has a row there */
    assert_int_equal(sp_plan_find(&a, "checksums")->rows, 14 + 15);
    assert_null(sp_plan_find(&a, "nothing"));
    assert_int_equal(sp_plan_growth(&a), 0);
}

static void a_compressed_column_may_grow_to_a_little_more_than_its_size(void **state)
{
    static const struct sp_compression automatic = {1, 1};
    struct sp_sizes sizes = {.events = 10 * 65536};
    struct sp_plan plan;
    (void)state;
    sp_plan_make(&plan, &sizes, automatic);
    uint64_t bytes = sizes.events * 20, growth = sp_plan_growth(&plan);
    assert_true(growth > bytes + bytes / 2048);
    assert_true(growth < bytes + bytes / 5);
}

static void check_layout(hid_t file, const char *name, hsize_t chunk)
{
    hsize_t found = 0;
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), properties = H5Dget_create_plist(dataset);
    if (chunk == 0) {
        assert_int_equal(H5Pget_layout(properties), H5D_CONTIGUOUS);
    } else {
        assert_int_equal(H5Pget_layout(properties), H5D_CHUNKED);
        H5Pget_chunk(properties, 1, &found);
        assert_int_equal(found, chunk);
        assert_int_equal(H5Pget_nfilters(properties), 2);
    }
    H5Pclose(properties);
    H5Dclose(dataset);
}

static void the_empty_file_has_all_datasets_and_says_that_it_is_not_finished(void **state)
{
    static const struct sp_compression automatic = {1, 1};
    struct sp_sizes sizes = {.metadata_bytes = 5, .ranks = 3, .events = 70000, .messages = 10};
    char path[] = "/tmp/sp-plan-test.XXXXXX", text[16];
    struct sp_plan plan;
    struct sp_error err = {0};
    (void)state;
    close(mkstemp(path));
    sp_hdf5_init();
    sp_plan_make(&plan, &sizes, automatic);
    assert_int_equal(sp_plan_create(&plan, &attributes, path, &err), 0);
    hid_t file = sp_hdf5_open(path, H5F_ACC_RDONLY);
    for (size_t i = 0; i < plan.count; i++) {
        hid_t dataset = H5Dopen2(file, plan.datasets[i].name, H5P_DEFAULT), space = H5Dget_space(dataset);
        assert_int_equal(H5Sget_simple_extent_npoints(space), plan.datasets[i].rows);
        H5Sclose(space);
        H5Dclose(dataset);
    }
    check_layout(file, "events/duration", 65536);
    check_layout(file, "events/callpath", 65536);
    check_layout(file, "messages/bytes", 0);
    check_layout(file, "statistics/calls", 0);
    hid_t attribute = H5Aopen(file, "state", H5P_DEFAULT), type = H5Aget_type(attribute);
    assert_true(H5Aread(attribute, type, text) >= 0);
    assert_string_equal(text, "incomplete");
    H5Tclose(type);
    H5Aclose(attribute);
    H5Fclose(file);
    unlink(path);
}

static void a_file_that_cannot_be_made_says_why(void **state)
{
    static const struct sp_sizes nothing;
    static const struct sp_compression none;
    struct sp_plan plan;
    struct sp_error err = {0};
    (void)state;
    sp_plan_make(&plan, &nothing, none);
    assert_int_equal(sp_plan_create(&plan, &attributes, "/nonexistent/x.h5", &err), -1);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
    assert_string_equal(err.text, "/nonexistent/x.h5: cannot create: No such file or directory");
    assert_int_equal(sp_plan_create(&plan, &attributes, "/dev/full", &err), -1);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_datasets_does_not_depend_on_the_run),
        cmocka_unit_test(a_compressed_column_may_grow_to_a_little_more_than_its_size),
        cmocka_unit_test(the_empty_file_has_all_datasets_and_says_that_it_is_not_finished),
        cmocka_unit_test(a_file_that_cannot_be_made_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
