/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_clock.h"

#include <string.h>

static struct sp_spill_clock clock_of(uint64_t ticks, int64_t ns, uint64_t last_ticks, int64_t last_ns)
{
    return (struct sp_spill_clock){.source = SP_CLOCK_TSC, .first = {ticks, ns}, .last = {{last_ticks, last_ns}}};
}

static void ticks_become_ns_by_the_two_points(void **state)
{
    (void)state;
    static const struct {
        uint64_t last_ticks;
        int64_t last_ns;
        uint64_t ticks;
        int64_t ns;
        const char *what;
    } cases[] = {
        {1000, 5000, 0, 5000 - 500, "before the first point, at 1 ns a tick"},
        {2500, 6000, 500, 5000, "the first point"},
        {2500, 6000, 2500, 6000, "the last point"},
        {2500, 6000, 1500, 5500, "half way, two ticks a ns"},
        {2500, 6000, 4500, 7000, "beyond the last point"},
        {500, 5000, 700, 5200, "no second point yet: a tick is a ns"},
    };
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_spill_clock clock = clock_of(500, 5000, cases[i].last_ticks, cases[i].last_ns);
        if (i == 0)
            clock = clock_of(500, 5000, 1500, 6000);
        if (sp_clock_to_ns(&clock, cases[i].ticks) != cases[i].ns)
            fail_msg("%s: %lld", cases[i].what, (long long)sp_clock_to_ns(&clock, cases[i].ticks));
    }
}

static void a_point_off_the_line_shows_by_how_much(void **state)
{
    (void)state;
    struct sp_spill_clock clock = clock_of(0, 0, 2000, 1000);
    const struct {
        uint64_t ticks;
        int64_t ns, residual_ns;
    } cases[] = {{1000, 500, 0}, {1000, 530, 30}, {1000, 480, 20}, {2000, 1000, 0}};
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_spill_clock_point point = {cases[i].ticks, cases[i].ns};
        assert_int_equal(sp_clock_residual_ns(&clock, &point), cases[i].residual_ns);
    }
}

static void a_year_at_three_gigahertz_stays_exact(void **state)
{
    (void)state;
    const int64_t year_ns = 31557600000000000;
    struct sp_spill_clock clock = clock_of(7, 11, 7 + 3 * (uint64_t)year_ns, 11 + year_ns);
    assert_int_equal(sp_clock_to_ns(&clock, 7 + 3 * (uint64_t)(year_ns / 2)), 11 + year_ns / 2);
    assert_int_equal(sp_clock_to_ns(&clock, 7 + 3), 12);
}

static void the_clock_does_not_step_back(void **state)
{
    (void)state;
    static const char *const wanted[] = {"auto", "tsc", "monotonic", NULL};
    for (size_t i = 0; i < SP_COUNT(wanted); i++) {
        enum sp_clock_source source = sp_clock_choose(wanted[i]);
        uint64_t last = sp_clock_now(source);
        for (int k = 0; k < 1000; k++) {
            uint64_t now = sp_clock_now(source);
            assert_true(now >= last);
            last = now;
        }
    }
    assert_int_equal(sp_clock_choose("monotonic"), SP_CLOCK_MONOTONIC);
}

static void renewing_switches_to_the_other_copy(void **state)
{
    (void)state;
    struct sp_spill_clock clock = {.source = SP_CLOCK_MONOTONIC};
    clock.first = sp_clock_read_point(SP_CLOCK_MONOTONIC, NULL);
    sp_clock_renew(&clock);
    assert_int_equal(clock.last_index, 1);
    struct sp_spill_clock_point kept = clock.last[1];
    sp_clock_renew(&clock);
    assert_int_equal(clock.last_index, 0);
    assert_memory_equal(&kept, &clock.last[1], sizeof kept);
    assert_true(clock.last[0].ticks >= kept.ticks);
}

static void a_source_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(sp_clock_name(SP_CLOCK_TSC), "tsc");
    assert_string_equal(sp_clock_name(SP_CLOCK_MONOTONIC), "monotonic");
    assert_string_equal(sp_clock_name(SP_CLOCK_CNTVCT), "cntvct");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_become_ns_by_the_two_points),
        cmocka_unit_test(a_point_off_the_line_shows_by_how_much),
        cmocka_unit_test(a_year_at_three_gigahertz_stays_exact),
        cmocka_unit_test(the_clock_does_not_step_back),
        cmocka_unit_test(renewing_switches_to_the_other_copy),
        cmocka_unit_test(a_source_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
