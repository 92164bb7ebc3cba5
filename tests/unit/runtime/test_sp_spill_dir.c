/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "../sp_test.h"
#include "sp_spill_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char base[] = "/tmp/sp-test-dir-XXXXXX";

static int make_base(void **state)
{
    (void)state;
    return mkdtemp(base) ? 0 : -1;
}

static int remove_base(void **state)
{
    (void)state;
    return rmdir(base);
}

static void processes_of_a_run_share_a_private_directory(void **state)
{
    (void)state;
    char path[4096], again[4096];
    struct stat s;
    assert_int_equal(sp_spill_dir_make(base, "run1", path, sizeof path, NULL), 0);
    assert_int_equal(sp_spill_dir_make(base, "run1", again, sizeof again, NULL), 0);
    assert_string_equal(path, again);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0700);
    assert_true(sp_spill_dir_room(path) > 0);
    rmdir(path);
}

static void a_directory_that_others_can_enter_or_a_link_is_refused(void **state)
{
    (void)state;
    char path[4096], trap[8192];
    struct sp_error err = {0};
    snprintf(trap, sizeof trap, "%s/sp-%ld-open", base, (long)getuid());
    mkdir(trap, 0755);
    chmod(trap, 0755);
    assert_int_equal(sp_spill_dir_make(base, "open", path, sizeof path, &err), -1);
    assert_non_null(strstr(err.text, "exists and is not a private directory of this user"));
    rmdir(trap);
    snprintf(trap, sizeof trap, "%s/sp-%ld-link", base, (long)getuid());
    assert_int_equal(symlink("/tmp", trap), 0);
    assert_int_equal(sp_spill_dir_make(base, "link", path, sizeof path, &err), -1);
    unlink(trap);
}

static void a_base_that_is_not_there_is_one_line(void **state)
{
    (void)state;
    char path[4096];
    struct sp_error err = {0};
    assert_int_equal(sp_spill_dir_make("/no/such/place", "r", path, sizeof path, &err), -1);
    assert_string_equal(err.text, "/no/such/place: no directory for spill files: No such file or directory");
    assert_int_equal(sp_spill_dir_room("/no/such/place"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_of_a_run_share_a_private_directory),
        cmocka_unit_test(a_directory_that_others_can_enter_or_a_link_is_refused),
        cmocka_unit_test(a_base_that_is_not_there_is_one_line),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
