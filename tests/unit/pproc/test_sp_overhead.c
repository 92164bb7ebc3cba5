/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_overhead.h"

#include <math.h>

static void calls_times_cost_in_percent_of_ranks_times_time(void **state)
{
    /* 40 ns x 1000 + 60 ns x 500 = 70 000 ns, of 2 x 1 ms 3.5 % */
    const int64_t costs_ps[] = {40000, 60000}, unknown[] = {40000, 0};
    const uint64_t calls[] = {1000, 500};
    (void)state;
    struct sp_overhead found = sp_overhead_sum(costs_ps, calls, 2, 2e6);
    assert_int_equal(found.calls, 1500);
    assert_true(fabs(found.cost_ns - 50) < 1e-9);
    assert_true(fabs(found.total_ns - 70000) < 1e-6);
    assert_true(fabs(found.percent - 3.5) < 1e-9);
    assert_true(isnan(sp_overhead_sum(unknown, calls, 2, 2e6).percent));
    assert_true(isnan(sp_overhead_sum(costs_ps, calls, 0, 2e6).percent));
    assert_true(isnan(sp_overhead_sum(costs_ps, calls, 2, NAN).percent));
}

static void short_calls_are_named_with_what_they_cost(void **state)
{
    /* cost 50 ns, so short is below 1000 ns on average; MPI_Init is outside of the run */
    static struct sp_region regions[] = {{(char *)"long", NULL, SP_REGION_USER, true}, {(char *)"f<a,b>", NULL, SP_REGION_USER, true},
        {(char *)"tiny", NULL, SP_REGION_FUNCTION, true}, {(char *)"MPI_Init", NULL, SP_REGION_MPI, true}};
    static struct sp_run run = {.regions = regions, .rank_count = 2};
    static struct sp_region_summary rows[] = {{.region = 0, .stats = {.calls = 100, .total = 100000}},
        {.region = 1, .stats = {.calls = 200, .total = 199999}}, {.region = 2, .stats = {.calls = 900, .total = 900}},
        {.region = 3, .stats = {.calls = 2, .total = 2}}};
    struct sp_profile profile = {.run = &run, .regions = rows, .region_count = 4, .rank_ns = 1e6};
    struct sp_overhead overhead = {.calls = 1202, .cost_ns = 50};
    char names[100], narrow[8];
    double saved;
    (void)state;
    assert_int_equal(sp_overhead_name_short(&profile, &overhead, 8, names, sizeof names, &saved), 2);
    assert_string_equal(names, "tiny,f<a\\,b>");
    assert_true(fabs(saved - 5.5) < 1e-9); /* 1100 x 50 ns of 1 ms */
    assert_int_equal(sp_overhead_name_short(&profile, &overhead, 8, narrow, sizeof narrow, &saved), 1);
    assert_string_equal(narrow, "tiny");
    assert_int_equal(sp_overhead_name_short(&profile, &overhead, 1, names, sizeof names, &saved), 1);
    overhead.cost_ns = NAN;
    assert_int_equal(sp_overhead_name_short(&profile, &overhead, 8, names, sizeof names, &saved), 0);
    assert_string_equal(names, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_times_cost_in_percent_of_ranks_times_time),
        cmocka_unit_test(short_calls_are_named_with_what_they_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
