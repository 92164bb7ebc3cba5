/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_layout.h"

#include <string.h>

static void compression_settings_are_understood_or_refused_with_their_text(void **state)
{
    static const struct {
        const char *text;
        int status, is_auto, level;
    } cases[] = {
        {NULL, 0, 1, 1},
        {"", 0, 1, 1},
        {"auto", 0, 1, 1},
        {"none", 0, 0, 0},
        {"gzip", 0, 0, 1},
        {"gzip:1", 0, 0, 1},
        {"gzip:9", 0, 0, 9},
        {"gzip:0", -1, 0, 0},
        {"gzip:10", -1, 0, 0},
        {"gzip:", -1, 0, 0},
        {"zstd", -1, 0, 0},
        {"AUTO", -1, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_compression compression;
        struct sp_error err = {0};
        assert_int_equal(sp_compression_parse(cases[i].text, &compression, &err), cases[i].status);
        if (cases[i].status == 0) {
            assert_int_equal(compression.is_auto, cases[i].is_auto);
            assert_int_equal(compression.level, cases[i].level);
        } else {
            assert_int_equal(err.code, SP_EXIT_USAGE);
            assert_non_null(strstr(err.text, "must be auto, none, gzip or gzip:1 to gzip:9"));
            assert_non_null(strstr(err.text, cases[i].text));
        }
    }
}

static void ways_of_writing_are_understood_or_refused(void **state)
{
    enum sp_io io;
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(sp_io_parse(NULL, &io, &err), 0);
    assert_int_equal(io, SP_IO_AUTO);
    assert_int_equal(sp_io_parse("collective", &io, &err), 0);
    assert_int_equal(io, SP_IO_COLLECTIVE);
    assert_int_equal(sp_io_parse("gather", &io, &err), 0);
    assert_int_equal(io, SP_IO_GATHER);
    assert_int_equal(sp_io_parse("posix", &io, &err), -1);
    assert_string_equal(err.text, "SP_IO=posix: must be auto, collective or gather");
}

static void small_files_go_through_process_0_unless_told_otherwise(void **state)
{
    (void)state;
    assert_int_equal(sp_io_choose(SP_IO_AUTO, 0), SP_IO_GATHER);
    assert_int_equal(sp_io_choose(SP_IO_AUTO, ((uint64_t)4 << 20) - 1), SP_IO_GATHER);
    assert_int_equal(sp_io_choose(SP_IO_AUTO, (uint64_t)4 << 20), SP_IO_COLLECTIVE);
    assert_int_equal(sp_io_choose(SP_IO_COLLECTIVE, 0), SP_IO_COLLECTIVE);
    assert_int_equal(sp_io_choose(SP_IO_GATHER, (uint64_t)1 << 40), SP_IO_GATHER);
}

static void chunks_are_65536_rows_and_never_longer_than_the_column(void **state)
{
    static const struct sp_compression automatic = {1, 1}, none = {0, 0}, six = {0, 6};
    static const struct {
        const struct sp_compression *compression;
        int is_trace;
        uint64_t rows;
        size_t row_bytes;
        uint64_t chunk_rows;
        int level;
    } cases[] = {
        {&automatic, 1, 0, 8, 0, 0},
        {&automatic, 1, 65535, 8, 0, 0}, /* too few to pay */
        {&automatic, 1, 65536, 8, 65536, 1},
        {&automatic, 1, 10000000, 4, 65536, 1},
        {&automatic, 0, 10000000, 8, 0, 0}, /* statistics */
        {&none, 1, 10000000, 8, 0, 0},
        {&six, 1, 8191, 8, 0, 0}, /* below 64 KiB: contiguous whatever was asked for */
        {&six, 1, 8192, 8, 8192, 6},
        {&six, 1, 16383, 4, 0, 0},
        {&six, 1, 16384, 4, 16384, 6},
        {&six, 1, 70000, 4, 65536, 6},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_layout layout = sp_layout_of(*cases[i].compression, cases[i].is_trace, cases[i].rows, cases[i].row_bytes);
        assert_int_equal(layout.chunk_rows, cases[i].chunk_rows);
        assert_int_equal(layout.level, cases[i].level);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compression_settings_are_understood_or_refused_with_their_text),
        cmocka_unit_test(ways_of_writing_are_understood_or_refused),
        cmocka_unit_test(small_files_go_through_process_0_unless_told_otherwise),
        cmocka_unit_test(chunks_are_65536_rows_and_never_longer_than_the_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
