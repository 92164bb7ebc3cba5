/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "../sp_test.h"
#include "sp_output_name.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/sp-test-name-XXXXXX";

static int enter_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? chdir(directory) : -1;
}

static int leave_directory(void **state)
{
    (void)state;
    return chdir("/") == 0 ? rmdir(directory) : -1;
}

static void touch(const char *name)
{
    int fd = open(name, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static void expect(const struct sp_output_name *name, const char *file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    assert_string_equal(name->output, path);
    snprintf(path, sizeof path, "%s/%s.part", directory, file);
    assert_string_equal(name->part, path);
    assert_int_equal(access(path, F_OK), 0);
}

static void nothing_that_exists_is_taken(void **state)
{
    (void)state;
    struct sp_output_name name;
    assert_int_equal(sp_output_name_reserve(&name, "run_%p.h5", 4, NULL), 0);
    expect(&name, "run_4.h5");
    assert_int_equal(sp_output_name_reserve(&name, "run_%p.h5", 4, NULL), 0);
    expect(&name, "run_4-2.h5"); /* run_4.h5.part is another run's */
    touch("run_4-3.h5");
    assert_int_equal(sp_output_name_reserve(&name, "run_4.h5", 4, NULL), 0);
    expect(&name, "run_4-4.h5");
    sp_output_name_release(name.output);
    assert_int_equal(access("run_4-4.h5.part", F_OK), -1);
    unlink("run_4.h5.part");
    unlink("run_4-2.h5.part");
    unlink("run_4-3.h5");
}

static void names_without_a_suffix_and_with_spaces_are_fine(void **state)
{
    (void)state;
    struct sp_output_name name;
    touch("a b");
    assert_int_equal(sp_output_name_reserve(&name, "a b", 1, NULL), 0);
    expect(&name, "a b-2");
    sp_output_name_release(name.output);
    unlink("a b");
}

static void none_is_no_file(void **state)
{
    (void)state;
    struct sp_output_name name;
    assert_int_equal(sp_output_name_reserve(&name, "none", 1, NULL), 0);
    assert_string_equal(name.output, "");
}

static void a_missing_directory_is_one_line(void **state)
{
    (void)state;
    struct sp_output_name name;
    struct sp_error err = {0};
    assert_int_equal(sp_output_name_reserve(&name, "no/such/run.h5", 1, &err), -1);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
    assert_non_null(strstr(err.text, "no/such/run.h5: cannot create: No such file or directory"));
    assert_string_equal(name.output, "");
}

static void the_part_file_says_where_the_spill_files_are(void **state)
{
    (void)state;
    struct sp_output_name name;
    char text[512] = "";
    assert_int_equal(sp_output_name_reserve(&name, "x.h5", 3, NULL), 0);
    sp_output_name_describe(&name, "abc-1", "/tmp/sp-0-abc-1", 3);
    FILE *file = fopen("x.h5.part", "r");
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(n > 0);
    assert_string_equal(text, "scope-profiler-part 1\nrun_id abc-1\nspill_dir /tmp/sp-0-abc-1\nranks 3\n");
    sp_output_name_release(name.output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_exists_is_taken),
        cmocka_unit_test(names_without_a_suffix_and_with_spaces_are_fine),
        cmocka_unit_test(none_is_no_file),
        cmocka_unit_test(a_missing_directory_is_one_line),
        cmocka_unit_test(the_part_file_says_where_the_spill_files_are),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
