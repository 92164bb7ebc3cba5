/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_options.h"

#include <stdio.h>
#include <string.h>

#define MOST 12

static bool is_command(const char *name)
{
    return !strcmp(name, "plot");
}

static int parse(struct sp_options *options, const char *const *words, struct sp_error *err)
{
    char *argv[MOST] = {(char *)"sp-pproc"};
    int argc = 1;
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)words[argc - 1];
    sp_options_init(options);
    return sp_options_parse(options, argc, argv, is_command, err);
}

static void values_come_in_every_usual_way(void **state)
{
    static const char *const words[] = {"-iA", "-i", "B", "--include=C", "--top-n", "7", "run.h5", "-f", "-q", "x.h5", NULL};
    struct sp_options options;
    (void)state;
    assert_int_equal(parse(&options, words, NULL), 0);
    assert_null(options.command);
    assert_int_equal(options.include.count, 3);
    assert_string_equal(options.include.items[0], "A");
    assert_string_equal(options.include.items[1], "B");
    assert_string_equal(options.include.items[2], "C");
    assert_int_equal(options.top_n, 7);
    assert_true(options.force && options.quiet && !options.json);
    assert_int_equal(options.operands.count, 2);
    assert_string_equal(options.operands.items[1], "x.h5");
    sp_options_free(&options);
}

static void the_first_operand_is_a_command_if_it_names_one(void **state)
{
    static const struct {
        const char *words[4];
        const char *command;
        size_t operands;
    } cases[] = {
        {{"plot", "plot", "x.h5"}, "plot", 2},
        {{"x.h5", "plot"}, NULL, 2},
        {{"--", "plot"}, NULL, 1},
        {{"-q", "plot", "-"}, "plot", 1},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_options options;
        assert_int_equal(parse(&options, cases[i].words, NULL), 0);
        if (cases[i].command)
            assert_string_equal(options.command, cases[i].command);
        else
            assert_null(options.command);
        assert_int_equal(options.operands.count, cases[i].operands);
        sp_options_free(&options);
    }
}

static void bad_command_lines_fail_with_a_reason(void **state)
{
    static const struct {
        const char *words[4];
        const char *text;
    } cases[] = {
        {{"--frob"}, "unknown option --frob; see --help"},
        {{"--frob=1"}, "unknown option --frob; see --help"},
        {{"-z"}, "unknown option -z; see --help"},
        {{"-i"}, "-i needs a value: REGEX"},
        {{"--include"}, "--include needs a value: REGEX"},
        {{"--json=yes"}, "--json takes no value"},
        {{"--top-n", "0"}, "--top-n 0: must be a positive number"},
        {{"--top-n", "3x"}, "--top-n 3x: must be a positive number"},
        {{"--top-n", ""}, "--top-n : must be a positive number"},
        {{"-fq"}, "-f takes no value; see --help"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_options options;
        struct sp_error err = {0};
        assert_int_equal(parse(&options, cases[i].words, &err), -1);
        assert_int_equal(err.code, SP_EXIT_USAGE);
        assert_string_equal(err.text, cases[i].text);
        sp_options_free(&options);
    }
}

static void an_option_that_a_command_does_not_take_is_an_error(void **state)
{
    char *argv[] = {(char *)"sp-pproc", (char *)"plot", (char *)"--sort", (char *)"self"};
    struct sp_error err = {0};
    (void)state;
    assert_int_equal(sp_options_check(4, argv, SP_OPTION_ALWAYS | SP_OPTION_TABLE, "plot", &err), 0);
    assert_int_equal(sp_options_check(4, argv, SP_OPTION_ALWAYS, "plot", &err), -1);
    assert_string_equal(err.text, "plot does not take --sort; see sp-pproc plot --help");
    assert_int_equal(sp_options_check(4, argv, SP_OPTION_ALWAYS, NULL, &err), -1);
    assert_string_equal(err.text, "without a command sp-pproc does not take --sort; see sp-pproc --help");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_in_every_usual_way),
        cmocka_unit_test(the_first_operand_is_a_command_if_it_names_one),
        cmocka_unit_test(bad_command_lines_fail_with_a_reason),
        cmocka_unit_test(an_option_that_a_command_does_not_take_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
