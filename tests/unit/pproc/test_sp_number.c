/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_number.h"

#include <math.h>
#include <stdlib.h>

static void machine_numbers_are_the_shortest_that_read_back(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1, "1"},
        {0.060132886, "0.060132886"},
        {1.0 / 3, "0.3333333333333333"},
        {1e100, "1e+100"},
        {-2.5e-9, "-2.5e-09"},
        {NAN, ""},
        {INFINITY, ""},
        {-INFINITY, ""},
        {0, "0"},
    };
    char buffer[SP_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++)
        assert_string_equal(sp_number_exact(buffer, cases[i].value), cases[i].text);
    for (double value = 1e-9; value < 1e9; value *= 3.7)
        assert_true(strtod(sp_number_exact(buffer, value), NULL) == value);
}

static void durations_take_the_unit_that_reads_best(void **state)
{
    static const struct {
        double ns;
        const char *text;
    } cases[] = {
        {0, "0 s"},
        {12, "12 ns"},
        {999, "999 ns"},
        {1000, "1.00 us"},
        {45678, "45.7 us"},
        {999999, "1.00 ms"},
        {123456789, "123 ms"},
        {1234567890, "1.23 s"},
        {3.6e12, "3600 s"},
        {-5e6, "-5.00 ms"},
        {NAN, "-"},
        {INFINITY, "-"},
        {0.5, "0.50 ns"},
    };
    char buffer[SP_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++)
        assert_string_equal(sp_number_duration(buffer, cases[i].ns), cases[i].text);
}

static void bytes_and_counts_are_scaled(void **state)
{
    char buffer[SP_NUMBER_SIZE];
    (void)state;
    assert_string_equal(sp_number_bytes(buffer, 24), "24 B");
    assert_string_equal(sp_number_bytes(buffer, 65536), "64.0 KiB");
    assert_string_equal(sp_number_bytes(buffer, 1.5 * 1048576), "1.50 MiB");
    assert_string_equal(sp_number_bytes(buffer, 5e15), "4547 TiB");
    assert_string_equal(sp_number_count(buffer, 100), "100");
    assert_string_equal(sp_number_count(buffer, 1234), "1.2k");
    assert_string_equal(sp_number_count(buffer, 2.5e6), "2.5M");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_numbers_are_the_shortest_that_read_back),
        cmocka_unit_test(durations_take_the_unit_that_reads_best),
        cmocka_unit_test(bytes_and_counts_are_scaled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
