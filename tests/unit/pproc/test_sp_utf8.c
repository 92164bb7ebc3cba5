/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_utf8.h"

#include <stdlib.h>
#include <string.h>

#define BAD "\xef\xbf\xbd"

static void invalid_bytes_become_replacement_characters(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *valid;
    } cases[] = {
        {"plain", 5, "plain"},
        {"gr\xc3\xb6\xc3\x9f", 6, "gr\xc3\xb6\xc3\x9f"},
        {"a\xff"
         "b",
            3, "a" BAD "b"},
        {"\xc3", 1, BAD},                         /* cut */
        {"\xc0\x80", 2, BAD BAD},                 /* overlong */
        {"\xed\xa0\x80", 3, BAD BAD BAD},         /* half of a surrogate pair */
        {"\xf4\x90\x80\x80", 4, BAD BAD BAD BAD}, /* beyond U+10FFFF */
        {"\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80"},
        {"a\0b", 3, "a" BAD "b"},
        {"", 0, ""},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        char *valid = sp_utf8_valid(cases[i].bytes, cases[i].length);
        assert_string_equal(valid, cases[i].valid);
        assert_int_equal(sp_utf8_is_valid(cases[i].bytes, cases[i].length), !strstr(cases[i].valid, BAD));
        free(valid);
    }
}

static void shown_texts_hold_no_control_characters_and_fit(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
        const char *shown;
    } cases[] = {
        {"two\nlines", 0, "two\\nlines"},
        {"\x1b[31m\t\r", 0, "\\x1b[31m\\t\\r"},
        {"\xc2\x9b", 0, "\\x9b"},
        {"", 9, "(no name)"},
        {"exactly ten", 11, "exactly ten"},
        {"one too long", 11, "one too ..."},
        {"\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, "\xe6\xbc\xa2..."},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        char *shown = sp_utf8_show(cases[i].text, cases[i].columns);
        assert_string_equal(shown, cases[i].shown);
        free(shown);
    }
}

static void pictures_show_rare_characters_by_number(void **state)
{
    char *shown = sp_utf8_show_plain("\xe6\xbc\xa2 \xc3\xb6 \xce\xa3 \xf0\x9f\x98\x80", 0);
    (void)state;
    assert_string_equal(shown, "\\u6f22 \xc3\xb6 \xce\xa3 \\u1f600");
    free(shown);
}

static void columns_are_counted_as_a_terminal_does(void **state)
{
    (void)state;
    assert_int_equal(sp_utf8_columns("abc"), 3);
    assert_int_equal(sp_utf8_columns("gr\xc3\xb6\xc3\x9f"), 4);
    assert_int_equal(sp_utf8_columns("\xe6\xbc\xa2"), 2);
    assert_int_equal(sp_utf8_columns("e\xcc\x81"), 1);
}

static void bytes_are_told_in_hexadecimal(void **state)
{
    char *hex = sp_utf8_hex("a\xff\n", 3);
    (void)state;
    assert_string_equal(hex, "61ff0a");
    free(hex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_bytes_become_replacement_characters),
        cmocka_unit_test(shown_texts_hold_no_control_characters_and_fit),
        cmocka_unit_test(pictures_show_rare_characters_by_number),
        cmocka_unit_test(columns_are_counted_as_a_terminal_does),
        cmocka_unit_test(bytes_are_told_in_hexadecimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
