/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_keyed_rows.h"
#include "spill_fixture.h"

#include <stdlib.h>

static void ranks_have_histograms_where_events_cannot_answer_for_them(void **state)
{
    static const struct {
        const char *setting;
        int is_complete, rank_count, of_ranks;
    } cases[] = {
        {NULL, 1, 2, 0},
        {"", 0, 2, 1},
        {"auto", 0, 1024, 1},
        {"auto", 0, 1025, 0},
        {"rank", 1, 2, 1},
        {"rank", 0, 100000, 1},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        enum sp_histogram_ranks wanted;
        struct sp_error err;
        assert_int_equal(sp_histogram_ranks_parse(cases[i].setting, &wanted, &err), 0);
        assert_int_equal(sp_histogram_ranks_choose(wanted, cases[i].is_complete, cases[i].rank_count), cases[i].of_ranks);
    }
}

static void another_setting_is_refused(void **state)
{
    enum sp_histogram_ranks wanted;
    struct sp_error err;
    (void)state;
    assert_int_equal(sp_histogram_ranks_parse("lane", &wanted, &err), -1);
    assert_int_equal(err.code, SP_EXIT_USAGE);
    assert_string_equal(err.text, "SP_HISTOGRAMS=lane: must be auto or rank");
}

/* Calls on all lanes of a rank and of two ranks add up; a tick is half a ns. */
static struct spill_image *make_lane(int rank, int lane, uint64_t lost)
{
    struct spill_image *image = spill_image_lane("run", rank, 2, lane);
    spill_image_begin(image, 0, 2000); /* 100 ns = 64 (1 + 36/64) */
    spill_image_begin(image, 1, 2010); /* 8 ns */
    spill_image_end(image, 2026);
    spill_image_end(image, 2200);
    spill_image_finish(image, 3000);
    spill_image_header(image)->bins_lost = lost;
    return image;
}

static void a_region_s_calls_on_all_lanes_and_ranks_add_up(void **state)
{
    static const struct sp_histogram wanted[] = {
        {-1, -1, -1, 5},
        {-1, 0, 6 * 64 + 36, 3},
        {-1, 1, 3 * 64, 3},
        {0, -1, -1, 5},
        {0, 0, 6 * 64 + 36, 2},
        {0, 1, 3 * 64, 2},
        {1, 0, 6 * 64 + 36, 1},
        {1, 1, 3 * 64, 1},
    };
    struct spill_image *images[] = {make_lane(0, 0, 0), make_lane(0, 1, 5), make_lane(1, 0, 0)};
    struct sp_writer_source sources[3] = {{0}};
    struct sp_team team = {.size = 1};
    struct sp_keyed_rows rows;
    struct sp_dictionary_tables tables;
    struct sp_part *part;
    struct sp_error err = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        size_t bytes;
        sources[i].image = spill_image_bytes(images[i], &bytes);
        sources[i].bytes = bytes;
    }
    if (sp_part_open(sources, 3, &part, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(sp_dictionary_tables(part->dictionary, &tables), 0);
    assert_int_equal(sp_keyed_rows_unite(&team, part, tables.callpaths, 1, &rows, &err), 0);
    assert_int_equal(rows.histogram_count, SP_COUNT(wanted));
    for (size_t i = 0; i < SP_COUNT(wanted); i++) {
        assert_int_equal(rows.histograms[i].rank, wanted[i].rank);
        assert_int_equal(rows.histograms[i].region, wanted[i].region);
        assert_int_equal(rows.histograms[i].bin, wanted[i].bin);
        assert_int_equal(rows.histograms[i].calls, wanted[i].calls);
    }
    sp_keyed_rows_free(&rows);
    sp_part_close(part);
    for (size_t i = 0; i < 3; i++)
        spill_image_free(images[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_have_histograms_where_events_cannot_answer_for_them),
        cmocka_unit_test(another_setting_is_refused),
        cmocka_unit_test(a_region_s_calls_on_all_lanes_and_ranks_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
