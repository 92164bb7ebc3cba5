/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_metadata.h"

#include <stdlib.h>
#include <string.h>

static void a_member_is_added_before_the_last_brace_of_an_object_and_nowhere_else(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"{}", "{\"k\":\"v\"}"},
        {"{\"a\":1}", "{\"a\":1,\"k\":\"v\"}"},
        {"{\"a\":{}}\n", "{\"a\":{},\"k\":\"v\"}"},
        {"", ""},
        {"}", "}"},
        {"none", "none"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_error err = {0};
        struct sp_metadata metadata = {strdup(cases[i].text), strlen(cases[i].text)};
        assert_non_null(metadata.text);
        assert_int_equal(sp_metadata_add(&metadata, "k", "v", &err), 0);
        assert_int_equal(metadata.bytes, strlen(cases[i].expected));
        assert_memory_equal(metadata.text, cases[i].expected, metadata.bytes);
        sp_metadata_free(&metadata);
        assert_null(metadata.text);
    }
}

static void what_is_given_comes_before_what_ranks_left_and_an_empty_object_stands_for_nothing(void **state)
{
    static const char left[] = "{\"rank\":1}";
    static const struct {
        const char *given, *left, *named, *expected;
    } cases[] = {
        {NULL, NULL, NULL, "{}"},
        {"", NULL, NULL, "{}"},
        {NULL, left, NULL, "{\"rank\":1}"},
        {"", left, NULL, "{\"rank\":1}"},
        {"{\"given\":1}", left, NULL, "{\"given\":1}"},
        {NULL, left, "sp-names", "{\"rank\":1,\"functions_named\":\"sp-names\"}"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_error err = {0};
        struct sp_team team;
        struct sp_part_rank ranks[2] = {{.rank = 0}, {.rank = 1}}; /* the first left nothing */
        struct sp_part part = {.ranks = ranks, .rank_count = 2};
        struct sp_naming naming = {0};
        struct sp_metadata metadata = {0};
        if (cases[i].left) {
            ranks[1].process.metadata = cases[i].left;
            ranks[1].process.metadata_bytes = strlen(cases[i].left);
        }
        if (cases[i].named) {
            naming.functions = 1;
            strcpy(naming.how, cases[i].named);
        }
        assert_int_equal(sp_team_init(&team, NULL, &err), 0);
        assert_int_equal(sp_metadata_take(&team, &part, cases[i].given, &naming, &metadata, &err), 0);
        assert_int_equal(metadata.bytes, strlen(cases[i].expected));
        assert_memory_equal(metadata.text, cases[i].expected, metadata.bytes);
        sp_metadata_free(&metadata);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_member_is_added_before_the_last_brace_of_an_object_and_nowhere_else),
        cmocka_unit_test(what_is_given_comes_before_what_ranks_left_and_an_empty_object_stands_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
