/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_outdir.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[] = "/tmp/sp-outdir.XXXXXX";
static char folder[64];

static int make_place(void **state)
{
    (void)state;
    strcpy(place + strlen(place) - 6, "XXXXXX");
    if (!mkdtemp(place))
        return -1;
    snprintf(folder, sizeof folder, "%s/a/out", place);
    return 0;
}

static int remove_place(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", place);
    return system(command);
}

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static bool holds(const char *name, const char *text)
{
    char path[128], buffer[128] = "";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    if (!in)
        return false;
    buffer[fread(buffer, 1, sizeof buffer - 1, in)] = '\0';
    fclose(in);
    return !strcmp(buffer, text);
}

/* Writes one file with that text; publishes it if asked. */
static int write_file(const char *name, const char *text, bool force, bool publish, struct sp_error *err)
{
    struct sp_outdir *dir;
    FILE *out;
    if (sp_outdir_open(folder, force, &dir, err))
        return -1;
    int status = sp_outdir_begin(dir, name, &out, err);
    if (!status) {
        fputs(text, out);
        status = sp_outdir_end(dir, err);
    }
    if (!status && publish)
        status = sp_outdir_publish(dir, err);
    sp_outdir_close(dir);
    return status;
}

static void our_own_file_is_replaced(void **state)
{
    (void)state;
    assert_int_equal(write_file("x.csv", "one", false, true, NULL), 0);
    assert_true(holds("x.csv", "one"));
    assert_int_equal(write_file("x.csv", "two", false, true, NULL), 0);
    assert_true(holds("x.csv", "two"));
}

static void a_file_that_is_not_ours_is_kept_unless_forced(void **state)
{
    struct sp_error err = {0};
    char text[200];
    (void)state;
    assert_int_equal(write_file("x.csv", "one", false, true, NULL), 0);
    put("mine.csv", "mine");
    assert_int_equal(write_file("mine.csv", "theirs", false, true, &err), -1);
    snprintf(text, sizeof text, "%s/mine.csv: exists and is not ours; -f replaces it, -o names another place", folder);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
    assert_string_equal(err.text, text);
    assert_true(holds("mine.csv", "mine"));
    assert_int_equal(write_file("mine.csv", "theirs", true, true, NULL), 0);
    assert_true(holds("mine.csv", "theirs"));
}

static void a_file_that_was_changed_since_is_kept(void **state)
{
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(write_file("x.gp", "script", false, true, NULL), 0);
    put("x.gp", "script with a better title");
    assert_int_equal(write_file("x.gp", "script", false, true, &err), -1);
    assert_non_null(strstr(err.text, "was changed since we wrote it"));
    assert_true(holds("x.gp", "script with a better title"));
}

static void what_is_not_published_leaves_no_trace(void **state)
{
    char parent[64];
    (void)state;
    assert_int_equal(write_file("x.csv", "one", false, false, NULL), 0);
    snprintf(parent, sizeof parent, "%s/a", place);
    assert_int_equal(access(folder, F_OK), -1);
    assert_int_equal(rmdir(parent), 0); /* empty */
}

static void a_picture_may_be_drawn_again_by_hand(void **state)
{
    struct sp_outdir *dir;
    (void)state;
    assert_int_equal(sp_outdir_open(folder, false, &dir, NULL), 0);
    put(".x.png.tmp", "first");
    assert_int_equal(sp_outdir_adopt(dir, ".x.png.tmp", "x.png", NULL), 0);
    assert_int_equal(sp_outdir_count(dir), 1);
    sp_outdir_close(dir);
    put("x.png", "by hand");
    assert_int_equal(sp_outdir_open(folder, false, &dir, NULL), 0);
    assert_int_equal(sp_outdir_claim(dir, "x.png", NULL), 0);
    sp_outdir_close(dir);
}

static void bad_places_fail_with_a_reason(void **state)
{
    struct sp_outdir *dir;
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(sp_outdir_open("/etc/passwd", false, &dir, &err), -1);
    assert_null(dir);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
    assert_string_equal(err.text, "/etc/passwd: is not a directory; name another one with -o");
    assert_int_equal(sp_outdir_open("/proc/nothing", false, &dir, &err), -1);
    assert_int_equal(err.code, SP_EXIT_OUTPUT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(our_own_file_is_replaced),
        TEST(a_file_that_is_not_ours_is_kept_unless_forced),
        TEST(a_file_that_was_changed_since_is_kept),
        TEST(what_is_not_published_leaves_no_trace),
        TEST(a_picture_may_be_drawn_again_by_hand),
        TEST(bad_places_fail_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
