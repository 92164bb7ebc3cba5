/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_part.h"
#include "spill_fixture.h"

#include <stdlib.h>
#include <string.h>

#define IMAGES 4

/* Opens what the images hold; frees nothing. */
static int open_images(struct spill_image *const *images, size_t count, struct sp_part **part, struct sp_error *err)
{
    struct sp_writer_source sources[IMAGES] = {{0}};
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        sources[i].image = spill_image_bytes(images[i], &bytes);
        sources[i].bytes = bytes;
    }
    return sp_part_open(sources, count, part, err);
}

static void free_images(struct spill_image *const *images, size_t count)
{
    for (size_t i = 0; i < count; i++)
        spill_image_free(images[i]);
}

static void ranks_and_lanes_are_put_in_order(void **state)
{
    struct spill_image *images[] = {spill_image_lane("run", 3, 4, 1), spill_image_lane("run", 1, 4, 0), spill_image_process("run", 3, 4),
        spill_image_lane("run", 3, 4, 0)};
    struct sp_part *part;
    struct sp_error err;
    (void)state;
    assert_int_equal(open_images(images, 4, &part, &err), 0);
    assert_int_equal(part->run_rank_count, 4);
    assert_int_equal(part->rank_count, 2);
    assert_int_equal(part->lane_count, 3);
    assert_int_equal(part->ranks[0].rank, 1);
    assert_null(part->ranks[0].spill);
    assert_int_equal(part->ranks[1].rank, 3);
    assert_non_null(part->ranks[1].spill);
    assert_int_equal(part->ranks[1].first_lane, 1);
    assert_int_equal(part->ranks[1].lane_count, 2);
    assert_int_equal(sp_spill_header(part->lanes[1].spill)->lane, 0);
    assert_int_equal(sp_spill_header(part->lanes[2].spill)->lane, 1);
    sp_part_close(part);
    free_images(images, 4);
}

static void what_does_not_belong_together_is_refused(void **state)
{
    struct spill_image *runs[] = {spill_image_lane("run-a", 0, 4, 0), spill_image_lane("run-b", 1, 4, 0)};
    struct spill_image *lanes[] = {spill_image_lane("run", 0, 4, 2), spill_image_lane("run", 0, 4, 2)};
    struct spill_image *processes[] = {spill_image_process("run", 2, 4), spill_image_process("run", 2, 4)};
    struct spill_image *sizes[] = {spill_image_lane("run", 0, 4, 2), spill_image_lane("run", 1, 5, 2)};
    struct spill_image **const cases[] = {runs, lanes, processes, sizes};
    static const char *const texts[] = {
        "are of different runs (run-a, run-b)", "are the same lane of rank 0", "are the same process of rank 2", "are of different runs"};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_part *part;
        struct sp_error err;
        assert_int_equal(open_images(cases[i], 2, &part, &err), -1);
        assert_null(part);
        assert_int_equal(err.code, SP_EXIT_COMBINE);
        assert_non_null(strstr(err.text, texts[i]));
        free_images(cases[i], 2);
    }
}

static void no_sources_make_an_empty_part(void **state)
{
    struct sp_part *part;
    struct sp_error err;
    (void)state;
    assert_int_equal(sp_part_open(NULL, 0, &part, &err), 0);
    assert_int_equal(part->rank_count, 0);
    assert_int_equal(part->run_rank_count, 0);
    assert_true(sp_part_start(part) == INT64_MAX);
    sp_part_close(part);
    sp_part_close(NULL);
}

/* A lane whose process left no file: its region has a number for a name, its rank starts and ends with the lane. */
static void a_lane_without_its_process_is_kept_with_numbers_for_names(void **state)
{
    struct spill_image *lane = spill_image_lane("run", 0, 1, 0);
    struct sp_dictionary_tables tables;
    struct sp_part *part;
    struct sp_error err;
    struct sp_rank rank;
    (void)state;
    spill_image_begin(lane, 17, 2000);
    spill_image_end(lane, 5000);
    spill_image_header(lane)->clock.last[0].ticks = 1000; /* never renewed */
    assert_int_equal(open_images(&lane, 1, &part, &err), 0);
    assert_false(part->clock_is_known);
    assert_int_equal(sp_dictionary_tables(part->dictionary, &tables), 0);
    assert_int_equal(tables.region_count, 1);
    assert_int_equal(tables.regions[0].name_bytes, 11);
    assert_memory_equal(tables.strings, "(region 17)", 11);
    sp_part_rank_row(part, 0, &rank);
    assert_int_equal(rank.start_ns, 0); /* lane_start is the clock's first point */
    assert_int_equal(rank.end_ns, 4000);
    assert_int_equal(rank.mpi_init_end_ns, -1);
    assert_int_equal(rank.finalize_begin_ns, -1);
    assert_int_equal(rank.thread_level, -1);
    assert_int_equal(rank.state, 0);
    sp_part_close(part);
    spill_image_free(lane);
}

static void nodes_of_one_path_become_one_row(void **state)
{
    struct spill_image *images[] = {spill_image_process("run", 0, 1), spill_image_lane("run", 0, 1, 0)};
    struct sp_statistic *rows;
    struct sp_part *part;
    struct sp_error err;
    size_t count;
    (void)state;
    /* two ids of one name: the same region to everybody else */
    spill_image_region(images[0], "twice", 0, 0);
    spill_image_region(images[0], "twice", 0, 0);
    for (uint32_t region = 0; region < 2; region++) {
        spill_image_begin(images[1], region, 2000 + 100 * region);
        spill_image_end(images[1], 2020 + 110 * region);
    }
    spill_image_finish(images[1], 9000);
    assert_int_equal(open_images(images, 2, &part, &err), 0);
    assert_int_equal(part->lanes[0].statistic_count, 1);
    assert_int_equal(sp_part_statistics(part, 0, 5, &rows, &count, &err), 0);
    assert_int_equal(count, 1);
    assert_int_equal(rows[0].lane, 5);
    assert_int_equal(rows[0].calls, 2);
    assert_int_equal(rows[0].total_ns, 10 + 15); /* 20 and 30 ticks, 2 a ns */
    assert_int_equal(rows[0].first_ns, 10);
    assert_int_equal(rows[0].last_ns, 15);
    free(rows);
    sp_part_close(part);
    free_images(images, 2);
}

static void a_call_that_never_ended_counts_up_to_the_end_of_the_record(void **state)
{
    struct spill_image *images[] = {spill_image_process("run", 0, 1), spill_image_lane("run", 0, 1, 0)};
    struct sp_statistic *rows;
    struct sp_part *part;
    struct sp_error err;
    size_t count;
    (void)state;
    spill_image_region(images[0], "open", 0, 0);
    spill_image_region(images[0], "inner", 0, 0);
    spill_image_begin(images[1], 0, 2000);
    spill_image_begin(images[1], 1, 2100);
    spill_image_end(images[1], 2300);
    spill_image_turn_over(images[1]);
    spill_image_begin(images[1], 1, 2400);
    spill_image_header(images[1])->clock.last[0].ticks = 3000; /* its last sign of life; killed */
    assert_int_equal(open_images(images, 2, &part, &err), 0);
    assert_int_equal(sp_spill_lane_event_count(part->lanes[0].lane), 3);
    assert_int_equal(sp_part_statistics(part, 0, 0, &rows, &count, &err), 0);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].calls, 1);
    assert_int_equal(rows[1].calls, 2);
    assert_int_equal(rows[0].total_ns - rows[0].self_ns, rows[1].total_ns);
    free(rows);
    sp_part_close(part);
    free_images(images, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_and_lanes_are_put_in_order),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(no_sources_make_an_empty_part),
        cmocka_unit_test(a_lane_without_its_process_is_kept_with_numbers_for_names),
        cmocka_unit_test(nodes_of_one_path_become_one_row),
        cmocka_unit_test(a_call_that_never_ended_counts_up_to_the_end_of_the_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
