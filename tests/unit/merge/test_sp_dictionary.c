/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_dictionary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t add_region(struct sp_dictionary *d, const char *name, int kind, const char *file, int line)
{
    struct sp_dictionary_region region = {.name = name,
        .file = file,
        .tags = "",
        .name_bytes = (uint32_t)strlen(name),
        .file_bytes = (uint32_t)strlen(file),
        .line = line,
        .kind = kind};
    return sp_dictionary_add_region(d, &region);
}

static void check_name(const struct sp_dictionary_tables *tables, size_t region, const char *name)
{
    assert_true(region < tables->region_count);
    assert_int_equal(tables->regions[region].name_bytes, strlen(name));
    assert_memory_equal(tables->strings + tables->regions[region].name_offset, name, strlen(name));
}

static void a_region_is_the_same_by_name_and_kind_and_keeps_the_first_place(void **state)
{
    struct sp_dictionary *d = sp_dictionary_create();
    struct sp_dictionary_tables tables;
    (void)state;
    assert_int_equal(add_region(d, "solve", 0, "a.c", 10), 0);
    assert_int_equal(add_region(d, "io", 0, "", -1), 1);
    assert_int_equal(add_region(d, "solve", 0, "b.c", 20), 0);
    assert_int_equal(add_region(d, "solve", 3, "b.c", 20), 2);
    assert_int_equal(add_region(d, "", 0, "", -1), 3);
    assert_int_equal(sp_dictionary_tables(d, &tables), 0);
    assert_int_equal(tables.region_count, 4);
    check_name(&tables, 0, "solve");
    assert_int_equal(tables.regions[0].line, 10);
    assert_memory_equal(tables.strings + tables.regions[0].file_offset, "a.c", 3);
    check_name(&tables, 2, "solve");
    assert_int_equal(tables.regions[2].kind, 3);
    check_name(&tables, 3, "");
    sp_dictionary_destroy(d);
}

static void a_region_may_get_another_name_and_place_at_last(void **state)
{
    struct sp_dictionary *d = sp_dictionary_create();
    struct sp_dictionary_region region;
    struct sp_dictionary_tables tables;
    (void)state;
    add_region(d, "/bin/a+0x10", 4, "", -2);
    add_region(d, "io", 0, "io.c", 3);
    assert_int_equal(sp_dictionary_region_count(d), 2);
    sp_dictionary_region_at(d, 0, &region);
    assert_int_equal(region.line, -2);
    assert_memory_equal(region.name, "/bin/a+0x10", region.name_bytes);
    region = (struct sp_dictionary_region){.name = "main", .file = "a.c", .name_bytes = 4, .file_bytes = 3, .line = 7};
    assert_int_equal(sp_dictionary_rename_region(d, 0, &region), 0);
    assert_int_equal(sp_dictionary_tables(d, &tables), 0);
    check_name(&tables, 0, "main");
    assert_int_equal(tables.regions[0].line, 7);
    assert_int_equal(tables.regions[0].kind, 4);
    assert_memory_equal(tables.strings + tables.regions[0].file_offset, "a.c", 3);
    check_name(&tables, 1, "io");
    assert_int_equal(tables.string_bytes,
        strlen("main"
               "a.c"
               "io"
               "io.c"));
    sp_dictionary_destroy(d);
}

static void names_may_hold_any_bytes(void **state)
{
    static const char names[][4] = {{'a', 0, 'b', 0}, {'a', 0, 'b', 1}, {'\n', '"', '\xff', '/'}};
    struct sp_dictionary *d = sp_dictionary_create();
    (void)state;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3; i++) {
            struct sp_dictionary_region region = {.name = names[i], .file = "", .tags = "", .name_bytes = 4, .line = -1};
            assert_int_equal(sp_dictionary_add_region(d, &region), i);
        }
    sp_dictionary_destroy(d);
}

static void call_paths_have_their_depth_and_stand_after_their_parents(void **state)
{
    struct sp_dictionary *d = sp_dictionary_create();
    struct sp_dictionary_tables tables;
    (void)state;
    int32_t a = add_region(d, "a", 0, "", -1), b = add_region(d, "b", 0, "", -1);
    assert_int_equal(sp_dictionary_add_callpath(d, -1, a), 0);
    assert_int_equal(sp_dictionary_add_callpath(d, 0, b), 1);
    assert_int_equal(sp_dictionary_add_callpath(d, 1, a), 2);
    assert_int_equal(sp_dictionary_add_callpath(d, -1, b), 3);
    assert_int_equal(sp_dictionary_add_callpath(d, 0, b), 1);
    assert_int_equal(sp_dictionary_tables(d, &tables), 0);
    static const struct sp_callpath expected[] = {{-1, 0, 0}, {0, 1, 1}, {1, 0, 2}, {-1, 1, 0}};
    assert_int_equal(tables.callpath_count, 4);
    assert_memory_equal(tables.callpaths, expected, sizeof expected);
    sp_dictionary_destroy(d);
}

static void a_communicator_takes_name_and_members_from_the_first_that_has_them(void **state)
{
    static const int32_t members[] = {0, 1, 5};
    struct sp_dictionary *d = sp_dictionary_create();
    struct sp_dictionary_tables tables;
    struct sp_dictionary_communicator child = {.identity = 8, .parent = 7, .size = 3}, world = {.identity = 7, .size = 6};
    (void)state;
    assert_int_equal(sp_dictionary_add_communicator(d, &child), 0);
    assert_int_equal(sp_dictionary_add_communicator(d, &world), 1);
    child.name = "row";
    child.name_bytes = 3;
    child.members = members;
    child.member_count = 3;
    assert_int_equal(sp_dictionary_add_communicator(d, &child), 0);
    child.name = "other";
    child.name_bytes = 5;
    assert_int_equal(sp_dictionary_add_communicator(d, &child), 0);
    assert_int_equal(sp_dictionary_tables(d, &tables), 0);
    assert_int_equal(tables.communicator_count, 2);
    assert_int_equal(tables.communicators[0].parent, 1);
    assert_int_equal(tables.communicators[1].parent, -1);
    assert_int_equal(tables.communicators[0].name_bytes, 3);
    assert_memory_equal(tables.strings + tables.communicators[0].name_offset, "row", 3);
    assert_int_equal(tables.communicators[0].member_count, 3);
    assert_int_equal(tables.member_count, 3);
    assert_memory_equal(tables.members, members, sizeof members);
    sp_dictionary_destroy(d);
}

static void two_hosts_of_one_name_are_told_apart_by_their_boot(void **state)
{
    struct sp_dictionary *d = sp_dictionary_create();
    (void)state;
    assert_int_equal(sp_dictionary_add_host(d, "n1", "boot-a"), 0);
    assert_int_equal(sp_dictionary_add_host(d, "n1", "boot-b"), 1);
    assert_int_equal(sp_dictionary_add_host(d, "n1", "boot-a"), 0);
    sp_dictionary_destroy(d);
}

/* What process p of a run brings: names shared by all, by some, and its own, with everything else that is united. */
static struct sp_dictionary *dictionary_of(int p)
{
    struct sp_dictionary *d = sp_dictionary_create();
    char name[40];
    assert_non_null(d);
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "region %d", (p * 7 + i * i) % (i % 3 == 0 ? 100 : 9));
        int32_t region = add_region(d, name, i % 2, p % 2 ? "odd.c" : "", p);
        int32_t path = sp_dictionary_add_callpath(d, -1, region);
        path = sp_dictionary_add_callpath(d, path, add_region(d, "inner", 0, "", -1));
        sp_dictionary_add_callpath(d, path, region);
    }
    int32_t members[] = {p / 2 * 2, p / 2 * 2 + 1};
    snprintf(name, sizeof name, "pair %d", p / 2);
    struct sp_dictionary_communicator world = {.identity = 1, .size = 8, .name = "world", .name_bytes = p == 3 ? 5 : 0};
    struct sp_dictionary_communicator pair = {.identity = (uint64_t)(100 + p / 2),
        .parent = 1,
        .size = 2,
        .name = name,
        .name_bytes = (uint32_t)strlen(name),
        .members = members,
        .member_count = p % 2 ? 0 : 2};
    sp_dictionary_add_communicator(d, &world);
    sp_dictionary_add_communicator(d, &pair);
    snprintf(name, sizeof name, "host %d", p / 3);
    sp_dictionary_add_host(d, name, "boot");
    return d;
}

static void merge_and_drop(struct sp_dictionary *into, struct sp_dictionary *other)
{
    assert_int_equal(sp_dictionary_merge(into, other, NULL), 0);
    sp_dictionary_destroy(other);
}

/* Processes [from, to), the halves first where split says so. */
static struct sp_dictionary *united(int from, int to, int split)
{
    struct sp_dictionary *d = sp_dictionary_create();
    if (to - from == 1 || !split) {
        for (int p = from; p < to; p++)
            merge_and_drop(d, dictionary_of(p));
        return d;
    }
    int middle = from + (to - from + split - 1) / 2;
    middle = middle >= to ? to - 1 : middle;
    merge_and_drop(d, united(from, middle, split));
    merge_and_drop(d, united(middle, to, split));
    return d;
}

static void check_equal(struct sp_dictionary *a, struct sp_dictionary *b)
{
    struct sp_dictionary_tables x, y;
    assert_int_equal(sp_dictionary_tables(a, &x), 0);
    assert_int_equal(sp_dictionary_tables(b, &y), 0);
    assert_int_equal(x.region_count, y.region_count);
    assert_int_equal(x.callpath_count, y.callpath_count);
    assert_int_equal(x.communicator_count, y.communicator_count);
    assert_int_equal(x.host_count, y.host_count);
    assert_int_equal(x.member_count, y.member_count);
    assert_int_equal(x.string_bytes, y.string_bytes);
    assert_memory_equal(x.regions, y.regions, x.region_count * sizeof *x.regions);
    assert_memory_equal(x.callpaths, y.callpaths, x.callpath_count * sizeof *x.callpaths);
    assert_memory_equal(x.communicators, y.communicators, x.communicator_count * sizeof *x.communicators);
    assert_memory_equal(x.hosts, y.hosts, x.host_count * sizeof *x.hosts);
    assert_memory_equal(x.members, y.members, x.member_count * sizeof *x.members);
    assert_memory_equal(x.strings, y.strings, x.string_bytes);
}

static void the_union_does_not_depend_on_how_it_is_grouped(void **state)
{
    struct sp_dictionary *one_after_another = united(0, 8, 0);
    (void)state;
    for (int split = 1; split <= 6; split++) {
        struct sp_dictionary *other = united(0, 8, split);
        check_equal(one_after_another, other);
        sp_dictionary_destroy(other);
    }
    sp_dictionary_destroy(one_after_another);
}

static void the_map_leads_from_own_rows_to_those_of_the_union(void **state)
{
    struct sp_dictionary *all = united(0, 8, 0), *own = dictionary_of(5);
    struct sp_dictionary_tables x, y;
    struct sp_dictionary_map map;
    (void)state;
    assert_int_equal(sp_dictionary_tables(all, &x), 0);
    size_t before = x.region_count;
    assert_int_equal(sp_dictionary_merge(all, own, &map), 0);
    assert_int_equal(sp_dictionary_tables(all, &x), 0);
    assert_int_equal(sp_dictionary_tables(own, &y), 0);
    assert_int_equal(x.region_count, before);
    for (size_t i = 0; i < y.region_count; i++) {
        const struct sp_region_row *there = &x.regions[map.regions[i]], *here = &y.regions[i];
        assert_int_equal(there->kind, here->kind);
        assert_int_equal(there->name_bytes, here->name_bytes);
        assert_memory_equal(x.strings + there->name_offset, y.strings + here->name_offset, here->name_bytes);
    }
    for (size_t i = 0; i < y.callpath_count; i++) {
        const struct sp_callpath *there = &x.callpaths[map.callpaths[i]], *here = &y.callpaths[i];
        assert_int_equal(there->region, map.regions[here->region]);
        assert_int_equal(there->parent, here->parent < 0 ? -1 : map.callpaths[here->parent]);
        assert_int_equal(there->depth, here->depth);
    }
    sp_dictionary_map_free(&map);
    sp_dictionary_destroy(all);
    sp_dictionary_destroy(own);
}

static void packing_and_unpacking_gives_the_same_and_cut_blocks_are_refused(void **state)
{
    struct sp_dictionary *all = united(0, 4, 0), *nothing = sp_dictionary_create();
    size_t bytes;
    void *packed = sp_dictionary_pack(all, &bytes);
    struct sp_dictionary *back = sp_dictionary_unpack(packed, bytes);
    (void)state;
    assert_non_null(back);
    check_equal(all, back);
    for (size_t cut = 0; cut < bytes; cut += 1 + cut / 8)
        assert_null(sp_dictionary_unpack(packed, cut));
    free(packed);
    sp_dictionary_destroy(back);
    packed = sp_dictionary_pack(nothing, &bytes);
    back = sp_dictionary_unpack(packed, bytes);
    assert_non_null(back);
    check_equal(nothing, back);
    free(packed);
    sp_dictionary_destroy(back);
    sp_dictionary_destroy(nothing);
    sp_dictionary_destroy(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_is_the_same_by_name_and_kind_and_keeps_the_first_place),
        cmocka_unit_test(a_region_may_get_another_name_and_place_at_last),
        cmocka_unit_test(names_may_hold_any_bytes),
        cmocka_unit_test(call_paths_have_their_depth_and_stand_after_their_parents),
        cmocka_unit_test(a_communicator_takes_name_and_members_from_the_first_that_has_them),
        cmocka_unit_test(two_hosts_of_one_name_are_told_apart_by_their_boot),
        cmocka_unit_test(the_union_does_not_depend_on_how_it_is_grouped),
        cmocka_unit_test(the_map_leads_from_own_rows_to_those_of_the_union),
        cmocka_unit_test(packing_and_unpacking_gives_the_same_and_cut_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
