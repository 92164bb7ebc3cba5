/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_paths.h"

static void a_path_is_made_once_and_found_again(void **state)
{
    (void)state;
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_paths *paths = sp_paths_create(store);
    uint32_t a = sp_paths_child(paths, 0, 5), b = sp_paths_child(paths, a, 5), c = sp_paths_child(paths, 0, 6);
    assert_int_equal(a, 1);
    assert_int_equal(b, 2);
    assert_int_equal(c, 3);
    assert_int_equal(sp_paths_child(paths, a, 5), b);
    assert_int_equal(sp_paths_node(paths, b)->parent, a);
    assert_int_equal(sp_paths_node(paths, b)->region, 5);
    assert_int_equal(sp_paths_node(paths, 0)->parent, SP_NODE_NONE);
    sp_paths_destroy(paths);
    sp_store_destroy(store);
}

static void nodes_stay_where_they_are(void **state)
{
    (void)state;
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_paths *paths = sp_paths_create(store);
    const struct sp_spill_node *first = sp_paths_node(paths, sp_paths_child(paths, 0, 1));
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(sp_paths_child(paths, i, 1), i + 1);
    assert_ptr_equal(first, sp_paths_node(paths, 1));
    assert_int_equal(sp_store_head(store)->node_count, 50001);
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(sp_paths_child(paths, i, 1), i + 1);
    sp_paths_destroy(paths);
    sp_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_made_once_and_found_again),
        cmocka_unit_test(nodes_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
