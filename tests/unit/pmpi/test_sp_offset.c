/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_offset.h"

#include <stdint.h>

static void an_exchange_bounds_the_offset_however_unequal_its_two_ways_are(void **state)
{
    /* The asker's clock is ahead by `ahead`; the question takes `there`, the answer `back`; asked at 1000 of the asker's clock. */
    static const struct {
        int64_t ahead, there, back;
        int64_t offset_ns, error_ns; /* by hand: ahead + (back - there) / 2, (there + back) / 2 */
    } cases[] = {
        {0, 10, 10, 0, 10},
        {500, 10, 10, 500, 10},
        {-500, 10, 10, -500, 10},
        {500, 0, 20, 510, 10},
        {500, 20, 0, 490, 10},
        {500, 90, 10, 460, 50},
        {1000000000000, 3, 2, 999999999999 /* 999999999999.5 rounded down */, 3},
        {-1000000000000, 0, 0, -1000000000000, 0},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_round_trip exchange = {
            .sent_ns = 1000, .other_ns = 1000 + cases[i].there - cases[i].ahead, .received_ns = 1000 + cases[i].there + cases[i].back};
        struct sp_offset offset = sp_offset_from(&exchange);
        assert_int_equal(offset.offset_ns, cases[i].offset_ns);
        assert_int_equal(offset.error_ns, cases[i].error_ns);
        assert_int_equal(offset.at_ns, 1000 + (cases[i].there + cases[i].back) / 2);
        assert_true(offset.offset_ns - offset.error_ns <= cases[i].ahead && cases[i].ahead <= offset.offset_ns + offset.error_ns);
    }
}

static void the_shortest_round_trip_is_better_and_anything_is_better_than_nothing(void **state)
{
    static const struct sp_offset none = {.error_ns = -1}, exact = {.error_ns = 0}, good = {.error_ns = 5}, bad = {.error_ns = 6};
    (void)state;
    assert_true(sp_offset_is_better(&good, &bad));
    assert_false(sp_offset_is_better(&bad, &good));
    assert_false(sp_offset_is_better(&good, &good));
    assert_true(sp_offset_is_better(&bad, &none));
    assert_true(sp_offset_is_better(&exact, &good));
    assert_false(sp_offset_is_better(&none, &bad));
    assert_false(sp_offset_is_better(&none, &none));
}

static void an_offset_grows_uncertain_by_100_us_a_second(void **state)
{
    static const struct sp_offset offset = {.offset_ns = 7, .error_ns = 10, .at_ns = 5000000000}, none = {.error_ns = -1};
    (void)state;
    assert_int_equal(sp_offset_at(offset, 5000000000).error_ns, 10);
    assert_int_equal(sp_offset_at(offset, 6000000000).error_ns, 100010);
    assert_int_equal(sp_offset_at(offset, 4000000000).error_ns, 100010);
    assert_int_equal(sp_offset_at(offset, 5000000001).error_ns, 11);
    assert_int_equal(sp_offset_at(offset, 6000000000).offset_ns, 7);
    assert_int_equal(sp_offset_at(none, 6000000000).error_ns, -1);
}

static void offsets_and_errors_add_up_along_the_tree(void **state)
{
    static const struct sp_offset a_b = {.offset_ns = 100, .error_ns = 4, .at_ns = 9000}, none = {.error_ns = -1};
    static const struct sp_offset b_c = {.offset_ns = -30, .error_ns = 2, .at_ns = 1000000};
    (void)state;
    /* b was compared with c when it showed 1000000, with a 1 ms later: 100 ns of drift */
    struct sp_offset a_c = sp_offset_chain(&a_b, 2000000, &b_c);
    assert_int_equal(a_c.offset_ns, 70);
    assert_int_equal(a_c.error_ns, 106);
    assert_int_equal(a_c.at_ns, 9000);
    assert_int_equal(sp_offset_chain(&none, 2000000, &b_c).error_ns, -1);
    assert_int_equal(sp_offset_chain(&a_b, 2000000, &none).error_ns, -1);
}

static void two_measurements_settle_the_offsets_at_both_ends(void **state)
{
    /* measured first, last; for the times; offsets there; error */
    static const struct {
        const char *why;
        struct sp_offset first, last;
        int64_t from_ns, to_ns, offset_ns[2], error_ns;
    } cases[] = {
        {"twice the same", {100, 5, 1000}, {100, 5, 2000}, 900, 2000, {100, 100}, 5},
        /* 95..105 and 103..113 have 103..105 in common; 104 is 9 from either far end */
        {"no drift beyond the errors", {100, 5, 1000}, {108, 5, 2000}, 900, 2000, {104, 104}, 9},
        {"they touch", {100, 5, 1000}, {110, 5, 2000}, 1000, 2000, {105, 105}, 10},
        {"the better one lies inside", {100, 50, 1000}, {120, 2, 2000}, 1000, 2000, {120, 120}, 70},
        {"drift, asked where it was measured", {100, 5, 1000}, {300, 7, 2000}, 1000, 2000, {100, 300}, 7},
        /* 200 in 1000: 0.2 a ns; 500 before: 100 lower; the line's end may be off by 12 * 500 / 1000 more */
        {"drift, asked before", {100, 5, 1000}, {300, 7, 2000}, 500, 2000, {0, 300}, 13},
        {"drift, asked in between", {100, 5, 1000}, {300, 7, 2000}, 1000, 1500, {100, 200}, 7},
        {"drift backwards", {100, 1, 1000}, {-300, 1, 3000}, 1000, 2000, {100, -100}, 1},
        /* an hour of 20 ppm: 72 ms */
        {"an hour", {0, 1000, 0}, {72000000, 1000, 3600000000000}, 0, 1800000000000, {0, 36000000}, 1000},
        {"a far offset", {INT64_C(1) << 60, 5, 0}, {(INT64_C(1) << 60) + 1000, 5, 3600000000000}, 0, 3600000000000,
            {INT64_C(1) << 60, (INT64_C(1) << 60) + 1000}, 5},
        /* the first holds; a second later it may be 100 us off */
        {"no last one", {100, 5, 0}, {0, -1, 0}, 0, 1000000000, {100, 100}, 100005},
        {"a last one that is not later", {100, 5, 1000}, {300, 5, 1000}, 1000, 1000, {100, 100}, 5},
        {"a calendar clock first", {100, 1000000000, 0}, {700, 5, 1000}, 0, 1000, {700, 700}, 1000000600},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_offset settled[2];
        sp_offset_settle(&cases[i].first, &cases[i].last, cases[i].from_ns, cases[i].to_ns, settled);
        if (settled[0].offset_ns != cases[i].offset_ns[0] || settled[1].offset_ns != cases[i].offset_ns[1] ||
            settled[0].error_ns != cases[i].error_ns || settled[1].error_ns != cases[i].error_ns)
            fail_msg("%s: %lld, %lld, error %lld", cases[i].why, (long long)settled[0].offset_ns, (long long)settled[1].offset_ns,
                (long long)settled[0].error_ns);
        assert_int_equal(settled[0].at_ns, cases[i].from_ns);
        assert_int_equal(settled[1].at_ns, cases[i].to_ns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exchange_bounds_the_offset_however_unequal_its_two_ways_are),
        cmocka_unit_test(the_shortest_round_trip_is_better_and_anything_is_better_than_nothing),
        cmocka_unit_test(an_offset_grows_uncertain_by_100_us_a_second),
        cmocka_unit_test(offsets_and_errors_add_up_along_the_tree),
        cmocka_unit_test(two_measurements_settle_the_offsets_at_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
