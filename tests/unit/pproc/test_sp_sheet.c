/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_json.h"
#include "sp_sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {"name", "calls", "seconds"};

static void fill(const void *data, size_t row, struct sp_cell *cells)
{
    static const char *const names[] = {"plain", "a,b", "say \"hi\"", "two\nlines", NULL};
    (void)data;
    cells[0] = sp_cell_text(names[row]);
    cells[1] = sp_cell_integer((int64_t)row);
    cells[2] = sp_cell_seconds(row == 1 ? NAN : row == 2 ? INFINITY : 1.5e9);
}

static const struct sp_sheet sheet = {"rows", columns, 3, 5, NULL, fill};

static void csv_quotes_what_needs_it_and_leaves_the_undefined_empty(void **state)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    sp_sheet_write_csv(&sheet, out);
    fclose(out);
    assert_string_equal(text,
        "name,calls,seconds\r\n"
        "plain,0,1.5\r\n"
        "\"a,b\",1,\r\n"
        "\"say \"\"hi\"\"\",2,\r\n"
        "\"two\nlines\",3,1.5\r\n"
        ",4,1.5\r\n");
    free(text);
}

static void both_ways_to_json_say_the_same(void **state)
{
    char *text;
    size_t size;
    struct sp_json json;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    sp_json_init(&json, out);
    sp_sheet_write_rows(&sheet, &json);
    sp_json_finish(&json);
    fclose(out);
    json_t *streamed = json_loads(text, 0, NULL), *built = sp_sheet_rows(&sheet);
    assert_non_null(streamed);
    assert_int_equal(json_array_size(streamed), 5);
    assert_true(json_is_null(json_object_get(json_array_get(streamed, 1), "seconds")));
    assert_true(json_is_null(json_object_get(json_array_get(streamed, 2), "seconds")));
    assert_true(json_is_null(json_object_get(json_array_get(streamed, 4), "name")));
    assert_true(json_equal(streamed, built));
    json_decref(streamed);
    json_decref(built);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_quotes_what_needs_it_and_leaves_the_undefined_empty),
        cmocka_unit_test(both_ways_to_json_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
