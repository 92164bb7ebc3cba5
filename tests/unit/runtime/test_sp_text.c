/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_text.h"

#include <string.h>

static void strings_become_valid_json(void **state)
{
    (void)state;
    static const struct {
        const char *string, *json;
    } cases[] = {{"", "\"\""}, {"a b", "\"a b\""}, {"say \"hi\"", "\"say \\\"hi\\\"\""}, {"back\\slash", "\"back\\\\slash\""},
        {"line\nfeed\x01", "\"line\\u000afeed\\u0001\""}, {"\xc3\xa4", "\"\xc3\xa4\""}, {"\xff", "\"\\ufffd\""}, {"a\xc3", "\"a\\ufffd\""},
        {"\xe2\x82\xac", "\"\xe2\x82\xac\""}, {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""}, {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
        {"\xc0\x80", "\"\\ufffd\\ufffd\""}};
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_text text = {0};
        sp_text_add_json_string(&text, cases[i].string);
        assert_string_equal(text.bytes, cases[i].json);
        sp_text_free(&text);
    }
}

static void members_are_separated(void **state)
{
    (void)state;
    struct sp_text text = {0};
    sp_text_add(&text, "{");
    sp_text_add_member(&text, "name", "x");
    sp_text_add_number(&text, "n", -5);
    sp_text_add(&text, "}");
    assert_string_equal(text.bytes, "{\"name\": \"x\", \"n\": -5}");
    sp_text_free(&text);
}

static void a_text_grows(void **state)
{
    (void)state;
    struct sp_text text = {0};
    for (int i = 0; i < 10000; i++)
        sp_text_add(&text, "%d", i % 10);
    assert_int_equal(text.length, 10000);
    assert_int_equal(strlen(text.bytes), 10000);
    assert_int_equal(text.bytes[9999], '9');
    sp_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_become_valid_json),
        cmocka_unit_test(members_are_separated),
        cmocka_unit_test(a_text_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
