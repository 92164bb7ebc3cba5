/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_crc.h"
#include "sp_rows.h"
#include "spill_fixture.h"

#include <stdlib.h>
#include <string.h>

#define RANKS 3

struct run {
    struct spill_image *images[2 * RANKS];
    struct sp_part *part;
};

static struct run make_run(uint64_t steps)
{
    struct run run;
    struct sp_writer_source sources[2 * RANKS] = {{0}};
    struct sp_error err;
    for (int rank = 0; rank < RANKS; rank++)
        spill_run_rank("run", rank, RANKS, steps, &run.images[2 * rank], &run.images[2 * rank + 1]);
    for (int i = 0; i < 2 * RANKS; i++) {
        size_t bytes;
        sources[i].image = spill_image_bytes(run.images[i], &bytes);
        sources[i].bytes = bytes;
    }
    assert_int_equal(sp_part_open(sources, SP_COUNT(sources), &run.part, &err), 0);
    return run;
}

static void free_run(struct run *run)
{
    sp_part_close(run->part);
    for (int i = 0; i < 2 * RANKS; i++)
        spill_image_free(run->images[i]);
}

/* All rows, got in pieces of at most so many; CRC of each column and of the blocks. */
static uint64_t take_all(const struct sp_part *part, const struct sp_table *kind, size_t piece, uint32_t crcs[SP_COLUMNS_MAX + 1])
{
    static const struct sp_rows_place place = {5, 1000, 2000, 3000};
    struct sp_rows *rows = sp_rows_create(kind, part, &place);
    void *columns[SP_COLUMNS_MAX];
    size_t count, blocks;
    uint64_t total = 0;
    struct sp_error err;
    assert_non_null(rows);
    memset(crcs, 0, (SP_COLUMNS_MAX + 1) * sizeof *crcs);
    for (size_t c = 0; c < kind->field_count; c++)
        assert_non_null(columns[c] = malloc(piece * kind->fields[c].bytes));
    do {
        assert_int_equal(sp_rows_next(rows, piece, columns, &count, &err), 0);
        for (size_t c = 0; c < kind->field_count; c++)
            crcs[c] = sp_crc(crcs[c], columns[c], count * kind->fields[c].bytes);
        total += count;
    } while (count == piece);
    assert_int_equal(total, sp_rows_count(rows));
    const void *table = sp_rows_blocks(rows, &blocks);
    if (kind == &sp_columns_events) {
        assert_int_equal(blocks, sp_rows_event_blocks(part));
        crcs[SP_COLUMNS_MAX] = sp_crc(0, table, blocks * sizeof(struct sp_event_block));
    } else if (kind == &sp_columns_messages) {
        assert_int_equal(blocks, sp_rows_message_blocks(part));
        crcs[SP_COLUMNS_MAX] = sp_crc(0, table, blocks * sizeof(struct sp_message_block));
    }
    for (size_t c = 0; c < kind->field_count; c++)
        free(columns[c]);
    sp_rows_destroy(rows);
    return total;
}

static void pieces_of_any_size_give_the_same_rows(void **state)
{
    static const struct sp_table *const kinds[] = {&sp_columns_events, &sp_columns_messages, &sp_columns_statistics};
    static const size_t pieces[] = {1000, 65536, 65537, 99999};
    struct run run = make_run(9000); /* up to 27000 steps of 4 events a lane: several blocks */
    (void)state;
    for (size_t k = 0; k < SP_COUNT(kinds); k++) {
        uint32_t whole[SP_COLUMNS_MAX + 1], crcs[SP_COLUMNS_MAX + 1];
        uint64_t total = take_all(run.part, kinds[k], 1000000, whole);
        for (size_t p = 0; p < SP_COUNT(pieces); p++) {
            assert_int_equal(take_all(run.part, kinds[k], pieces[p], crcs), total);
            assert_memory_equal(crcs, whole, sizeof crcs);
        }
    }
    free_run(&run);
}

/* Lanes of 36090, 72180 and 108270 events: 1 + 2 + 2 blocks; 27000, 54000, 81000 messages: 1 + 1 + 2. */
static void blocks_end_with_their_lane_and_after_65536_rows(void **state)
{
    static const uint64_t lengths[] = {36090, 65536, 72180 - 65536, 65536, 108270 - 65536};
    static const int32_t lanes[] = {5, 6, 6, 7, 7};
    struct run run = make_run(9000);
    struct sp_rows_place place = {5, 1000, 2000, 3000};
    struct sp_rows *rows = sp_rows_create(&sp_columns_events, run.part, &place);
    int64_t *delta = malloc(300000 * 8), *duration = malloc(300000 * 8);
    int32_t *callpath = malloc(300000 * 4);
    void *columns[] = {delta, duration, callpath};
    size_t count, block_count;
    struct sp_error err;
    (void)state;
    assert_true(delta && duration && callpath);
    assert_int_equal(sp_rows_first(rows), 1000);
    assert_int_equal(sp_rows_next(rows, 300000, columns, &count, &err), 0);
    assert_int_equal(count, 36090 + 72180 + 108270);
    const struct sp_event_block *blocks = sp_rows_blocks(rows, &block_count);
    uint64_t at = 0;
    assert_int_equal(block_count, SP_COUNT(lengths));
    assert_int_equal(sp_rows_message_blocks(run.part), 4);
    for (size_t b = 0; b < block_count; b++) {
        assert_int_equal(blocks[b].lane, lanes[b]);
        assert_int_equal(blocks[b].first_event, 1000 + at);
        assert_int_equal(blocks[b].event_count, lengths[b]);
        assert_int_equal(blocks[b].min_start_ns, delta[at]); /* absolute at a block's start */
        assert_int_equal(blocks[b].crc_start_delta, sp_crc(0, delta + at, lengths[b] * 8));
        assert_int_equal(blocks[b].crc_callpath, sp_crc(0, callpath + at, lengths[b] * 4));
        at += lengths[b];
    }
    free(delta);
    free(duration);
    free(callpath);
    sp_rows_destroy(rows);
    free_run(&run);
}

static void an_open_call_ends_with_its_lane_in_the_block_index(void **state)
{
    struct spill_image *lane = spill_image_lane("run", 0, 1, 0);
    struct sp_writer_source source = {0};
    struct sp_rows_place place = {0};
    int64_t delta[4], duration[4];
    int32_t callpath[4];
    void *columns[] = {delta, duration, callpath};
    struct sp_part *part;
    struct sp_error err;
    size_t count, bytes;
    (void)state;
    spill_image_begin(lane, 0, 3000);
    spill_image_begin(lane, 1, 3100);
    spill_image_end(lane, 3200);
    spill_image_finish(lane, 5000);
    source.image = spill_image_bytes(lane, &bytes);
    source.bytes = bytes;
    assert_int_equal(sp_part_open(&source, 1, &part, &err), 0);
    struct sp_rows *rows = sp_rows_create(&sp_columns_events, part, &place);
    assert_int_equal(sp_rows_next(rows, 4, columns, &count, &err), 0);
    assert_int_equal(count, 2);
    assert_int_equal(delta[0], 1000);
    assert_int_equal(duration[0], -1);
    assert_int_equal(delta[1], 50);
    assert_int_equal(duration[1], 50);
    const struct sp_event_block *block = sp_rows_blocks(rows, &count);
    assert_int_equal(block->min_start_ns, 1000);
    assert_int_equal(block->max_end_ns, 2000); /* lane_end 5000 */
    sp_rows_destroy(rows);
    sp_part_close(part);
    spill_image_free(lane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_size_give_the_same_rows),
        cmocka_unit_test(blocks_end_with_their_lane_and_after_65536_rows),
        cmocka_unit_test(an_open_call_ends_with_its_lane_in_the_block_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
