/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_crc.h"

#include <stdlib.h>
#include <string.h>

/* RFC 3720, B.4, and the check value of the CRC catalogues. */
static void known_texts_have_their_published_checksums(void **state)
{
    unsigned char ascending[32], descending[32], zeros[32] = {0}, ones[32];
    (void)state;
    memset(ones, 0xff, sizeof ones);
    for (int i = 0; i < 32; i++) {
        ascending[i] = (unsigned char)i;
        descending[i] = (unsigned char)(31 - i);
    }
    const struct {
        const void *data;
        size_t bytes;
        uint32_t crc;
    } cases[] = {
        {"", 0, 0},
        {"123456789", 9, 0xe3069283},
        {zeros, 32, 0x8a9136aa},
        {ones, 32, 0x62a8ab43},
        {ascending, 32, 0x46dd794e},
        {descending, 32, 0x113fdb5c},
        {"a", 1, 0xc1d04330},
    };
    for (size_t i = 0; i < SP_COUNT(cases); i++) {
        assert_int_equal(sp_crc(0, cases[i].data, cases[i].bytes), cases[i].crc);
        assert_int_equal(sp_crc_portable(0, cases[i].data, cases[i].bytes), cases[i].crc);
    }
}

static unsigned char *noise(size_t bytes)
{
    unsigned char *data = malloc(bytes);
    uint32_t x = 12345;
    assert_non_null(data);
    for (size_t i = 0; i < bytes; i++) {
        x = x * 1664525u + 1013904223u;
        data[i] = (unsigned char)(x >> 24);
    }
    return data;
}

static void the_processors_instruction_and_plain_c_agree_at_every_length(void **state)
{
    unsigned char *data = noise(40000);
    (void)state;
    for (size_t bytes = 0; bytes < 40000; bytes += bytes < 64 ? 1 : 997)
        for (size_t at = 0; at < 3 && at + bytes <= 40000; at++)
            assert_int_equal(sp_crc(7, data + at, bytes), sp_crc_portable(7, data + at, bytes));
    free(data);
}

static void pieces_give_the_checksum_of_the_whole(void **state)
{
    unsigned char *data = noise(30000);
    uint32_t whole = sp_crc(0, data, 30000);
    (void)state;
    for (size_t cut = 0; cut <= 30000; cut += 777) {
        uint32_t first = sp_crc(0, data, cut), second = sp_crc(0, data + cut, 30000 - cut);
        assert_int_equal(sp_crc(first, data + cut, 30000 - cut), whole);
        assert_int_equal(sp_crc_combine(first, second, 30000 - cut), whole);
    }
    free(data);
}

/* x has the order 2^31 - 1, so so many zero bits change nothing but what 2^31 - 1 of them do: nothing. */
static void combining_with_huge_lengths_agrees_with_doing_it_in_two_steps(void **state)
{
    uint64_t half = ((uint64_t)1 << 40) + 3;
    uint32_t a = 0xe3069283, b = 0x12345678, c = 0x9abcdef0;
    (void)state;
    /* (a b) c = a (b c) */
    uint32_t left = sp_crc_combine(sp_crc_combine(a, b, half), c, half);
    uint32_t right = sp_crc_combine(a, sp_crc_combine(b, c, half), 2 * half);
    assert_int_equal(left, right);
    assert_int_equal(sp_crc_combine(a, 0, ((uint64_t)1 << 31) - 1), a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts_have_their_published_checksums),
        cmocka_unit_test(the_processors_instruction_and_plain_c_agree_at_every_length),
        cmocka_unit_test(pieces_give_the_checksum_of_the_whole),
        cmocka_unit_test(combining_with_huge_lengths_agrees_with_doing_it_in_two_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
