/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "file_fixture.h"
#include "sp_error.h"
#include "sp_hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/sp-file-test.XXXXXX";
static char run[100]; /* a small sound file */

static int make_run(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(run, sizeof run, "%s/run.h5", directory);
    fixture_write(run, 2, 10, "none");
    return 0;
}

static int remove_run(void **state)
{
    (void)state;
    unlink(run);
    return rmdir(directory);
}

static const char *in_directory(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void what_was_recorded_is_what_is_read(void **state)
{
    static const struct {
        int ranks;
        uint64_t steps;
        const char *compression;
    } cases[] = {
        {1, 1, NULL},
        {1, 40, "none"},
        {6, 100, "auto"},
        /* rank 4 has nothing */ {3, 15000, "auto"},
        {2, 9000, "gzip:6"},
        {2, 17000, "none"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        const char *path = in_directory("case.h5");
        fixture_write(path, cases[i].ranks, cases[i].steps, cases[i].compression);
        fixture_check(path, cases[i].ranks, cases[i].steps, 0);
        unlink(path);
    }
}

static void a_run_of_two_ranks_with_200_events_stays_below_100_kib(void **state)
{
    struct stat status;
    const char *path = in_directory("small.h5");
    (void)state;
    fixture_write(path, 2, 16, NULL); /* 16 and 32 steps of 4 events */
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size < 100 * 1024);
    unlink(path);
}

static void check_refused(const char *path, int code, const char *text)
{
    struct sp_file *file = (void *)&code;
    struct sp_error err = {0};
    assert_int_equal(sp_file_open(path, &file, &err), -1);
    assert_null(file);
    if (!strstr(err.text, text) || err.code != code)
        fail_msg("%d %s", err.code, err.text);
    assert_memory_equal(err.text, path, strlen(path));
    assert_null(strchr(err.text, '\n'));
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void what_is_no_run_file_is_refused_with_its_reason(void **state)
{
    const char *path = in_directory("odd");
    (void)state;
    check_refused(path, SP_EXIT_INPUT, "No such file or directory");
    check_refused(directory, SP_EXIT_CORRUPT, "is a directory, not a run file");
    assert_int_equal(mkfifo(path, 0600), 0);
    check_refused(path, SP_EXIT_CORRUPT, "is not a regular file");
    unlink(path);
    write_text(path, "");
    check_refused(path, SP_EXIT_CORRUPT, "is empty");
    write_text(path, "hello\n");
    check_refused(path, SP_EXIT_CORRUPT, "is not an HDF5 file");
    write_text(path, "scope-profiler-part 1\nrun_id 1\n");
    check_refused(path, SP_EXIT_CORRUPT, "is not an HDF5 file");
    unlink(path);
    hid_t foreign = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(foreign >= 0);
    H5Fclose(foreign);
    check_refused(path, SP_EXIT_CORRUPT, "is an HDF5 file, but not a run file of scope-profiler for MPI");
    unlink(path);
}

static void copy_file(const char *from, const char *to)
{
    char buffer[65536];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
        assert_int_equal(fwrite(buffer, 1, n, out), n);
    fclose(in);
    fclose(out);
}

static void set_attribute(const char *path, const char *name, hid_t type, const void *value)
{
    hid_t file = sp_hdf5_open(path, H5F_ACC_RDWR), attribute = H5Aopen(file, name, H5P_DEFAULT);
    hid_t own = H5Aget_type(attribute);
    assert_true(H5Awrite(attribute, type < 0 ? own : type, value) >= 0);
    H5Tclose(own);
    H5Aclose(attribute);
    H5Fclose(file);
}

static void a_newer_format_is_refused_with_the_advice_to_upgrade(void **state)
{
    int version = 2;
    const char *path = in_directory("newer.h5");
    (void)state;
    copy_file(run, path);
    set_attribute(path, "format_version", H5T_NATIVE_INT, &version);
    check_refused(path, SP_EXIT_COMBINE, "is of format version 2, this program reads up to 1: upgrade");
    unlink(path);
}

static void a_file_that_was_not_finished_is_refused(void **state)
{
    char incomplete[16] = "incomplete", odd[16] = "odd";
    const char *path = in_directory("part.h5");
    (void)state;
    copy_file(run, path);
    set_attribute(path, "state", -1, incomplete);
    check_refused(path, SP_EXIT_CORRUPT, "its writer was interrupted");
    set_attribute(path, "state", -1, odd);
    check_refused(path, SP_EXIT_CORRUPT, "is damaged (unknown state)");
    unlink(path);
}

static void a_missing_table_is_named(void **state)
{
    const char *path = in_directory("less.h5");
    (void)state;
    static const struct {
        const char *dataset, *text;
    } cases[] = {{"lanes", "is damaged (no table lanes)"}, {"events/duration", "is damaged (no column events/duration)"}};
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        copy_file(run, path);
        hid_t file = sp_hdf5_open(path, H5F_ACC_RDWR);
        assert_true(H5Ldelete(file, cases[i].dataset, H5P_DEFAULT) >= 0);
        H5Fclose(file);
        check_refused(path, SP_EXIT_CORRUPT, cases[i].text);
        unlink(path);
    }
}

/* Adds one to a byte of a dataset through HDF5, which notices nothing. */
static void change_dataset(const char *path, const char *name)
{
    unsigned char bytes[65536];
    hid_t file = sp_hdf5_open(path, H5F_ACC_RDWR), dataset = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(dataset);
    assert_true(H5Dget_storage_size(dataset) <= sizeof bytes);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    bytes[0]++;
    assert_true(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    H5Tclose(type);
    H5Dclose(dataset);
    H5Fclose(file);
}

static void a_changed_byte_of_any_dataset_is_noticed(void **state)
{
    static const char *const datasets[] = {"metadata", "strings", "hosts", "ranks", "lanes", "regions", "callpaths", "communicators",
        "members", "event_blocks", "message_blocks", "histograms", "traffic", "message_sizes", "checksums", "statistics/lane",
        "statistics/callpath", "statistics/calls", "statistics/total_ns", "statistics/squares_high", "statistics/bytes_received",
        "events/start_delta", "events/duration", "events/callpath", "messages/event", "messages/bytes", "messages/request", "messages/peer",
        "messages/tag", "messages/communicator", "messages/operation"};
    const char *path = in_directory("changed.h5");
    (void)state;
    for (size_t i = 0; i < SP_COUNT(datasets); i++) {
        struct sp_error err = {0};
        uint32_t digest;
        copy_file(run, path);
        change_dataset(path, datasets[i]);
        if (fixture_read_all(path, &digest, &err) == 0)
            fail_msg("%s: not noticed", datasets[i]);
        assert_int_equal(err.code, SP_EXIT_CORRUPT);
        if (strcmp(datasets[i], "checksums") != 0)
            assert_non_null(strstr(err.text, "checksum of "));
        unlink(path);
    }
}

static void a_file_cut_at_any_byte_is_refused(void **state)
{
    struct stat status;
    const char *path = in_directory("cut.h5");
    (void)state;
    copy_file(run, path);
    assert_int_equal(stat(path, &status), 0);
    for (off_t bytes = status.st_size - 1; bytes > 0; bytes -= bytes > 2500 ? 37 : 1) {
        struct sp_file *file;
        struct sp_error err = {0};
        assert_int_equal(truncate(path, bytes), 0);
        assert_int_equal(sp_file_open(path, &file, &err), -1);
        assert_int_equal(err.code, SP_EXIT_CORRUPT);
        assert_null(strchr(err.text, '\n'));
    }
    unlink(path);
}

/* Either it is noticed, or it changes nothing that a reader sees (gaps between objects). */
static void any_flipped_bit_is_noticed_or_harmless(void **state)
{
    uint32_t sound, digest;
    struct sp_error err = {0};
    struct stat status;
    const char *path = in_directory("flipped.h5");
    (void)state;
    copy_file(run, path);
    assert_int_equal(fixture_read_all(path, &sound, &err), 0);
    assert_int_equal(stat(path, &status), 0);
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    for (off_t at = 0; at < status.st_size; at += at < 2500 ? 1 : 11) {
        unsigned char byte, flipped;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        flipped = (unsigned char)(byte ^ 1 << at % 8);
        assert_int_equal(pwrite(fd, &flipped, 1, at), 1);
        if (fixture_read_all(path, &digest, &err) == 0)
            assert_int_equal(digest, sound);
        else
            assert_true(err.code == SP_EXIT_CORRUPT || err.code == SP_EXIT_COMBINE);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    close(fd);
    unlink(path);
}

static void slices_beyond_the_end_are_refused(void **state)
{
    struct sp_file *file;
    struct sp_error err = {0};
    struct sp_statistic statistic;
    struct sp_message message;
    int64_t start[4];
    (void)state;
    assert_int_equal(sp_file_open(run, &file, &err), 0);
    const struct sp_file_info *info = sp_file_info(file);
    assert_int_equal(sp_file_read_statistics(file, info->statistic_count, 1, &statistic, &err), -1);
    assert_non_null(strstr(err.text, "there are no statistics from 10 to 11"));
    assert_int_equal(sp_file_read_messages(file, UINT64_MAX, 2, &message, &err), -1);
    assert_int_equal(sp_file_read_events(file, info->event_block_count, start, NULL, NULL, &err), -1);
    assert_int_equal(sp_file_read_statistics(file, info->statistic_count, 0, &statistic, &err), 0);
    assert_int_equal(sp_file_read_messages(file, 0, 0, &message, &err), 0);
    sp_file_close(file);
    sp_file_close(NULL);
}

static void two_files_are_open_at_once(void **state)
{
    struct sp_file *one, *other;
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(sp_file_open(run, &one, &err), 0);
    assert_int_equal(sp_file_open(run, &other, &err), 0);
    sp_file_close(one);
    assert_string_equal(sp_file_info(other)->path, run);
    fixture_check(run, 2, 10, 0);
    sp_file_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_recorded_is_what_is_read),
        cmocka_unit_test(a_run_of_two_ranks_with_200_events_stays_below_100_kib),
        cmocka_unit_test(what_is_no_run_file_is_refused_with_its_reason),
        cmocka_unit_test(a_newer_format_is_refused_with_the_advice_to_upgrade),
        cmocka_unit_test(a_file_that_was_not_finished_is_refused),
        cmocka_unit_test(a_missing_table_is_named),
        cmocka_unit_test(a_changed_byte_of_any_dataset_is_noticed),
        cmocka_unit_test(a_file_cut_at_any_byte_is_refused),
        cmocka_unit_test(any_flipped_bit_is_noticed_or_harmless),
        cmocka_unit_test(slices_beyond_the_end_are_refused),
        cmocka_unit_test(two_files_are_open_at_once),
    };
    return cmocka_run_group_tests(tests, make_run, remove_run);
}
