/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_findings.h"

#include <math.h>

#define RANKS 4

/* A run of 1000 ns on 4 ranks with two regions of the user and two MPI functions. */
static struct sp_region regions[] = {{(char *)"setup", NULL, SP_REGION_USER, true}, {(char *)"solve", NULL, SP_REGION_USER, true},
    {(char *)"MPI_Init", NULL, SP_REGION_MPI, true}, {(char *)"MPI_Send", NULL, SP_REGION_MPI, true}};
static struct sp_run run = {.regions = regions, .rank_count = RANKS, .time_ns = 1000};

static struct sp_region_summary summary(int32_t region, int64_t self, int64_t busiest)
{
    return (struct sp_region_summary){.region = region, .stats = {.calls = 1, .self = self}, .busiest_ns = busiest, .busiest_rank = 3};
}

static void the_largest_region_is_inside_the_run(void **state)
{
    struct sp_region_summary rows[] = {summary(0, 400, 100), summary(2, 9000, 2250), summary(1, 2000, 500)};
    struct sp_profile profile = {.run = &run, .regions = rows, .region_count = 3};
    (void)state;
    assert_int_equal(sp_finding_largest(&profile), 2);
    profile.region_count = 0;
    assert_true(sp_finding_largest(&profile) == SP_NOTHING);
}

static void an_uneven_region_costs_at_least_a_hundredth_of_the_run(void **state)
{
    /* busiest - mean: 9 ns of setup, below 10; 120 of solve; MPI functions wait, they do not work */
    struct sp_region_summary rows[] = {summary(0, 400, 109), summary(1, 2000, 620), summary(3, 400, 400)};
    struct sp_profile profile = {.run = &run, .regions = rows, .region_count = 3};
    (void)state;
    assert_int_equal(sp_finding_uneven(&profile), 1);
    profile.region_count = 1;
    assert_true(sp_finding_uneven(&profile) == SP_NOTHING);
}

static void the_weakest_scaling_counts_only_where_time_is_spent(void **state)
{
    struct sp_scaling_point points[][2] = {{{.x = 1}, {.x = 2, .efficiency = 0.9}}, {{.x = 1}, {.x = 2, .efficiency = 0.5}},
        {{.x = 1}, {.x = 2, .efficiency = 0.1}}, {{.x = 1}, {.x = 2, .efficiency = 0.05}}, {{.x = 1}, {.x = 2, .efficiency = NAN}}};
    struct sp_scaling_row rows[] = {{"(run)", -1, true, 0, 100, points[0]}, {"solve", SP_REGION_USER, true, 0, 60, points[1]},
        {"tiny", SP_REGION_USER, true, 0, 4.9, points[2]}, {"MPI_Send", SP_REGION_MPI, true, 0, 30, points[3]},
        {"once", SP_REGION_USER, false, 0, 30, points[4]}};
    struct sp_scaling scaling = {.point_count = 2, .rows = rows, .row_count = 5};
    (void)state;
    assert_int_equal(sp_finding_worst_scaling(&scaling), 1);
    scaling.row_count = 1;
    assert_true(sp_finding_worst_scaling(&scaling) == SP_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_region_is_inside_the_run),
        cmocka_unit_test(an_uneven_region_costs_at_least_a_hundredth_of_the_run),
        cmocka_unit_test(the_weakest_scaling_counts_only_where_time_is_spent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
