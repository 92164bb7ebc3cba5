/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_run.h"

static void the_run_lasts_from_the_first_init_to_the_last_finalize(void **state)
{
    static const struct sp_rank ranks[] = {
        {.start_ns = 0, .mpi_init_end_ns = 30, .finalize_begin_ns = 100, .end_ns = 140},
        {.start_ns = 5, .mpi_init_end_ns = 20, .finalize_begin_ns = 90, .end_ns = 150},
    };
    bool from_record;
    (void)state;
    assert_int_equal(sp_run_time_of(ranks, 2, &from_record), 80);
    assert_false(from_record);
}

static void an_unknown_end_takes_the_length_of_the_record(void **state)
{
    static const struct sp_rank ranks[] = {
        {.start_ns = 2, .mpi_init_end_ns = 30, .finalize_begin_ns = 100, .end_ns = 140},
        {.start_ns = 5, .mpi_init_end_ns = 20, .finalize_begin_ns = -1, .end_ns = 90},
    };
    bool from_record;
    (void)state;
    assert_int_equal(sp_run_time_of(ranks, 2, &from_record), 138);
    assert_true(from_record);
}

static void without_ranks_nothing_is_known(void **state)
{
    bool from_record;
    (void)state;
    assert_int_equal(sp_run_time_of(NULL, 0, &from_record), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_run_lasts_from_the_first_init_to_the_last_finalize),
        cmocka_unit_test(an_unknown_end_takes_the_length_of_the_record),
        cmocka_unit_test(without_ranks_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
