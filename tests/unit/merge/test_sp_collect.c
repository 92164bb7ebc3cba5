/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_collect.h"
#include "spill_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/sp-collect-test.XXXXXX";

/* Seven ranks, of which rank 4 has no lane: 13 files. */
static int make_run(void **state)
{
    (void)state;
    return mkdtemp(directory) ? spill_run_save(directory, "run-a", 7, 3) : -1;
}

static int remove_run(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static void a_directory_stands_for_all_its_spill_files(void **state)
{
    struct sp_collection found = {0};
    struct sp_error err;
    (void)state;
    assert_int_equal(sp_collect(&found, directory, &err), 0);
    assert_int_equal(sp_collect_finish(&found, &err), 0);
    assert_int_equal(found.count, 13);
    assert_int_equal(found.rank_count, 7);
    assert_string_equal(found.run_id, "run-a");
    assert_int_equal(found.skipped, 0);
    for (size_t i = 0; i < 13; i++) { /* two a rank; of rank 4 (places 8) one */
        int rank = i < 8 ? (int)i / 2 : ((int)i + 1) / 2;
        assert_int_equal(found.files[i].rank, rank);
        assert_int_equal(found.files[i].lane, i < 9 ? (int)(i % 2) - 1 : -(int)(i % 2));
    }
    sp_collect_free(&found);
}

static void shares_are_whole_ranks_in_order_and_nothing_is_left_out(void **state)
{
    struct sp_collection found = {0};
    struct sp_error err;
    (void)state;
    assert_int_equal(sp_collect(&found, directory, &err), 0);
    assert_int_equal(sp_collect_finish(&found, &err), 0);
    for (int size = 1; size <= 20; size++) {
        size_t next = 0;
        for (int process = 0; process < size; process++) {
            size_t first, count;
            sp_collect_share(&found, process, size, &first, &count);
            if (count == 0)
                continue;
            assert_int_equal(first, next);
            assert_true(first == 0 || found.files[first].rank != found.files[first - 1].rank);
            assert_true(size < 7 || count <= 4);
            next = first + count;
        }
        assert_int_equal(next, 13);
    }
    sp_collect_free(&found);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void name_part_leads_to_the_directory(void **state)
{
    struct sp_collection found = {0};
    struct sp_error err;
    char path[100], text[200];
    (void)state;
    snprintf(path, sizeof path, "%s.part", directory);
    snprintf(text, sizeof text, "scope-profiler-part 1\nrun_id run-a\nspill_dir %s\nranks 7\n", directory);
    write_text(path, text);
    assert_int_equal(sp_collect(&found, path, &err), 0);
    assert_int_equal(sp_collect_finish(&found, &err), 0);
    assert_int_equal(found.count, 13);
    sp_collect_free(&found);
    static const struct {
        const char *text;
        int code;
        const char *message;
    } cases[] = {
        {"scope-profiler-part 1\nrun_id run-a\n", SP_EXIT_CORRUPT, "names no spill directory"},
        {"scope-profiler-part 1\nspill_dir \n", SP_EXIT_CORRUPT, "names no spill directory"},
        {"scope-profiler-part 1\nspill_dir /nonexistent/x\n", SP_EXIT_INPUT, "/nonexistent/x: No such file or directory"},
        {"scope-profiler-part 2\nspill_dir x\n", SP_EXIT_COMBINE, "is of a newer version than this program reads: upgrade"},
        {"scope-profiler", SP_EXIT_CORRUPT, "too short for a spill file (14 bytes)"},
        {"", SP_EXIT_CORRUPT, "too short for a spill file (0 bytes)"},
    };
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        write_text(path, cases[i].text);
        assert_int_equal(sp_collect(&found, path, &err), -1);
        if (err.code != cases[i].code || !strstr(err.text, cases[i].message))
            fail_msg("%d %s", err.code, err.text);
        sp_collect_free(&found);
    }
    unlink(path);
}

static void odd_files_in_a_directory_are_skipped_and_counted(void **state)
{
    struct sp_collection found = {0};
    struct sp_error err;
    char path[100];
    (void)state;
    snprintf(path, sizeof path, "%s/odd", directory);
    write_text(path, "what is this");
    assert_int_equal(sp_collect(&found, directory, &err), 0);
    assert_int_equal(sp_collect_finish(&found, &err), 0);
    assert_int_equal(found.count, 13);
    assert_int_equal(found.skipped, 1);
    assert_non_null(strstr(found.first_skipped, "odd: too short for a spill file"));
    sp_collect_free(&found);
    unlink(path);
}

static void claims_and_runs_that_contradict_are_refused(void **state)
{
    struct sp_collection found = {0};
    struct sp_error err;
    char path[100];
    (void)state;
    assert_int_equal(sp_collect(&found, directory, &err), 0);
    snprintf(path, sizeof path, "%s/r000002-lane0", directory);
    assert_int_equal(sp_collect(&found, path, &err), 0);
    assert_int_equal(sp_collect_finish(&found, &err), -1);
    assert_int_equal(err.code, SP_EXIT_COMBINE);
    assert_non_null(strstr(err.text, "are both of lane 0 of rank 2"));
    sp_collect_free(&found);

    char other[] = "/tmp/sp-collect-other.XXXXXX";
    assert_non_null(mkdtemp(other));
    struct spill_image *image = spill_image_lane("run-b", 0, 7, 0);
    assert_int_equal(spill_image_save(image, other, "file"), 0);
    spill_image_free(image);
    assert_int_equal(sp_collect(&found, directory, &err), 0);
    assert_int_equal(sp_collect(&found, other, &err), -1);
    assert_int_equal(err.code, SP_EXIT_COMBINE);
    assert_non_null(strstr(err.text, "is of run run-b, the files before it are of run run-a"));
    sp_collect_free(&found);
    snprintf(path, sizeof path, "%s/file", other);
    unlink(path);
    assert_int_equal(sp_collect(&found, other, &err), 0);
    assert_int_equal(sp_collect_finish(&found, &err), -1);
    assert_int_equal(err.code, SP_EXIT_INPUT);
    assert_string_equal(err.text, "no spill files found");
    rmdir(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_stands_for_all_its_spill_files),
        cmocka_unit_test(shares_are_whole_ranks_in_order_and_nothing_is_left_out),
        cmocka_unit_test(name_part_leads_to_the_directory),
        cmocka_unit_test(odd_files_in_a_directory_are_skipped_and_counted),
        cmocka_unit_test(claims_and_runs_that_contradict_are_refused),
    };
    return cmocka_run_group_tests(tests, make_run, remove_run);
}
