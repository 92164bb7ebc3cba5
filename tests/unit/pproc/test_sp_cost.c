/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_cost.h"
#include "sp_scaling.h"

#include <math.h>

static void core_hours_are_cores_times_hours(void **state)
{
    (void)state;
    assert_true(sp_cost_core_hours(128, 1.8e12) == 64); /* half an hour */
    assert_true(isnan(sp_cost_core_hours(128, NAN)));
}

static void more_stops_paying_where_doubling_buys_less_than_half(void **state)
{
    static const struct {
        double x[4], time[4];
        size_t stop;
        double gain;
    } rows[] = {
        {{1, 2, 4, 8}, {80, 50, 40, 38}, 1, 1.25},                /* 1.6, 1.25 */
        {{1, 2, 4, 8}, {80, 40, 20, 10}, SIZE_MAX, NAN},          /* 2 each */
        {{1, 4, 16, 32}, {80, 32, 8, 5}, SIZE_MAX, NAN},          /* sqrt(2.5) = 1.58, 2, 1.6 */
        {{1, 4, 16, 32}, {80, 40, 8, 5}, 0, 1.41421356237309505}, /* two doublings for a factor of 2 */
        {{1, 2, 4, 8}, {80, 50, 100.0 / 3, 25}, 2, 4.0 / 3}       /* just 1.5 still pays */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sp_scaling_point points[4];
        double gain;
        for (int k = 0; k < 4; k++)
            points[k] = (struct sp_scaling_point){.x = rows[i].x[k], .time_ns = rows[i].time[k]};
        assert_true(sp_cost_last_paying(points, 4, &gain) == rows[i].stop);
        assert_true(isnan(rows[i].gain) ? isnan(gain) : fabs(gain - rows[i].gain) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(core_hours_are_cores_times_hours),
        cmocka_unit_test(more_stops_paying_where_doubling_buys_less_than_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
