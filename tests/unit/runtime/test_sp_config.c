/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "said.h"
#include "sp_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sizes_have_binary_suffixes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        uint64_t bytes;
    } cases[] = {{"0", 0, 0}, {"17", 0, 17}, {"1k", 0, 1024}, {"256M", 0, 268435456}, {"2G", 0, 2147483648}, {"1T", 0, 1099511627776},
        {"", -1, 0}, {"-1", -1, 0}, {"1.5G", -1, 0}, {"12Q", -1, 0}, {"1MB", -1, 0}, {"99999999999T", -1, 0}, {" 1", -1, 0}};
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        uint64_t bytes = 0;
        assert_int_equal(sp_config_parse_size(cases[i].text, &bytes), cases[i].status);
        assert_int_equal(bytes, cases[i].bytes);
    }
}

static void a_name_expands_its_letters(void **state)
{
    (void)state;
    const struct sp_name_values values = {"heat", "77", "3", "n01", "20260101T000000", 4};
    static const struct {
        const char *pattern, *name;
    } cases[] = {{"sp_%e_%p.h5", "sp_heat_4.h5"}, {"%j.%s.%h.%t", "77.3.n01.20260101T000000"}, {"100%%", "100%"}, {"a%", "a%"},
        {"%q", "%q"}, {"", ""}, {"dir with space/%e", "dir with space/heat"}};
    char name[64];
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        name[0] = '\0';
        assert_int_equal(sp_config_expand_name(cases[i].pattern, &values, name, sizeof name), 0);
        assert_string_equal(name, cases[i].name);
    }
    assert_int_equal(sp_config_expand_name("%e%e", &values, name, 8), -1);
}

static void edits_are_counted(void **state)
{
    (void)state;
    assert_int_equal(sp_config_distance("SP_OUTPUT", "SP_OUTPUT"), 0);
    assert_int_equal(sp_config_distance("SP_OUTPT", "SP_OUTPUT"), 1);
    assert_int_equal(sp_config_distance("kitten", "sitting"), 3);
    assert_int_equal(sp_config_distance("", "abc"), 3);
}

static void unset_variables_give_the_defaults(void **state)
{
    (void)state;
    struct sp_config config;
    said[0] = '\0';
    assert_int_equal(sp_config_read(&config, say), 0);
    assert_string_equal(said, "");
    assert_string_equal(config.mode, "trace");
    assert_string_equal(config.output, "sp_%e_%p.h5");
    assert_string_equal(config.enable, "auto");
    assert_int_equal(config.trace_limit, 268435456);
    assert_int_equal(config.summary, 1);
    sp_config_release(&config);
}

static void bad_values_are_named_and_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *variable, *value, *message;
    } cases[] = {{"SP_MODE", "tracing", "SP_MODE=tracing is none of trace|profile: using the first\n"},
        {"SP_TRACE_LIMIT", "lots", "SP_TRACE_LIMIT=lots is not a size (a whole number and K, M, G or T): using 256M\n"},
        {"SP_SUMMARY", "maybe", "SP_SUMMARY=maybe is neither 1 nor 0: using 1\n"},
        {"SP_OUTPT", "x", "SP_OUTPT is not a setting of this program; the nearest is SP_OUTPUT\n"}};
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_config config;
        said[0] = '\0';
        setenv(cases[i].variable, cases[i].value, 1);
        assert_int_equal(sp_config_read(&config, say), 0);
        unsetenv(cases[i].variable);
        assert_string_equal(said, cases[i].message);
        assert_string_equal(config.mode, "trace");
        assert_int_equal(config.trace_limit, 268435456);
        assert_int_equal(config.summary, 1);
        sp_config_release(&config);
    }
}

static void good_values_are_taken(void **state)
{
    (void)state;
    struct sp_config config;
    said[0] = '\0';
    setenv("SP_MODE", "profile", 1);
    setenv("SP_TRACE_LIMIT", "1G", 1);
    setenv("SP_SUMMARY", "off", 1);
    assert_int_equal(sp_config_read(&config, say), 0);
    assert_string_equal(said, "");
    assert_string_equal(config.mode, "profile");
    assert_int_equal(config.trace_limit, 1 << 30);
    assert_int_equal(config.summary, 0);
    sp_config_release(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_have_binary_suffixes),
        cmocka_unit_test(a_name_expands_its_letters),
        cmocka_unit_test(edits_are_counted),
        cmocka_unit_test(unset_variables_give_the_defaults),
        cmocka_unit_test(bad_values_are_named_and_replaced),
        cmocka_unit_test(good_values_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
