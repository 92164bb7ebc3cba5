/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/sp-publish-test.XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

static const char *in_directory(const char *name)
{
    static char paths[4][300];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static void touch(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void check_text(const char *path, const char *text)
{
    char found[40] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(found, sizeof found, file));
    fclose(file);
    assert_string_equal(found, text);
    unlink(path);
}

static void a_number_goes_before_the_extension(void **state)
{
    static const struct {
        const char *name;
        int n;
        const char *numbered;
    } cases[] = {
        {"run.h5", 1, "run.h5"},
        {"run.h5", 2, "run-2.h5"},
        {"run.h5", 17, "run-17.h5"},
        {"run", 2, "run-2"},
        {"a.b/run", 2, "a.b/run-2"},
        {"a.b/run.x.h5", 3, "a.b/run.x-3.h5"},
        {"/x/.hidden", 2, "/x/.hidden-2"},
    };
    char result[64];
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        assert_int_equal(sp_numbered_name(cases[i].name, cases[i].n, result, sizeof result), 0);
        assert_string_equal(result, cases[i].numbered);
    }
    assert_int_equal(sp_numbered_name("abcdef", 1, result, 6), -1);
    assert_int_equal(sp_numbered_name("abcdef", 1, result, 7), 0);
}

static void a_file_that_is_there_is_never_replaced(void **state)
{
    char result[300];
    struct sp_error err;
    (void)state;
    touch(in_directory("run.h5"), "one");
    touch(in_directory("run-2.h5"), "two");
    touch(in_directory("work"), "new");
    assert_int_equal(sp_publish(in_directory("work"), in_directory("run.h5"), result, sizeof result, &err), 0);
    assert_string_equal(result, in_directory("run-3.h5"));
    assert_int_equal(access(in_directory("work"), F_OK), -1);
    check_text(in_directory("run.h5"), "one");
    check_text(in_directory("run-2.h5"), "two");
    check_text(in_directory("run-3.h5"), "new");
}

static void what_cannot_be_renamed_says_why_and_stays(void **state)
{
    char result[300];
    struct sp_error err;
    (void)state;
    touch(in_directory("work"), "new");
    assert_int_equal(sp_publish(in_directory("work"), in_directory("missing/run.h5"), result, sizeof result, &err), -1);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
    assert_non_null(strstr(err.text, "No such file or directory"));
    check_text(in_directory("work"), "new");
}

static void reserving_makes_the_file_longer_and_fills_its_holes(void **state)
{
    struct stat status;
    struct sp_error err;
    (void)state;
    touch(in_directory("file"), "x");
    assert_int_equal(truncate(in_directory("file"), 50000), 0);
    assert_int_equal(sp_reserve(in_directory("file"), 100000, &err), 0);
    assert_int_equal(stat(in_directory("file"), &status), 0);
    assert_int_equal(status.st_size, 150000);
    assert_true((int64_t)status.st_blocks * 512 >= 150000);
    unlink(in_directory("file"));
}

static void a_full_disk_is_an_error_before_anything_is_written(void **state)
{
    struct sp_error err;
    (void)state;
    assert_int_equal(mkdir(in_directory("tiny"), 0700), 0);
    if (mount("none", in_directory("tiny"), "tmpfs", 0, "size=1m") < 0) {
        rmdir(in_directory("tiny"));
        skip();
    }
    touch(in_directory("tiny/file"), "x");
    int status = sp_reserve(in_directory("tiny/file"), 2 << 20, &err);
    umount(in_directory("tiny"));
    rmdir(in_directory("tiny"));
    assert_int_equal(status, -1);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
    assert_non_null(strstr(err.text, "no room for 2097153 bytes: No space left on device"));
}

static void what_cannot_be_brought_to_disk_is_an_error(void **state)
{
    struct sp_error err;
    (void)state;
    touch(in_directory("file"), "x");
    assert_int_equal(sp_sync(in_directory("file"), &err), 0);
    check_text(in_directory("file"), "x");
    assert_int_equal(sp_sync(in_directory("file"), &err), -1);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
    assert_non_null(strstr(err.text, "file: No such file or directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_goes_before_the_extension),
        cmocka_unit_test(a_file_that_is_there_is_never_replaced),
        cmocka_unit_test(what_cannot_be_renamed_says_why_and_stays),
        cmocka_unit_test(reserving_makes_the_file_longer_and_fills_its_holes),
        cmocka_unit_test(a_full_disk_is_an_error_before_anything_is_written),
        cmocka_unit_test(what_cannot_be_brought_to_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
