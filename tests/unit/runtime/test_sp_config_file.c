/* SPDX-License-Identifier: BSD-3-Clause */
/* The configuration file: values, names, what goes before what, and files that are none. */
#define _XOPEN_SOURCE 700 /* setenv, mkdtemp */
#include "../sp_test.h"
#include "said.h"
#include "sp_config.h"
#include "sp_config_file.h"
#include "sp_config_key.h"
#include "sp_config_value.h"
#include "sp_override.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/sp-config.XXXXXX";
    (void)state;
    return mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
    char folder[4096];
    (void)state;
    unlink("f");
    return getcwd(folder, sizeof folder) ? rmdir(folder) : -1;
}

static void write_bytes(const char *content, size_t bytes)
{
    FILE *file = fopen("f", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* Reads the settings with that file. */
static void read_with(const char *content, struct sp_config *config)
{
    write_bytes(content, strlen(content));
    said[0] = '\0';
    setenv("SP_CONFIG", "f", 1);
    assert_int_equal(sp_config_read(config, say), 0);
    unsetenv("SP_CONFIG");
}

static void a_value_becomes_the_text_of_a_setting(void **state)
{
    static const struct {
        const char *written, *text, *reason;
    } rows[] = {
        {"run.h5", "run.h5", NULL},
        {"two words  ", "two words", NULL},
        {"", "", NULL},
        {"# nothing", "", NULL},
        {"a#b;c", "a#b;c", NULL},
        {"a # comment", "a", NULL},
        {"a ; comment", "a", NULL},
        {"true", "true", NULL},
        {"\"a # b\" # comment", "a # b", NULL},
        {"\"a ; b\"", "a ; b", NULL},
        {"'C:\\new'", "C:\\new", NULL},
        {"\"say \\\"a\\\\b\\\"\"", "say \"a\\b\"", NULL},
        {"\"\"", "", NULL},
        {"\"a,b\"", "a,b", NULL},
        {"[\"a\", \"b\"]", "a,b", NULL},
        {"[ 'a,b' , \"c\", ] # comment", "a\\,b,c", NULL},
        {"[MPI_*, 1]", "MPI_*,1", NULL},
        {"[]", "", NULL},
        {"[\"]\"]", "]", NULL},
        {"\"open", NULL, "no closing \""},
        {"'open", NULL, "no closing '"},
        {"\"\"\"open", NULL, "a text of several lines (\"\"\") is not understood"},
        {"\"a\\q\"", NULL, "\\q in double quotes is not understood ('single quotes' take it as it is)"},
        {"\"a\" b", NULL, "b after the end of the value"},
        {"[\"a\"", NULL, "the array does not end on its line"},
        {"[", NULL, "the array does not end on its line"},
        {"[\"a\", # more", NULL, "the array does not end on its line"},
        {"[\"a\" \"b\"]", NULL, "a comma is missing in the array"},
        {"[[\"a\"]]", NULL, "[ in an array is not understood"},
        {"[,]", NULL, ", in an array is not understood"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        struct sp_error err = {0};
        char *text = sp_config_value_text(rows[i].written, &err);
        if (rows[i].text)
            assert_string_equal(text ? text : err.text, rows[i].text);
        else
            assert_string_equal(text ? text : err.text, rows[i].reason);
        free(text);
    }
}

static void names_are_ours_or_the_python_tools(void **state)
{
    static const struct {
        const char *key, *value;
        enum sp_config_meaning meaning;
        const char *variable, *ours;
    } rows[] = {
        {"output", "a.h5", SP_CONFIG_SETS, "SP_OUTPUT", NULL},
        {"SP_OUTPUT", "a.h5", SP_CONFIG_SETS, "SP_OUTPUT", NULL},
        {"trace-limit", "1G", SP_CONFIG_SETS, "SP_TRACE_LIMIT", NULL},
        {"Enable_Tags", "x", SP_CONFIG_SETS, "SP_ENABLE_TAGS", NULL},
        {"file_path", "a.h5", SP_CONFIG_SETS, "SP_OUTPUT", NULL},
        {"deactivate_file_output", "true", SP_CONFIG_SETS, "SP_OUTPUT", "none"},
        {"deactivate_file_output", "false", SP_CONFIG_ASKS_NOTHING, NULL, NULL},
        {"deactivate_profiling", "True", SP_CONFIG_SETS, "SP_ENABLE", "0"},
        {"aggregation_mode", "true", SP_CONFIG_SETS, "SP_MODE", "profile"},
        {"aggregation_mode", "false", SP_CONFIG_SETS, "SP_MODE", "trace"},
        {"recursive_profile", "false", SP_CONFIG_SETS, "SP_FUNCTIONS", "off"},
        {"output_mode", "direct", SP_CONFIG_SETS, "SP_IO", "gather"},
        {"output_mode", "parallel", SP_CONFIG_SETS, "SP_IO", "collective"},
        {"hdf5_compression", "gzip", SP_CONFIG_SETS, "SP_COMPRESSION", "gzip"},
        {"hdf5.compression_level", "4", SP_CONFIG_SETS, "SP_COMPRESSION", "gzip:4"},
        {"hdf5_compression_level", "0", SP_CONFIG_SETS, "SP_COMPRESSION", "none"},
        {"hdf5_compression", "lzf", SP_CONFIG_HAS_NO_COUNTERPART, NULL, NULL},
        {"hdf5_compression_level", "22", SP_CONFIG_HAS_NO_COUNTERPART, NULL, NULL},
        {"track_threads", "true", SP_CONFIG_ASKS_NOTHING, NULL, NULL},
        {"use_nvtx", "false", SP_CONFIG_ASKS_NOTHING, NULL, NULL},
        {"use_nvtx", "true", SP_CONFIG_HAS_NO_COUNTERPART, NULL, NULL},
        {"buffer_limit", "1024", SP_CONFIG_HAS_NO_COUNTERPART, NULL, NULL},
        {"filepath", "a", SP_CONFIG_IS_UNKNOWN, NULL, NULL},
        {"", "a", SP_CONFIG_IS_UNKNOWN, NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        struct sp_config_wish wish;
        assert_int_equal(sp_config_key_resolve(rows[i].key, rows[i].value, &wish), rows[i].meaning);
        if (rows[i].variable)
            assert_string_equal(wish.variable, rows[i].variable);
        if (rows[i].meaning == SP_CONFIG_SETS)
            assert_int_equal(wish.has_value, rows[i].ours != NULL);
        if (rows[i].ours)
            assert_string_equal(wish.value, rows[i].ours);
    }
}

static void the_nearest_name_is_spelled_as_in_a_file(void **state)
{
    static const struct {
        const char *key, *name;
    } rows[] = {{"outptu", "output"}, {"SP_LABL", "label"}, {"file_pth", "file_path"}, {"Trace-Limits", "trace_limit"}};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        char name[64];
        sp_config_key_nearest(rows[i].key, name, sizeof name);
        assert_string_equal(name, rows[i].name);
    }
}

/* A byte order mark, CRLF, comments, quotes, tables before and behind with lines that are no INI, our table indented. */
static const char python_file[] = "\xEF\xBB\xBF# a project\r\n"
                                  "[project]\r\n"
                                  "name = \"solver\"\r\n"
                                  "dependencies = [\r\n"
                                  "  \"numpy>=1\",\r\n"
                                  "]\r\n"
                                  "text = \"\"\"\r\n"
                                  "no INI at all\r\n"
                                  "\"\"\"\r\n"
                                  "[ profiling ] # ours\r\n"
                                  "  deactivate_file_output = false\r\n"
                                  "  file_path = \"a # b.h5\"  # the file\r\n"
                                  "  label = 'literal \"text\"'\r\n"
                                  "\r\n"
                                  "  ; a comment of INI files\r\n"
                                  "  \"include\" = [\"MPI_*\", 'a,b']\r\n"
                                  "  aggregation_mode = true\r\n"
                                  "  summary = false\r\n"
                                  "  trace_limit = \"64K\"\r\n"
                                  "  hdf5.compression = \"gzip\"\r\n"
                                  "[profiling.hdf5]\r\n"
                                  "compression_level = 7\r\n"
                                  "[tool.other]\r\n"
                                  "label = \"not ours\"\r\n"
                                  "[profiling2]\r\n"
                                  "label = \"nor this\"";

static void the_table_is_found_in_a_toml_file(void **state)
{
    struct sp_config config;
    (void)state;
    read_with(python_file, &config);
    assert_string_equal(said, "");
    assert_string_equal(config.output, "a # b.h5");
    assert_string_equal(config.label, "literal \"text\"");
    assert_string_equal(config.include, "MPI_*,a\\,b");
    assert_string_equal(config.mode, "profile");
    assert_int_equal(config.summary, 0);
    assert_int_equal(config.trace_limit, 65536);
    assert_string_equal(config.compression, "gzip:7");
    assert_string_equal(config.config, "f");
    assert_int_equal(config.config_path[0], '/');
    sp_config_release(&config);
}

static void what_is_not_understood_is_one_line_with_its_place(void **state)
{
    static const struct {
        const char *content, *message;
    } rows[] = {
        {"[profiling]\noutptu = x\n", "f:2: outptu is not a setting of this program; the nearest is output\n"},
        {"[profiling]\n\n\nmode = fast\n", "f:4: SP_MODE=fast is none of trace|profile: using the first\n"},
        {"[profiling]\ntrace_limit = 1.5G", "f:2: SP_TRACE_LIMIT=1.5G is not a size (a whole number and K, M, G or T): using 256M\n"},
        {"[profiling]\nsummary: 7\n", "f:2: SP_SUMMARY=7 is neither 1 nor 0: using 1\n"},
        {"[profiling]\nbuffer_limit = 1024\n", "f:2: buffer_limit = 1024 has no counterpart here: passed over\n"},
        {"[profiling]\njust words\n", "f:2: neither NAME = VALUE nor a comment: passed over\n"},
        {"[profiling]\nlabel = \"open\n", "f:2: label: no closing \": passed over\n"},
        {"[profiling]\ninclude = [\n  'a',\n]\n", "f:2: include: the array does not end on its line: passed over\n"},
        {"[profiling]\nconfig = other.ini\n", "f:2: a configuration file names no other: passed over\n"},
        {"label = x\n", "f: has no table [profiling]: nothing is set by it\n"},
        {"[[profiling]]\nlabel = x\n", "f: has no table [profiling]: nothing is set by it\n"},
        {"", "f: has no table [profiling]: nothing is set by it\n"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        struct sp_config config;
        read_with(rows[i].content, &config);
        assert_string_equal(said, rows[i].message);
        assert_string_equal(config.label, "");
        assert_string_equal(config.mode, "trace");
        sp_config_release(&config);
    }
}

/* One setting, from the program, the file and the environment. */
static void the_environment_goes_before_the_file_and_that_before_the_program(void **state)
{
    static const struct {
        const char *program, *file, *environment, *label;
    } rows[] = {
        {"program", "label = file", "environment", "environment"},
        {"program", "label = file", NULL, "file"},
        {"program", "label = file", "", "file"},
        {"program", "", NULL, "program"},
        {"program", "", "environment", "environment"},
        {"program", "label = one\nlabel = two", NULL, "two"},
        {"program", "label = \"\"", NULL, ""},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        struct sp_config config;
        char content[256];
        snprintf(content, sizeof content, "[profiling]\n%s\n", rows[i].file);
        assert_int_equal(sp_override_set("SP_LABEL", rows[i].program), 0);
        if (rows[i].environment)
            setenv("SP_LABEL", rows[i].environment, 1);
        read_with(content, &config);
        unsetenv("SP_LABEL");
        assert_string_equal(said, "");
        assert_string_equal(config.label, rows[i].label);
        sp_config_release(&config);
    }
    assert_int_equal(sp_override_set("SP_LABEL", ""), 0);
}

static void a_stronger_line_wins_wherever_it_stands(void **state)
{
    static const char *const contents[] = {
        "[profiling]\nfile_path = a.h5\ndeactivate_file_output = true\nhdf5_compression = gzip\nhdf5_compression_level = 3\n",
        "[profiling]\nhdf5_compression_level = 3\nhdf5_compression = gzip\ndeactivate_file_output = true\nfile_path = a.h5\n"};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(contents); i++) {
        struct sp_config config;
        read_with(contents[i], &config);
        assert_string_equal(said, "");
        assert_string_equal(config.output, "none");
        assert_string_equal(config.compression, "gzip:3");
        sp_config_release(&config);
    }
}

static void a_warning_of_the_environment_has_no_place_in_the_file(void **state)
{
    struct sp_config config;
    (void)state;
    setenv("SP_MODE", "tracing", 1);
    read_with("[profiling]\nmode = profile\n", &config);
    unsetenv("SP_MODE");
    assert_string_equal(said, "SP_MODE=tracing is none of trace|profile: using the first\n");
    sp_config_release(&config);
}

static void expect_refused(const char *path, const char *message)
{
    char expected[256];
    said[0] = '\0';
    assert_null(sp_config_file_read(path, say));
    snprintf(expected, sizeof expected, "SP_CONFIG=%s: %s: not read\n", path, message);
    assert_string_equal(said, expected);
}

static void a_file_that_is_none_is_refused_in_one_line(void **state)
{
    static const char binary[] = "[profiling]\nlabel = x\0y\n";
    (void)state;
    expect_refused("nosuch", "No such file or directory");
    expect_refused("/proc", "is a directory");
    expect_refused("/dev/null", "is not a regular file");
    write_bytes(binary, sizeof binary - 1);
    expect_refused("f", "holds binary data");
    write_bytes("", 0);
    assert_int_equal(truncate("f", SP_CONFIG_FILE_LIMIT + 1), 0);
    expect_refused("f", "is larger than 1 MiB");
    unlink("f");
    assert_int_equal(mkfifo("f", 0600), 0);
    expect_refused("f", "is not a regular file");
    unlink("f");
}

static void what_is_switched_off_does_not_look_at_its_file(void **state)
{
    struct sp_config config;
    (void)state;
    setenv("SP_ENABLE", "0", 1);
    read_with("[profiling]\nlabel = x\nnonsense\n", &config);
    unsetenv("SP_ENABLE");
    assert_string_equal(said, "");
    assert_string_equal(config.label, "");
    assert_null(config.config_path);
    sp_config_release(&config);
}

/* 60000 bytes pass where the parser's limits are variables; a line that is too long anywhere is passed over, with what follows read. */
static void a_long_line_is_read_or_named(void **state)
{
    struct sp_config config;
    static char content[70100];
    (void)state;
    strcpy(content, "[profiling]\ninclude = ");
    memset(content + strlen(content), 'x', 70000);
    strcpy(content + 70022, "\nlabel = behind\n");
    read_with(content, &config);
    assert_non_null(strstr(said, "f:2: longer than "));
    assert_string_equal(config.include, "");
    assert_string_equal(config.label, "behind");
    sp_config_release(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_becomes_the_text_of_a_setting),
        cmocka_unit_test(names_are_ours_or_the_python_tools),
        cmocka_unit_test(the_nearest_name_is_spelled_as_in_a_file),
        cmocka_unit_test(the_table_is_found_in_a_toml_file),
        cmocka_unit_test(what_is_not_understood_is_one_line_with_its_place),
        cmocka_unit_test(the_environment_goes_before_the_file_and_that_before_the_program),
        cmocka_unit_test(a_stronger_line_wins_wherever_it_stands),
        cmocka_unit_test(a_warning_of_the_environment_has_no_place_in_the_file),
        cmocka_unit_test(a_file_that_is_none_is_refused_in_one_line),
        cmocka_unit_test(what_is_switched_off_does_not_look_at_its_file),
        cmocka_unit_test(a_long_line_is_read_or_named),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
