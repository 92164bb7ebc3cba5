/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_grid.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const headers[] = {"<region", "calls"};

static char *draw(bool boxes)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct sp_grid *grid = sp_grid_create("Title", headers, 2);
    sp_grid_add(grid,
        "gr\xc3\xb6\xc3\x9f"
        "e");
    sp_grid_add(grid, "1000");
    sp_grid_add(grid, "a\nb");
    sp_grid_add(grid, "7");
    sp_grid_add_rule(grid);
    sp_grid_add(grid, "TOTAL");
    sp_grid_add(grid, "1007");
    assert_true(sp_grid_is_sound(grid));
    sp_grid_write(grid, out, boxes);
    sp_grid_destroy(grid);
    fclose(out);
    return text;
}

static void without_a_terminal_a_grid_is_ascii(void **state)
{
    char *text = draw(false);
    (void)state;
    assert_string_equal(text,
        "Title\n"
        " region  calls\n"
        "-------- -------\n"
        " gr\xc3\xb6\xc3\x9f"
        "e    1000\n"
        " a\\nb        7\n"
        "-------- -------\n"
        " TOTAL    1007\n");
    free(text);
}

static void on_a_terminal_a_grid_has_boxes(void **state)
{
    char *text = draw(true);
    (void)state;
    assert_string_equal(text,
        "Title\n"
        "┌────────┬───────┐\n"
        "│ region │ calls │\n"
        "├────────┼───────┤\n"
        "│ größe  │  1000 │\n"
        "│ a\\nb   │     7 │\n"
        "├────────┼───────┤\n"
        "│ TOTAL  │  1007 │\n"
        "└────────┴───────┘\n");
    free(text);
}

static void a_row_that_is_not_full_is_not_sound(void **state)
{
    struct sp_grid *grid = sp_grid_create("Title", headers, 2);
    (void)state;
    sp_grid_add(grid, "lonely");
    assert_false(sp_grid_is_sound(grid));
    sp_grid_destroy(grid);
    sp_grid_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_terminal_a_grid_is_ascii),
        cmocka_unit_test(on_a_terminal_a_grid_has_boxes),
        cmocka_unit_test(a_row_that_is_not_full_is_not_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
