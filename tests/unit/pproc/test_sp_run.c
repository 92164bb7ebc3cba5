/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_error.h"
#include "sp_run.h"

static void assert_time(const struct sp_rank *ranks, int32_t count, int64_t time_ns, bool init, bool finalize)
{
    bool init_known, finalize_known;
    assert_int_equal(sp_run_time_of(ranks, count, &init_known, &finalize_known), time_ns);
    assert_int_equal(init_known, init);
    assert_int_equal(finalize_known, finalize);
}

static void the_run_lasts_from_the_first_init_to_the_last_finalize(void **state)
{
    static const struct sp_rank ranks[] = {
        {.start_ns = 0, .mpi_init_end_ns = 30, .finalize_begin_ns = 100, .end_ns = 140},
        {.start_ns = 5, .mpi_init_end_ns = 20, .finalize_begin_ns = 90, .end_ns = 150},
    };
    (void)state;
    assert_time(ranks, 2, 80, true, true);
}

/* A killed rank ends with its record, and MPI_Init still counts on no rank. */
static void of_a_rank_that_was_killed_the_record_ends_the_run(void **state)
{
    static const struct sp_rank ranks[] = {
        {.start_ns = 2, .mpi_init_end_ns = 30, .finalize_begin_ns = 100, .end_ns = 140},
        {.start_ns = 5, .mpi_init_end_ns = 20, .finalize_begin_ns = -1, .end_ns = 120},
    };
    (void)state;
    assert_time(ranks, 2, 100, true, false);
    assert_time(ranks, 1, 70, true, true);
}

static void of_a_rank_that_never_came_out_of_init_the_record_begins_the_run(void **state)
{
    static const struct sp_rank ranks[] = {
        {.start_ns = 2, .mpi_init_end_ns = -1, .finalize_begin_ns = 100, .end_ns = 140},
        {.start_ns = 5, .mpi_init_end_ns = 20, .finalize_begin_ns = 90, .end_ns = 150},
    };
    static const struct sp_rank unknown[] = {{.start_ns = 2, .mpi_init_end_ns = -1, .finalize_begin_ns = -1, .end_ns = 140}};
    (void)state;
    assert_time(ranks, 2, 98, false, true);
    assert_time(unknown, 1, 138, false, false);
}

static void without_ranks_nothing_is_known(void **state)
{
    (void)state;
    assert_time(NULL, 0, -1, false, false);
}

static void init_and_finalize_are_outside_whatever_the_record_knows(void **state)
{
    struct sp_region regions[] = {{(char *)"MPI_Init_thread", NULL, SP_REGION_MPI, true},
        {(char *)"MPI_Finalize", NULL, SP_REGION_MPI, true}, {(char *)"MPI_Send", NULL, SP_REGION_MPI, true},
        {(char *)"MPI_Finalize", NULL, SP_REGION_USER, true}};
    struct sp_run run = {.regions = regions};
    (void)state;
    assert_true(sp_run_is_outside(&run, 0) && sp_run_is_outside(&run, 1));
    assert_false(sp_run_is_outside(&run, 2) || sp_run_is_outside(&run, 3));
    assert_false(sp_run_is_timed(&run, 1));
    assert_true(sp_run_is_timed(&run, 0) && sp_run_is_timed(&run, 2) && sp_run_is_timed(&run, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_run_lasts_from_the_first_init_to_the_last_finalize),
        cmocka_unit_test(of_a_rank_that_was_killed_the_record_ends_the_run),
        cmocka_unit_test(of_a_rank_that_never_came_out_of_init_the_record_begins_the_run),
        cmocka_unit_test(without_ranks_nothing_is_known),
        cmocka_unit_test(init_and_finalize_are_outside_whatever_the_record_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
