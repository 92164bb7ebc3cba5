/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* ElfW */
/* How addresses of functions become names and regions: sp_addresses, sp_function_name, sp_symbols. */
#include "../sp_test.h"
#include "sp_addresses.h"
#include "sp_function_name.h"
#include "sp_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void names_are_those_of_their_authors(void **state)
{
    static const struct {
        const char *symbol, *name;
    } rows[] = {{"solve", "solve"}, {"solve.constprop.0", "solve"}, {"work.3", "work"}, {".hidden", ".hidden"}, {"", ""},
        {"__grid_MOD_cells", "grid::cells"}, {"__grid_MOD_cells.part.1", "grid::cells"}, {"__grid.fine_MOD_cells", "grid:fine::cells"},
        {"__grid.fine_MOD_cells.part.1", "grid:fine::cells"}, {"__grid_MOD_", "__grid_MOD_"}, {"_Znot mangled", "_Znot mangled"},
        {"a name that is longer than the room there is", "a name that is longer than the "}};
    char name[32];
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++)
        assert_string_equal(sp_function_name(rows[i].symbol, name, sizeof name), rows[i].name);
}

static const void *address_of(int i)
{
    return (const void *)((uintptr_t)0x400000 + (uintptr_t)i * 16);
}

enum { THREADS = 4, ADDRESSES = 20000 };

static void *add_all(void *data)
{
    for (int i = 0; i < ADDRESSES; i++) {
        sp_addresses_add(&sp_addresses, address_of(i), i);
        if (sp_addresses_find(&sp_addresses, address_of(i)) != i)
            return data;
    }
    return NULL;
}

static void an_address_has_one_region_whoever_adds_it(void **state)
{
    pthread_t threads[THREADS];
    void *failed;
    (void)state;
    assert_int_equal(sp_addresses_find(&sp_addresses, address_of(1)), SP_ADDRESS_UNKNOWN);
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, add_all, threads), 0);
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], &failed);
        assert_null(failed);
    }
    sp_addresses_add(&sp_addresses, address_of(7), 99);
    assert_int_equal(sp_addresses_find(&sp_addresses, address_of(7)), 7);
    assert_int_equal(sp_addresses_find(&sp_addresses, address_of(ADDRESSES)), SP_ADDRESS_UNKNOWN);
}

static void an_address_that_was_forgotten_may_get_another_region(void **state)
{
    (void)state;
    for (int i = 10; i < 14; i++)
        sp_addresses_add(&sp_addresses, address_of(i), i);
    sp_addresses_forget(&sp_addresses, address_of(11), address_of(13));
    static const int regions[] = {10, SP_ADDRESS_UNKNOWN, SP_ADDRESS_UNKNOWN, 13};
    for (int i = 0; i < 4; i++)
        assert_int_equal(sp_addresses_find(&sp_addresses, address_of(10 + i)), regions[i]);
    sp_addresses_add(&sp_addresses, address_of(11), 99);
    assert_int_equal(sp_addresses_find(&sp_addresses, address_of(11)), 99);
    assert_int_equal(sp_addresses_find(&sp_addresses, address_of(12)), SP_ADDRESS_UNKNOWN);
}

static void a_file_that_is_cut_or_damaged_has_no_names_but_harms_nobody(void **state)
{
    static const char text[] = "#!/bin/sh\n";
    char path[] = "/tmp/sp-symbols-XXXXXX", *image = malloc(1 << 22);
    (void)state;
    assert_non_null(image);
    int self = open("/proc/self/exe", O_RDONLY), fd = mkstemp(path);
    assert_true(self >= 0 && fd >= 0);
    ssize_t bytes = read(self, image, 1 << 22);
    assert_true(bytes > 1000);
    close(self);
    assert_null(sp_symbols_open("/nonexistent"));
    assert_null(sp_symbols_open("/tmp"));
    assert_null(sp_symbols_open(path));
    srand(1);
    for (int i = 0; i < 400; i++) {
        ssize_t kept = i % 2 ? bytes : bytes * i / 400;
        ssize_t at = i % 4 == 1 ? rand() % 64 : bytes - 1 - rand() % 4096; /* the header, or the section table */
        char old = image[at];
        image[at] = (char)rand();
        assert_int_equal(pwrite(fd, image, (size_t)kept, 0), kept);
        assert_int_equal(ftruncate(fd, kept), 0);
        image[at] = old;
        struct sp_symbols *symbols = sp_symbols_open(path);
        char id[64];
        if (symbols)
            sp_symbols_file_id(symbols, id, sizeof id);
        sp_symbols_name(symbols, 0x1000);
        sp_symbols_close(symbols);
    }
    assert_int_equal(pwrite(fd, text, sizeof text, 0), sizeof text);
    assert_int_equal(ftruncate(fd, sizeof text), 0);
    assert_null(sp_symbols_open(path));
    close(fd);
    unlink(path);
    free(image);
}

static void a_table_where_none_may_lie_is_not_read(void **state)
{
    char path[] = "/tmp/sp-symbols-XXXXXX", *image = malloc(1 << 22);
    (void)state;
    assert_non_null(image);
    int self = open("/proc/self/exe", O_RDONLY), fd = mkstemp(path);
    ssize_t bytes = self < 0 ? -1 : read(self, image, 1 << 22);
    close(self);
    assert_true(fd >= 0 && bytes > 1000);
    ElfW(Ehdr) *header = (void *)image;
    ElfW(Shdr) *section = (void *)(image + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++)
        if (section[i].sh_type == SHT_SYMTAB || section[i].sh_type == SHT_DYNSYM)
            section[i].sh_offset -= 2;
    assert_int_equal(write(fd, image, (size_t)bytes), bytes);
    assert_null(sp_symbols_open(path));
    close(fd);
    unlink(path);
    free(image);
}

static void a_build_id_stands_among_the_notes(void **state)
{
    static const unsigned char notes[] = {4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 'G', 'N', 'U', 0, 9, 9, 9, 9, 4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0,
        0, 'G', 'N', 'U', 0, 0xab, 0x01, 0xff, 0};
    char id[16];
    (void)state;
    sp_symbols_build_id(notes, sizeof notes, id, sizeof id);
    assert_string_equal(id, "ab01ff");
    sp_symbols_build_id(notes, sizeof notes, id, 5);
    assert_string_equal(id, "ab01");
    for (size_t bytes = 0; bytes < sizeof notes; bytes++) {
        sp_symbols_build_id(notes, bytes, id, sizeof id);
        assert_string_equal(id, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_their_authors),
        cmocka_unit_test(an_address_has_one_region_whoever_adds_it),
        cmocka_unit_test(an_address_that_was_forgotten_may_get_another_region),
        cmocka_unit_test(a_file_that_is_cut_or_damaged_has_no_names_but_harms_nobody),
        cmocka_unit_test(a_table_where_none_may_lie_is_not_read),
        cmocka_unit_test(a_build_id_stands_among_the_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
