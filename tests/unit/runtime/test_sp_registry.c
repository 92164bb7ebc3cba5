/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_registry.h"

#include <stdio.h>
#include <string.h>

static struct sp_region_key key_of(const char *name, int kind)
{
    return (struct sp_region_key){.name = name, .name_bytes = strlen(name), .kind = kind, .line = -1};
}

static int id_of(struct sp_registry *registry, const char *name, int kind)
{
    struct sp_region_key key = key_of(name, kind);
    return sp_registry_id(registry, &key);
}

static void a_name_of_a_kind_has_one_id(void **state)
{
    (void)state;
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_registry *registry = sp_registry_create(store, NULL, NULL);
    assert_int_equal(id_of(registry, "solve", SP_REGION_USER), 0);
    assert_int_equal(id_of(registry, "MPI_Send", SP_REGION_MPI), 1);
    assert_int_equal(id_of(registry, "solve", SP_REGION_USER), 0);
    assert_int_equal(id_of(registry, "MPI_Send", SP_REGION_USER), 2);
    assert_string_equal(sp_registry_name(registry, 1), "MPI_Send");
    assert_string_equal(sp_registry_name(registry, 99), "?");
    assert_string_equal(sp_registry_name(registry, -1), "?");
    sp_registry_destroy(registry);
    sp_store_destroy(store);
}

static void any_bytes_are_a_name(void **state)
{
    (void)state;
    static char long_name[70000];
    memset(long_name, 'x', sizeof long_name - 1);
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_registry *registry = sp_registry_create(store, NULL, NULL);
    static const char *const names[] = {"", "a\"b", "a\nb", "</svg>", "a;b,c/d", "\xff\xfe", "-x", "=1+1", "\xc3\xa4"};
    for (int i = 0; i < (int)SP_COUNT(names); i++)
        assert_int_equal(id_of(registry, names[i], SP_REGION_USER), i);
    assert_int_equal(id_of(registry, long_name, SP_REGION_USER), -1);
    long_name[10000] = '\0';
    assert_int_equal(id_of(registry, long_name, SP_REGION_USER), (int)SP_COUNT(names));
    sp_registry_destroy(registry);
    sp_store_destroy(store);
}

static void globs_decide_what_is_recorded(void **state)
{
    (void)state;
    static const struct {
        const char *include, *exclude, *name;
        int is_recorded;
    } cases[] = {{NULL, NULL, "solve", 1}, {"sol*", NULL, "solve", 1}, {"sol*", NULL, "halo", 0}, {"halo,sol*", NULL, "solve", 1},
        {NULL, "MPI_*", "MPI_Send", 0}, {NULL, "MPI_*", "solve", 1}, {"*", "solve", "solve", 0}, {"a\\,b", NULL, "a,b", 1},
        {"a\\,b", NULL, "a", 0}, {"", NULL, "x", 0}, {"?olve", NULL, "solve", 1}};
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
        struct sp_registry *registry = sp_registry_create(store, cases[i].include, cases[i].exclude);
        assert_int_equal(id_of(registry, cases[i].name, SP_REGION_USER) >= 0, cases[i].is_recorded);
        sp_registry_destroy(registry);
        sp_store_destroy(store);
    }
}

static void a_region_is_published_with_its_place(void **state)
{
    (void)state;
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_registry *registry = sp_registry_create(store, NULL, NULL);
    struct sp_region_key key = key_of("solve", SP_REGION_USER);
    key.file = "heat.c";
    key.line = 12;
    key.tags = "hot,inner";
    sp_registry_id(registry, &key);
    const char *base = (const char *)sp_store_head(store);
    const struct sp_spill_segment *segment = (const void *)(base + SP_SPILL_PAGE);
    const struct sp_spill_region *record = (const void *)(segment + 1);
    assert_int_equal(segment->type, SP_SEGMENT_REGIONS);
    assert_int_equal(record->line, 12);
    assert_int_equal(record->record_bytes, 48); /* 24 + 5 + 6 + 9, padded to 8 */
    assert_memory_equal(record + 1, "solveheat.chot,inner", 20);
    sp_registry_destroy(registry);
    sp_store_destroy(store);
}

static void thousands_of_names_stay_apart(void **state)
{
    (void)state;
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_registry *registry = sp_registry_create(store, NULL, NULL);
    char name[32];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 20000; i++) {
            snprintf(name, sizeof name, "region %d", i);
            assert_int_equal(id_of(registry, name, SP_REGION_USER), i);
        }
    sp_registry_destroy(registry);
    sp_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_of_a_kind_has_one_id),
        cmocka_unit_test(any_bytes_are_a_name),
        cmocka_unit_test(globs_decide_what_is_recorded),
        cmocka_unit_test(a_region_is_published_with_its_place),
        cmocka_unit_test(thousands_of_names_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
