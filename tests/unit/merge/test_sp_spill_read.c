/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_spill_lane.h"
#include "sp_spill_process.h"
#include "spill_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct spill_image *small_process(void)
{
    static const int32_t members[] = {0, 1, 2};
    static const struct sp_spill_rank rank = {.start = 1000, .end = 2000, .state = SP_RANK_FINALIZED};
    struct spill_image *image = spill_image_process("run", 2, 3);
    spill_image_region(image, "one", SP_REGION_USER, 0);
    spill_image_region(image, "", SP_REGION_USER, 0);
    spill_image_region(image, "MPI_Send", SP_REGION_MPI, SP_GROUP_P2P);
    spill_image_communicator(image, 11, 0, "world", 3, members, 3);
    spill_image_communicator(image, 12, 11, "", 3, NULL, 0);
    spill_image_rank(image, &rank);
    spill_image_metadata(image, "{\"a\": 1}");
    return image;
}

/* Events in a segment and in the ring, one open over the turn-over, messages, a close record. */
static struct spill_image *small_lane(void)
{
    struct spill_image *image = spill_image_lane("run", 2, 3, 0);
    uint64_t at = 2000;
    spill_image_begin(image, 0, at);
    for (int i = 0; i < 10; i++, at += 100) {
        spill_image_begin(image, 1, at + 10);
        spill_image_end(image, at + 60);
        spill_image_message(image, (struct sp_spill_message){.bytes = i, .operation = SP_OPERATION_SEND});
        if (i == 4)
            spill_image_turn_over(image);
    }
    spill_image_end(image, at);
    spill_image_finish(image, at);
    return image;
}

static uint64_t sum_of(const void *bytes, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += ((const unsigned char *)bytes)[i];
    return sum;
}

/* Touches all that a process's file offers. */
static uint64_t walk_process(const struct sp_spill *spill)
{
    struct sp_spill_process process;
    struct sp_error err;
    uint64_t sum = 0;
    if (sp_spill_process_read(spill, &process, &err) < 0)
        return 0;
    for (uint32_t i = 0; i < process.region_count; i++)
        if (process.regions[i].record) {
            const struct sp_spill_region *record = process.regions[i].record;
            sum += sum_of(process.regions[i].name, (size_t)record->name_bytes + record->file_bytes + record->tags_bytes);
        }
    for (uint32_t i = 0; i < process.communicator_count; i++)
        if (process.communicators[i].record) {
            const struct sp_communicator_view *view = &process.communicators[i];
            sum += sum_of(view->name, view->record->name_bytes);
            if (view->members)
                sum += sum_of(view->members, (size_t)view->record->member_count * sizeof(int32_t));
        }
    if (process.rank)
        sum += sum_of(process.rank, sizeof *process.rank);
    if (process.metadata)
        sum += sum_of(process.metadata, process.metadata_bytes);
    sp_spill_process_free(&process);
    return sum;
}

static uint64_t walk_events(const struct sp_spill_lane *lane)
{
    size_t count;
    uint64_t sum = 0, row = 0;
    const struct sp_event_run *runs = sp_spill_lane_events(lane, &count);
    for (size_t r = 0; r < count; r++)
        for (uint64_t i = 0; i < runs[r].count; i++, row++) {
            const struct sp_spill_event *event = &runs[r].events[i];
            assert_non_null(sp_spill_lane_node(lane, event->node));
            assert_int_equal(sp_spill_lane_row(lane, runs[r].first + i), row);
            sum += sp_spill_lane_duration(lane, runs[r].first + i, event);
        }
    assert_int_equal(row, sp_spill_lane_event_count(lane));
    return sum;
}

static uint64_t walk_lane(const struct sp_spill *spill)
{
    struct sp_spill_lane *lane;
    struct sp_error err;
    struct sp_stats stats;
    size_t count;
    if (sp_spill_lane_open(spill, &lane, &err) < 0)
        return 0;
    uint64_t sum = walk_events(lane);
    const struct sp_message_run *runs = sp_spill_lane_messages(lane, &count);
    for (size_t r = 0; r < count; r++)
        sum += sum_of(runs[r].messages, (size_t)runs[r].count * sizeof *runs[r].messages);
    for (uint32_t id = 0; id < sp_spill_lane_node_count(lane); id++)
        if (sp_spill_lane_node(lane, id)) {
            sp_spill_lane_stats(lane, id, &stats);
            sum += stats.calls;
        }
    sum += sp_spill_lane_end(lane) + sp_spill_lane_dropped(lane);
    sp_spill_lane_close(lane);
    return sum;
}

static int walk(const void *bytes, size_t count)
{
    struct sp_spill *spill;
    struct sp_error err = {0};
    struct sp_segment segment;
    uint64_t cursor = 0;
    if (sp_spill_open_image(bytes, count, "image", &spill, &err) < 0) {
        assert_null(spill);
        assert_true(err.code == SP_EXIT_CORRUPT || err.code == SP_EXIT_COMBINE);
        return -1;
    }
    while (sp_spill_next(spill, &cursor, &segment))
        assert_true(segment.payload_bytes <= count);
    (void)(sp_spill_header(spill)->kind == SP_SPILL_LANE ? walk_lane(spill) : walk_process(spill));
    sp_spill_close(spill);
    return 0;
}

static void a_sound_file_is_read_as_it_was_written(void **state)
{
    struct spill_image *image = small_process();
    struct sp_spill_process process;
    struct sp_spill *spill;
    struct sp_error err;
    size_t bytes;
    void *start = spill_image_bytes(image, &bytes);
    (void)state;
    assert_int_equal(sp_spill_open_image(start, bytes, "image", &spill, &err), 0);
    assert_int_equal(sp_spill_header(spill)->rank, 2);
    assert_string_equal(sp_spill_header(spill)->host, "node1");
    assert_int_equal(sp_spill_process_read(spill, &process, &err), 0);
    assert_int_equal(process.region_count, 3);
    assert_int_equal(process.regions[0].record->name_bytes, 3);
    assert_memory_equal(process.regions[0].name, "one", 3);
    assert_int_equal(process.regions[1].record->name_bytes, 0);
    assert_memory_equal(process.regions[2].name, "MPI_Send", 8);
    assert_int_equal(process.regions[2].record->group, SP_GROUP_P2P);
    assert_int_equal(process.communicator_count, 2);
    assert_int_equal(process.communicators[0].record->identity, 11);
    assert_int_equal(process.communicators[0].members[2], 2);
    assert_null(process.communicators[1].members);
    assert_int_equal(process.rank->end, 2000);
    assert_int_equal(process.metadata_bytes, 8);
    sp_spill_process_free(&process);
    sp_spill_close(spill);
    spill_image_free(image);
}

static void an_id_that_is_missing_in_between_leaves_a_gap(void **state)
{
    struct spill_image *image = small_process();
    struct sp_spill_process process;
    struct sp_spill *spill;
    struct sp_error err;
    size_t bytes;
    unsigned char *start = spill_image_bytes(image, &bytes);
    (void)state;
    /* the second region's segment becomes padding: the first is 32 + 32 bytes long */
    ((struct sp_spill_segment *)(void *)(start + SP_SPILL_PAGE + 64))->type = SP_SEGMENT_PAD;
    assert_int_equal(sp_spill_open_image(start, bytes, "image", &spill, &err), 0);
    assert_int_equal(sp_spill_process_read(spill, &process, &err), 0);
    assert_non_null(process.regions[0].record);
    assert_null(process.regions[1].record);
    sp_spill_process_free(&process);
    sp_spill_close(spill);
    spill_image_free(image);
}

static void a_file_cut_at_any_byte_is_read_as_far_as_it_goes(void **state)
{
    struct spill_image *images[] = {small_process(), small_lane()};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(images); i++) {
        size_t bytes;
        unsigned char *start = spill_image_bytes(images[i], &bytes);
        for (size_t cut = 0; cut < bytes; cut++) {
            /* bytes of the rings that hold nothing, and of nodes that are none, are all alike */
            int is_dull = i == 1 &&
                ((cut > SP_SPILL_PAGE + 300 && cut < SP_SPILL_MESSAGES_AT) ||
                    (cut > SP_SPILL_MESSAGES_AT + 500 && cut < SP_SPILL_CLOSES_AT) ||
                    (cut > SP_SPILL_CLOSES_AT + 100 && cut < SP_SPILL_OPEN_AT) ||
                    (cut > SP_SPILL_OPEN_AT + 100 && cut < SP_SPILL_LANE_HEAD) || (cut > SP_SPILL_LANE_HEAD + 500 && cut < bytes - 1000));
            if (is_dull && cut % 4099 != 0)
                continue;
            void *copy = malloc(cut + 1); /* of its own, so that a reader beyond it is caught */
            assert_non_null(copy);
            memcpy(copy, start, cut);
            int status = walk(copy, cut);
            assert_true(cut >= sizeof(struct sp_spill_header) ? status == 0 : status == -1);
            free(copy);
        }
        spill_image_free(images[i]);
    }
}

static void flip_all(unsigned char *start, size_t bytes, size_t from, size_t to)
{
    for (size_t at = from; at < to && at < bytes; at++)
        for (int bit = 0; bit < 8; bit++) {
            start[at] ^= (unsigned char)(1 << bit);
            walk(start, bytes);
            start[at] ^= (unsigned char)(1 << bit);
        }
}

static void any_flipped_bit_is_survived(void **state)
{
    struct spill_image *process = small_process(), *lane = small_lane();
    size_t bytes;
    unsigned char *start = spill_image_bytes(process, &bytes);
    (void)state;
    flip_all(start, bytes, 0, sizeof(struct sp_spill_header));
    flip_all(start, bytes, SP_SPILL_PAGE, bytes);
    start = spill_image_bytes(lane, &bytes);
    flip_all(start, bytes, 0, sizeof(struct sp_spill_header));
    flip_all(start, bytes, SP_SPILL_EVENTS_AT, SP_SPILL_EVENTS_AT + 64);
    flip_all(start, bytes, SP_SPILL_CLOSES_AT, SP_SPILL_CLOSES_AT + 32);
    flip_all(start, bytes, SP_SPILL_LANE_HEAD, SP_SPILL_LANE_HEAD + 32 + 3 * 160);
    flip_all(start, bytes, bytes - 6 * 16 - 32, bytes);
    spill_image_free(process);
    spill_image_free(lane);
}

static void random_bytes_in_the_header_are_survived(void **state)
{
    struct spill_image *lane = small_lane();
    size_t bytes;
    unsigned char *start = spill_image_bytes(lane, &bytes);
    unsigned char saved[sizeof(struct sp_spill_header)];
    uint64_t x = 88172645463325252u;
    (void)state;
    memcpy(saved, start, sizeof saved);
    for (int i = 0; i < 3000; i++) {
        for (int k = 0; k < 8; k++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            size_t at = 24 + x % (sizeof saved - 24);
            memset(start + at, (int)(x >> 32), at + 8 < sizeof saved ? 8 : 1);
        }
        walk(start, bytes);
        memcpy(start, saved, sizeof saved);
    }
    spill_image_free(lane);
}

static void write_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void what_is_no_spill_file_is_refused_with_its_reason(void **state)
{
    static const struct {
        const char *name;
        size_t at, bytes; /* in the header: what is replaced by ones */
        int code;
        const char *text;
    } cases[] = {
        {"magic", offsetof(struct sp_spill_header, magic), 8, SP_EXIT_CORRUPT, "not a spill file of scope-profiler"},
        {"version", offsetof(struct sp_spill_header, version), 4, SP_EXIT_COMBINE,
            "is a spill file of version 16843009, this program reads version 2"},
        {"endian", offsetof(struct sp_spill_header, endian), 4, SP_EXIT_COMBINE, "another byte order"},
        {"kind", offsetof(struct sp_spill_header, kind), 4, SP_EXIT_CORRUPT, "neither of a process nor of a lane"},
        {"head", offsetof(struct sp_spill_header, head_bytes), 4, SP_EXIT_CORRUPT, "its header is damaged (head of 16843009 bytes)"},
        {"rank", offsetof(struct sp_spill_header, rank), 4, SP_EXIT_CORRUPT, "its header is damaged (rank 16843009 of 3)"},
    };
    char directory[] = "/tmp/sp-spill-test.XXXXXX", path[200];
    struct spill_image *image = small_process();
    size_t bytes;
    unsigned char *start = spill_image_bytes(image, &bytes);
    struct sp_spill *spill;
    struct sp_error err;
    (void)state;
    assert_non_null(mkdtemp(directory));
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        unsigned char saved[8];
        memcpy(saved, start + cases[i].at, cases[i].bytes);
        memset(start + cases[i].at, 1, cases[i].bytes);
        snprintf(path, sizeof path, "%s/%s", directory, cases[i].name);
        write_file(path, start, bytes);
        memcpy(start + cases[i].at, saved, cases[i].bytes);
        assert_int_equal(sp_spill_open(path, &spill, &err), -1);
        assert_int_equal(err.code, cases[i].code);
        assert_non_null(strstr(err.text, cases[i].text));
        assert_memory_equal(err.text, path, strlen(path));
        unlink(path);
    }
    rmdir(directory);
    spill_image_free(image);
}

static void what_cannot_be_mapped_is_refused_without_waiting(void **state)
{
    char directory[] = "/tmp/sp-spill-test.XXXXXX", path[200];
    struct sp_spill *spill;
    struct sp_error err;
    (void)state;
    assert_non_null(mkdtemp(directory));
    assert_int_equal(sp_spill_open(directory, &spill, &err), -1);
    assert_non_null(strstr(err.text, "not a regular file"));
    snprintf(path, sizeof path, "%s/fifo", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(sp_spill_open(path, &spill, &err), -1);
    assert_non_null(strstr(err.text, "not a regular file"));
    unlink(path);
    assert_int_equal(sp_spill_open(path, &spill, &err), -1);
    assert_int_equal(err.code, SP_EXIT_INPUT);
    assert_non_null(strstr(err.text, "No such file"));
    write_file(path, "", 0);
    assert_int_equal(sp_spill_open(path, &spill, &err), -1);
    assert_non_null(strstr(err.text, "too short for a spill file (0 bytes)"));
    unlink(path);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_file_is_read_as_it_was_written),
        cmocka_unit_test(an_id_that_is_missing_in_between_leaves_a_gap),
        cmocka_unit_test(a_file_cut_at_any_byte_is_read_as_far_as_it_goes),
        cmocka_unit_test(any_flipped_bit_is_survived),
        cmocka_unit_test(random_bytes_in_the_header_are_survived),
        cmocka_unit_test(what_is_no_spill_file_is_refused_with_its_reason),
        cmocka_unit_test(what_cannot_be_mapped_is_refused_without_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
