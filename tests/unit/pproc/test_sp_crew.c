/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_crew.h"
#include "sp_error.h"

#include <stdlib.h>
#include <string.h>

static void shares_follow_each_other_and_cover_everything(void **state)
{
    uint64_t weights[37];
    (void)state;
    for (size_t i = 0; i < SP_COUNT(weights); i++)
        weights[i] = i * i % 11 * (i % 3);
    for (int parts = 1; parts <= 50; parts++)
        for (size_t count = 0; count <= SP_COUNT(weights); count++) {
            size_t covered = 0;
            for (int part = 0; part < parts; part++) {
                size_t first, end;
                sp_crew_split(weights, count, part, parts, &first, &end);
                if (first == end)
                    continue;
                assert_int_equal(first, covered);
                assert_true(end > first && end <= count);
                covered = end;
            }
            assert_int_equal(covered, count);
        }
}

static void equal_weights_are_split_evenly(void **state)
{
    static const uint64_t weights[] = {5, 5, 5, 5, 5, 5, 5, 5};
    size_t first, end;
    (void)state;
    for (int part = 0; part < 4; part++) {
        sp_crew_split(weights, 8, part, 4, &first, &end);
        assert_int_equal(first, 2 * part);
        assert_int_equal(end, 2 * part + 2);
    }
}

static void a_heavy_item_is_alone(void **state)
{
    static const uint64_t weights[] = {1000000, 1, 1, 1};
    size_t first, end;
    (void)state;
    sp_crew_split(weights, 4, 0, 2, &first, &end);
    assert_int_equal(first, 0);
    assert_int_equal(end, 1);
    sp_crew_split(weights, 4, 1, 2, &first, &end);
    assert_int_equal(first, 1);
    assert_int_equal(end, 4);
}

static void alone_nothing_needs_mpi(void **state)
{
    struct sp_crew crew;
    struct sp_error err = {0};
    int32_t values[] = {1, 2, 3};
    void *all;
    size_t count;
    (void)state;
    sp_crew_start(&crew, SP_CREW_OFF);
    assert_int_equal(crew.size, 1);
    assert_int_equal(sp_crew_agree(&crew, 0, &err), 0);
    assert_int_equal(sp_crew_agree(&crew, -1, &err), -1);
    assert_int_equal(sp_crew_gather(&crew, values, sizeof *values, 3, &all, &count, &err), 0);
    assert_int_equal(count, 3);
    assert_memory_equal(all, values, sizeof values);
    free(all);
    assert_int_equal(sp_crew_gather(&crew, NULL, sizeof *values, 0, &all, &count, &err), 0);
    assert_int_equal(count, 0);
    free(all);
    sp_crew_stop(&crew);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_follow_each_other_and_cover_everything),
        cmocka_unit_test(equal_weights_are_split_evenly),
        cmocka_unit_test(a_heavy_item_is_alone),
        cmocka_unit_test(alone_nothing_needs_mpi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
