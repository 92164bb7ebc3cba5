/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_index.h"

#include <string.h>

static int equal(const void *table, int32_t row, const void *key)
{
    return ((const uint64_t *)table)[row] == *(const uint64_t *)key;
}

static void a_row_is_found_by_its_key_even_where_hashes_collide(void **state)
{
    enum { N = 5000 };
    static uint64_t table[N];
    (void)state;
    for (int collisions = 0; collisions < 2; collisions++) {
        struct sp_index index = {0};
        for (int32_t i = 0; i < N; i++) {
            table[i] = (uint64_t)i * 7919;
            uint64_t hash = collisions ? (uint64_t)(i % 3) : sp_hash_number(0, table[i]);
            if (collisions && i >= 300)
                break; /* each search walks over all of its hash */
            assert_int_equal(sp_index_find(&index, hash, equal, table, &table[i]), -1);
            assert_int_equal(sp_index_add(&index, hash, i), 0);
        }
        for (int32_t i = 0; i < (collisions ? 300 : N); i++) {
            uint64_t hash = collisions ? (uint64_t)(i % 3) : sp_hash_number(0, table[i]);
            assert_int_equal(sp_index_find(&index, hash, equal, table, &table[i]), i);
        }
        sp_index_free(&index);
    }
}

static void an_empty_index_finds_nothing(void **state)
{
    struct sp_index index = {0};
    uint64_t key = 1;
    (void)state;
    assert_int_equal(sp_index_find(&index, 5, equal, &key, &key), -1);
    sp_index_free(&index);
}

static void hashes_tell_lengths_and_parts_apart(void **state)
{
    static const char zeros[64];
    uint64_t seen[65];
    (void)state;
    for (size_t n = 0; n <= 64; n++) {
        seen[n] = sp_hash_bytes(0, zeros, n);
        for (size_t i = 0; i < n; i++)
            assert_true(seen[i] != seen[n]);
    }
    assert_true(sp_hash_bytes(1, "ab", 2) != sp_hash_bytes(0, "ab", 2));
    assert_true(sp_hash_number(1, 2) != sp_hash_number(2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_found_by_its_key_even_where_hashes_collide),
        cmocka_unit_test(an_empty_index_finds_nothing),
        cmocka_unit_test(hashes_tell_lengths_and_parts_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
