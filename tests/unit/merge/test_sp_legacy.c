/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "legacy_fixture.h"
#include "scope_profiler_file.h"
#include "sp_error.h"
#include "sp_legacy_nest.h"

#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* HDF5 may ask for any number of bytes that a damaged file names; it copes with a refusal, as from malloc. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* HDF5 1.10 itself copies a few bytes too many out of damaged headers of the oldest object format (files of ours are of a later one,
 * with checksums); what our code does is checked all the same. */
__attribute__((visibility("default"))) const char *__asan_default_suppressions(void);
const char *__asan_default_suppressions(void)
{
    return "interceptor_via_fun:H5\n";
}

static char path[64];

static int name_file(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/sp-legacy.XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static struct sp_file *open_kind(enum legacy_kind kind)
{
    struct sp_file *file;
    struct sp_error err = {0};
    legacy_write(kind, path);
    if (sp_file_open(path, &file, &err) < 0)
        fail_msg("%s: %s", legacy_name(kind), err.text);
    return file;
}

/* Times count from the first start, 10. */
static void the_same_run_comes_out_of_every_format_that_holds_calls(void **state)
{
    static const int64_t starts[] = {0, 0, 10, 30}, durations[] = {45, 5, 13, 15};
    static const int32_t callpaths[] = {0, 1, 1, 1};
    (void)state;
    for (enum legacy_kind kind = 0; kind < LEGACY_AGGREGATE; kind++) {
        int64_t start[4], duration[4];
        int32_t callpath[4];
        struct sp_statistic rows[2];
        struct sp_file *file = open_kind(kind);
        const struct sp_file_info *info = sp_file_info(file);
        assert_int_equal(info->event_count, 4);
        assert_int_equal(info->event_block_count, 1);
        assert_int_equal(info->rank_count, 1);
        assert_int_equal(info->callpath_count, 2);
        assert_int_equal(info->statistic_count, 2);
        assert_int_equal(info->overlap_count, 0);
        assert_int_equal(info->has_checksums, 0);
        assert_string_equal(sp_file_region_name(file, 0, NULL), "outer");
        assert_string_equal(sp_file_region_name(file, 1, NULL), "inner");
        assert_int_equal(sp_file_callpaths(file)[1].parent, 0);
        assert_int_equal(sp_file_callpaths(file)[1].depth, 1);
        assert_int_equal(sp_file_read_events(file, 0, start, duration, callpath, NULL), 0);
        assert_memory_equal(start, starts, sizeof start);
        assert_memory_equal(duration, durations, sizeof duration);
        assert_memory_equal(callpath, callpaths, sizeof callpath);
        assert_int_equal(sp_file_read_statistics(file, 0, 2, rows, NULL), 0);
        assert_int_equal(rows[0].self_ns, 45 - 33);
        assert_int_equal(rows[1].calls, 3);
        assert_int_equal(rows[1].total_ns, 33);
        assert_int_equal(rows[1].first_ns, 5);
        assert_int_equal(rows[1].last_ns, 15);
        assert_int_equal(rows[1].squares_low, 25 + 169 + 225);
        sp_file_close(file);
    }
}

static void the_aggregate_layout_gives_sums_and_says_so(void **state)
{
    struct sp_statistic rows[2];
    struct sp_file *file = open_kind(LEGACY_AGGREGATE);
    (void)state;
    assert_true(sp_file_info(file)->sums_only);
    assert_int_equal(sp_file_info(file)->trace, SP_TRACE_OFF);
    assert_int_equal(sp_file_info(file)->event_count, 0);
    assert_int_equal(sp_file_read_statistics(file, 0, 2, rows, NULL), 0);
    assert_int_equal(rows[0].self_ns, 12);
    assert_int_equal(rows[1].calls, 3);
    assert_int_equal(rows[1].min_ns, 5);
    assert_int_equal(rows[1].max_ns, 15);
    sp_file_close(file);
}

/* Region i is the i-th call, in entry order. */
static void calls_are_nested_by_containment(void **state)
{
    static const struct {
        const char *what;
        size_t count;
        int64_t calls[4][2];
        int parents[4]; /* -1: none */
        int64_t own[4];
        uint64_t overlaps, backward;
    } cases[] = {
        {"one after another, touching", 2, {{0, 10}, {10, 20}}, {-1, -1}, {10, 10}, 0, 0},
        {"one inside another", 2, {{0, 10}, {3, 5}}, {-1, 0}, {8, 2}, 0, 0},
        {"starting together, the longer is outside", 2, {{0, 5}, {0, 10}}, {1, -1}, {5, 5}, 0, 0},
        {"ending together", 3, {{0, 10}, {4, 10}, {8, 10}}, {-1, 0, 1}, {4, 4, 2}, 0, 0},
        {"equal ones: in the order of the regions", 2, {{0, 10}, {0, 10}}, {-1, 0}, {0, 10}, 0, 0},
        {"of no length, at the start and the end of another", 3, {{0, 10}, {0, 0}, {10, 10}}, {-1, 0, -1}, {10, 0, 0}, 0, 0},
        {"of no length, open for a tick", 2, {{5, 5}, {5, 5}}, {-1, 0}, {0, 0}, 0, 0},
        {"overlapping: beside each other", 2, {{0, 10}, {5, 15}}, {-1, -1}, {10, 10}, 1, 0},
        {"overlapping inside another, which they cover once", 3, {{0, 20}, {0, 12}, {8, 20}}, {-1, 0, 0}, {0, 12, 12}, 1, 0},
        {"what lies in two goes to the later one", 4, {{0, 10}, {5, 15}, {6, 9}, {11, 13}}, {-1, -1, 1, 1}, {10, 5, 3, 2}, 1, 0},
        {"ending before it starts", 2, {{0, 10}, {5, 3}}, {-1, 0}, {10, -1}, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_legacy_nest nest = {.path = "x"};
        struct sp_legacy_call calls[4];
        int32_t path_of[4] = {-1, -1, -1, -1};
        for (size_t k = 0; k < cases[i].count; k++)
            calls[k] = (struct sp_legacy_call){cases[i].calls[k][0], cases[i].calls[k][1], (int32_t)k, 0};
        assert_int_equal(sp_legacy_nest_lane(&nest, calls, cases[i].count, NULL), 0);
        assert_int_equal(sp_legacy_nest_end_lane(&nest, 0, NULL), 0);
        for (size_t k = 0; k < nest.callpath_count; k++)
            path_of[nest.callpaths[k].region] = (int32_t)k;
        for (size_t k = 0; k < cases[i].count; k++) {
            int32_t parent = nest.callpaths[path_of[k]].parent;
            int64_t own = -1;
            for (size_t row = 0; row < nest.statistic_count; row++)
                if (nest.statistics[row].callpath == path_of[k])
                    own = nest.statistics[row].self_ns;
            if ((parent < 0 ? -1 : nest.callpaths[parent].region) != cases[i].parents[k] || own != cases[i].own[k])
                fail_msg("%s: call %zu: parent %d, own %d", cases[i].what, k, parent < 0 ? -1 : nest.callpaths[parent].region, (int)own);
        }
        if (nest.overlap_count != cases[i].overlaps || nest.backward_count != cases[i].backward)
            fail_msg("%s: %d overlaps, %d backwards", cases[i].what, (int)nest.overlap_count, (int)nest.backward_count);
        sp_legacy_nest_free(&nest);
    }
}

/* Of the file, with a reason. */
static int is_one_line(const char *text)
{
    size_t bytes = strlen(path);
    return strncmp(text, path, bytes) == 0 && strncmp(text + bytes, ": ", 2) == 0 && text[bytes + 2] && !strchr(text, '\n');
}

/* Cut to so many bytes, the file is refused as damaged; of a text the end may be as good as the whole. */
static void a_file_cut_at_any_byte_is_refused(void **state)
{
    (void)state;
    for (enum legacy_kind kind = 0; kind < LEGACY_KINDS; kind++) {
        struct stat status;
        legacy_write(kind, path);
        assert_int_equal(stat(path, &status), 0);
        for (off_t bytes = status.st_size - 1; bytes >= 0; bytes -= bytes > 4000 ? 37 : 1) {
            struct sp_error err = {0};
            assert_int_equal(truncate(path, bytes), 0);
            if (legacy_read_all(path, &err) == 0)
                fail_msg("%s, cut to %ld of %ld bytes: not noticed", legacy_name(kind), (long)bytes, (long)status.st_size);
            if (err.code != SP_EXIT_CORRUPT || !is_one_line(err.text))
                fail_msg("%s, cut to %ld bytes: %d %s", legacy_name(kind), (long)bytes, err.code, err.text);
        }
    }
}

static void flip(int fd, off_t at, int bit)
{
    unsigned char byte;
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte = (unsigned char)(byte ^ 1 << bit);
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
}

/* These formats have no checksums, so it may go unnoticed; it must not do harm. */
static void a_flipped_bit_is_refused_in_one_line_or_read(void **state)
{
    (void)state;
    for (enum legacy_kind kind = 0; kind < LEGACY_KINDS; kind++) {
        struct stat status;
        legacy_write(kind, path);
        int fd = open(path, O_RDWR);
        assert_int_equal(fstat(fd, &status), 0);
        int step = status.st_size < 1000 ? 1 : 27; /* bits; of large files another one each time */
        for (off_t i = 0; i < status.st_size * 8; i += step) {
            struct sp_error err = {0};
            off_t at = i / 8;
            int bit = (int)(i % 8);
            flip(fd, at, bit);
            if (legacy_read_all(path, &err) < 0 && ((err.code != SP_EXIT_CORRUPT && err.code != SP_EXIT_COMBINE) || !is_one_line(err.text)))
                fail_msg("%s, bit %d of byte %ld: %d %s", legacy_name(kind), bit, (long)at, err.code, err.text);
            assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
            flip(fd, at, bit);
        }
        close(fd);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_run_comes_out_of_every_format_that_holds_calls),
        cmocka_unit_test(the_aggregate_layout_gives_sums_and_says_so),
        cmocka_unit_test(calls_are_nested_by_containment),
        cmocka_unit_test(a_file_cut_at_any_byte_is_refused),
        cmocka_unit_test(a_flipped_bit_is_refused_in_one_line_or_read),
    };
    return cmocka_run_group_tests(tests, name_file, remove_file);
}
