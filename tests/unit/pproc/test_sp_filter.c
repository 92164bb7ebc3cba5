/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_filter.h"

#include <string.h>

static bool takes(const char *include, const char *exclude, const char *name, size_t bytes)
{
    struct sp_texts in = {&include, include ? 1 : 0}, out = {&exclude, exclude ? 1 : 0};
    struct sp_filter *filter;
    assert_int_equal(sp_filter_create(&in, &out, &filter, NULL), 0);
    bool result = sp_filter_takes(filter, name, bytes);
    sp_filter_destroy(filter);
    return result;
}

static void expressions_match_at_the_start_of_a_name(void **state)
{
    static const struct {
        const char *include, *exclude, *name;
        bool taken;
    } cases[] = {
        {NULL, NULL, "solve", true},
        {"solve", NULL, "solve_x", true},
        {"solve", NULL, "resolve", false},
        {"solve$", NULL, "solve_x", false},
        {".*olve", NULL, "resolve", true},
        {NULL, "MPI_", "MPI_Send", false},
        {NULL, "MPI_", "my_MPI_", true},
        {"s", "solve", "solve", false},
        {"s", "solve", "setup", true},
        {"a|b", NULL, "cab", false},
        {"(?i)SOLVE", NULL, "solve", true},
        {"", NULL, "anything", true},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++)
        assert_int_equal(takes(cases[i].include, cases[i].exclude, cases[i].name, strlen(cases[i].name)), cases[i].taken);
}

static void names_may_be_invalid_utf8_and_hold_zeros(void **state)
{
    (void)state;
    assert_true(takes("bad", NULL, "bad\xff\xfe", 5));
    assert_false(takes("x", NULL,
        "\xff"
        "x",
        2));
    assert_true(takes("a\\x00b", NULL, "a\0b", 3));
}

static void a_bad_expression_is_named(void **state)
{
    const char *text = "a(";
    struct sp_texts bad = {&text, 1}, none = {0};
    struct sp_filter *filter;
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(sp_filter_create(&none, &bad, &filter, &err), -1);
    assert_null(filter);
    assert_int_equal(err.code, SP_EXIT_USAGE);
    assert_string_equal(err.text, "--exclude 'a(': missing closing parenthesis at character 3");
}

static void rank_lists_are_merged(void **state)
{
    static const struct {
        const char *list;
        const char *selected; /* x taken */
    } cases[] = {{"0", "x....."}, {"1-3", ".xxx.."}, {"0,2,4-5", "x.x.xx"}, {"5,5,0-0", "x....x"}};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_texts lists = {(const char **)&cases[i].list, 1};
        bool selected[6];
        assert_int_equal(sp_ranks_select(&lists, 6, "run", selected, NULL), 0);
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(selected[k], cases[i].selected[k] == 'x');
    }
}

static void no_list_selects_all(void **state)
{
    struct sp_texts none = {0};
    bool selected[3] = {false, false, false};
    (void)state;
    assert_int_equal(sp_ranks_select(&none, 3, "run", selected, NULL), 0);
    assert_true(selected[0] && selected[1] && selected[2]);
}

static void bad_rank_lists_fail_with_a_reason(void **state)
{
    static const struct {
        const char *list, *text;
    } cases[] = {
        {"4", "Invalid rank(s) requested: 4 (run has ranks 0-3)"},
        {"2-9", "Invalid rank(s) requested: 9 (run has ranks 0-3)"},
        {"99999999999999999999", "Invalid rank(s) requested: 9223372036854775807 (run has ranks 0-3)"},
        {"", "--ranks : must be a list like 0-3,5"},
        {"-1", "--ranks -1: must be a list like 0-3,5"},
        {"1,", "--ranks 1,: must be a list like 0-3,5"},
        {"3-1", "--ranks 3-1: must be a list like 0-3,5"},
        {"1 2", "--ranks 1 2: must be a list like 0-3,5"},
        {"one", "--ranks one: must be a list like 0-3,5"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        const char *list = cases[i].list;
        struct sp_texts lists = {&list, 1};
        struct sp_error err = {0};
        bool selected[4];
        assert_int_equal(sp_ranks_select(&lists, 4, "run", selected, &err), -1);
        assert_int_equal(err.code, SP_EXIT_USAGE);
        assert_string_equal(err.text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_match_at_the_start_of_a_name),
        cmocka_unit_test(names_may_be_invalid_utf8_and_hold_zeros),
        cmocka_unit_test(a_bad_expression_is_named),
        cmocka_unit_test(rank_lists_are_merged),
        cmocka_unit_test(no_list_selects_all),
        cmocka_unit_test(bad_rank_lists_fail_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
