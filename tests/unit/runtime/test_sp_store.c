/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "../sp_test.h"
#include "sp_store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/sp-test-store-XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* Reads the file back and walks its segments. */
struct image {
    char bytes[1 << 18];
    size_t size;
};

static void load(struct image *image, const char *path)
{
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    ssize_t n = read(fd, image->bytes, sizeof image->bytes);
    assert_true(n > 0);
    image->size = (size_t)n;
    close(fd);
}

static const struct sp_spill_segment *next_of_type(const struct image *image, uint32_t type, size_t *at)
{
    const struct sp_spill_header *head = (const void *)image->bytes;
    while (*at < head->published_bytes) {
        const struct sp_spill_segment *segment = (const void *)(image->bytes + *at);
        *at += sizeof *segment + segment->payload_bytes;
        if (segment->type == type)
            return segment;
    }
    return NULL;
}

static void append(struct sp_store *store, uint64_t number, const char *text)
{
    struct sp_spill_segment segment = {.type = SP_SEGMENT_METADATA, .first = number, .count = 1};
    assert_int_equal(sp_store_append(store, &segment, text, strlen(text)), 0);
}

static void what_was_in_memory_is_in_the_file_and_what_follows_too(void **state)
{
    (void)state;
    struct image image;
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    append(store, 1, "before");
    uint64_t *mapped = sp_store_append_mapped(store, (struct sp_spill_segment){.type = SP_SEGMENT_NODES}, 8192);
    mapped[0] = 41;
    assert_int_equal(sp_store_attach(store, path_of("a"), NULL), 0);
    append(store, 2, "after");
    mapped[1023] = 42;
    uint64_t *later = sp_store_append_mapped(store, (struct sp_spill_segment){.type = SP_SEGMENT_NODES, .first = 9}, 4096);
    later[5] = 43;
    sp_store_head(store)->rank = 17;
    load(&image, path_of("a"));
    const struct sp_spill_header *head = (const void *)image.bytes;
    size_t at = head->head_bytes;
    assert_memory_equal(head->magic, SP_SPILL_MAGIC, 8);
    assert_int_equal(head->rank, 17);
    assert_memory_equal(next_of_type(&image, SP_SEGMENT_METADATA, &at) + 1, "before", 6);
    const uint64_t *nodes = (const void *)(next_of_type(&image, SP_SEGMENT_NODES, &at) + 1);
    assert_int_equal(nodes[0], 41);
    assert_int_equal(nodes[1023], 42);
    assert_memory_equal(next_of_type(&image, SP_SEGMENT_METADATA, &at) + 1, "after", 5);
    nodes = (const void *)(next_of_type(&image, SP_SEGMENT_NODES, &at) + 1);
    assert_int_equal(nodes[5], 43);
    assert_null(next_of_type(&image, SP_SEGMENT_NODES, &at));
    sp_store_destroy(store);
    unlink(path_of("a"));
}

static void a_file_that_exists_is_never_taken(void **state)
{
    (void)state;
    struct sp_error err = {0};
    int fd = open(path_of("b"), O_CREAT | O_WRONLY, 0600);
    close(fd);
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    assert_int_equal(sp_store_attach(store, path_of("b"), &err), -1);
    assert_non_null(strstr(err.text, "cannot create: File exists"));
    assert_null(sp_store_path(store));
    append(store, 1, "still in memory");
    sp_store_destroy(store);
    unlink(path_of("b"));
}

static void a_file_is_private(void **state)
{
    (void)state;
    struct stat s;
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    umask(0);
    assert_int_equal(sp_store_attach(store, path_of("c"), NULL), 0);
    assert_int_equal(stat(path_of("c"), &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    sp_store_destroy(store);
    unlink(path_of("c"));
}

static void no_descriptor_stays_open(void **state)
{
    (void)state;
    int before = dup(0);
    close(before);
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    assert_int_equal(sp_store_attach(store, path_of("d"), NULL), 0);
    append(store, 1, "x");
    sp_store_append_mapped(store, (struct sp_spill_segment){.type = SP_SEGMENT_NODES}, 4096);
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
    sp_store_destroy(store);
    unlink(path_of("d"));
}

static void a_file_that_vanished_is_an_error_and_changes_nothing(void **state)
{
    (void)state;
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_spill_segment segment = {.type = SP_SEGMENT_METADATA};
    assert_int_equal(sp_store_attach(store, path_of("e"), NULL), 0);
    unlink(path_of("e"));
    size_t before = sp_store_bytes(store);
    assert_int_equal(sp_store_append(store, &segment, "x", 1), -1);
    assert_null(sp_store_append_mapped(store, segment, 4096));
    assert_int_equal(sp_store_bytes(store), before);
    sp_store_destroy(store);
}

static void memory_alone_has_an_end(void **state)
{
    (void)state;
    static char block[1 << 20];
    struct sp_spill_segment segment = {.type = SP_SEGMENT_EVENTS};
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    int appended = 0;
    while (appended < 1000 && sp_store_append(store, &segment, block, sizeof block) == 0)
        appended++;
    assert_in_range(appended, 16, 64);
    sp_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_in_memory_is_in_the_file_and_what_follows_too),
        cmocka_unit_test(a_file_that_exists_is_never_taken),
        cmocka_unit_test(a_file_is_private),
        cmocka_unit_test(no_descriptor_stays_open),
        cmocka_unit_test(a_file_that_vanished_is_an_error_and_changes_nothing),
        cmocka_unit_test(memory_alone_has_an_end),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
