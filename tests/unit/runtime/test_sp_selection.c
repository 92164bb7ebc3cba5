/* SPDX-License-Identifier: BSD-3-Clause */
/* Which regions are wanted: names, tags and opt-in tags (sp_registry), and what a program sets (sp_override). */
#define _XOPEN_SOURCE 700 /* setenv */
#include "../sp_test.h"
#include "sp_config.h"
#include "sp_override.h"
#include "sp_registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_wanted(const struct sp_registry_filter *filter, const char *name, const char *tags, int kind)
{
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_registry *registry = sp_registry_create(store, NULL, NULL);
    struct sp_region_key key = {.name = name, .name_bytes = strlen(name), .tags = tags, .line = -1, .kind = kind};
    sp_registry_set_filter(registry, filter);
    assert_int_equal(sp_registry_add_opt_in(registry, "verbose"), 0);
    assert_int_equal(sp_registry_add_opt_in(registry, "verbose"), 0);
    int id = sp_registry_id(registry, &key);
    assert_int_equal(sp_registry_count(registry), id + 1);
    sp_registry_destroy(registry);
    sp_store_destroy(store);
    return id == 0;
}

static void tags_choose_user_regions_and_no_others(void **state)
{
    static const struct {
        struct sp_registry_filter filter;
        const char *tags;
        int user, mpi;
    } rows[] = {
        {{NULL, NULL, NULL, NULL}, NULL, 1, 1},
        {{NULL, NULL, NULL, NULL}, "io", 1, 1},
        {{NULL, NULL, NULL, NULL}, "io,verbose", 0, 1},
        {{NULL, NULL, NULL, "verbose"}, "io,verbose", 1, 1},
        {{NULL, NULL, NULL, "*"}, "verbose", 1, 1},
        {{NULL, NULL, NULL, "other"}, "verbose", 0, 1},
        {{NULL, NULL, "io", NULL}, NULL, 0, 1},
        {{NULL, NULL, "io", NULL}, "", 0, 1},
        {{NULL, NULL, "io", NULL}, "solver,io", 1, 1},
        {{NULL, NULL, "io,solver", NULL}, "solver", 1, 1},
        {{NULL, NULL, "io", NULL}, "io2", 0, 1},
        {{NULL, NULL, "io*", NULL}, "io2", 1, 1},
        {{NULL, NULL, "io", NULL}, "io,verbose", 0, 1},
        {{NULL, NULL, "io", "verbose"}, "io,verbose", 1, 1},
        {{"x*", NULL, NULL, NULL}, NULL, 0, 0},
        {{NULL, "na*", NULL, NULL}, NULL, 0, 0},
        {{"na*,x", "y", "io", NULL}, "io", 1, 1},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        assert_int_equal(is_wanted(&rows[i].filter, "name", rows[i].tags, SP_REGION_USER), rows[i].user);
        assert_int_equal(is_wanted(&rows[i].filter, "name", rows[i].tags, SP_REGION_MPI), rows[i].mpi);
        assert_int_equal(is_wanted(&rows[i].filter, "name", rows[i].tags, SP_REGION_FUNCTION), rows[i].mpi);
    }
}

static void a_comma_in_a_glob_is_escaped(void **state)
{
    const struct sp_registry_filter filter = {"a\\,b,c", NULL, NULL, NULL};
    (void)state;
    assert_true(is_wanted(&filter, "a,b", NULL, SP_REGION_USER));
    assert_true(is_wanted(&filter, "c", NULL, SP_REGION_USER));
    assert_false(is_wanted(&filter, "b", NULL, SP_REGION_USER));
}

static void a_file_that_comes_later_is_published_once(void **state)
{
    struct sp_store *store = sp_store_create(SP_SPILL_PAGE);
    struct sp_registry *registry = sp_registry_create(store, NULL, NULL);
    struct sp_region_key key = {.name = "late", .name_bytes = 4, .line = -1};
    (void)state;
    assert_int_equal(sp_registry_id(registry, &key), 0);
    uint64_t before = sp_store_head(store)->published_bytes;
    assert_int_equal(sp_registry_id(registry, &key), 0);
    assert_true(sp_store_head(store)->published_bytes == before);
    key.file = "late.c";
    key.line = 3;
    assert_int_equal(sp_registry_id(registry, &key), 0);
    uint64_t after = sp_store_head(store)->published_bytes;
    assert_true(after > before);
    assert_int_equal(sp_registry_id(registry, &key), 0);
    assert_true(sp_store_head(store)->published_bytes == after);
    sp_registry_destroy(registry);
    sp_store_destroy(store);
}

static void ignore(const char *format, ...)
{
    (void)format;
}

static void the_environment_wins_over_what_is_set(void **state)
{
    struct sp_config config;
    char *old = NULL;
    (void)state;
    unsetenv("SP_LABEL");
    unsetenv("SP_MODE");
    assert_int_equal(sp_config_read(&config, ignore), 0);
    assert_string_equal(config.label, "");
    assert_int_equal(sp_override_set("SP_LABEL", "first"), 0);
    assert_int_equal(sp_override_set("SP_LABEL", "second"), 0);
    assert_int_equal(sp_config_reread(&config, "SP_LABEL", ignore, &old), 0);
    assert_string_equal(config.label, "second");
    assert_string_equal(old, "");
    free(old);
    setenv("SP_LABEL", "environment", 1);
    assert_int_equal(sp_config_reread(&config, "SP_LABEL", ignore, &old), 0);
    assert_string_equal(config.label, "environment");
    free(old);
    assert_int_equal(sp_override_set("SP_MODE", "profile"), 0);
    assert_int_equal(sp_config_reread(&config, "SP_MODE", ignore, &old), 0);
    assert_string_equal(config.mode, "profile");
    free(old);
    assert_int_equal(sp_override_set("SP_SUMMARY", "off"), 0);
    assert_int_equal(sp_config_reread(&config, "SP_SUMMARY", ignore, &old), 0);
    assert_int_equal(config.summary, 0);
    assert_true(sp_config_knows("SP_TAGS"));
    assert_false(sp_config_knows("SP_TAG"));
    sp_config_release(&config);
    unsetenv("SP_LABEL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_choose_user_regions_and_no_others),
        cmocka_unit_test(a_comma_in_a_glob_is_escaped),
        cmocka_unit_test(a_file_that_comes_later_is_published_once),
        cmocka_unit_test(the_environment_wins_over_what_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
