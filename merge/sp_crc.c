/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_crc.h"

#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0x82f63b78u /* reflected: bit 31 is x^0 */

static uint32_t table[8][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void table_fill(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
        table[0][byte] = crc;
    }
    for (int zeros = 1; zeros < 8; zeros++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t crc = table[zeros - 1][byte];
            table[zeros][byte] = crc >> 8 ^ table[0][crc & 0xff];
        }
}

uint32_t sp_crc_portable(uint32_t crc, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    pthread_once(&table_once, table_fill);
    crc = ~crc;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        word ^= crc;
        crc = 0;
        for (int i = 0; i < 8; i++)
            crc ^= table[7 - i][word >> 8 * i & 0xff];
    }
    for (; bytes > 0; bytes--, p++)
        crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
    return ~crc;
}

#if defined(__x86_64__)

/* The instruction has a latency of three cycles: three stripes at once keep it busy. */
#define STRIPE 1024

__attribute__((target("sse4.2"))) static uint32_t crc_of_stripe(uint64_t crc, const unsigned char *p, size_t bytes)
{
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = __builtin_ia32_crc32di(crc, word);
    }
    uint32_t rest = (uint32_t)crc;
    for (; bytes > 0; bytes--, p++)
        rest = __builtin_ia32_crc32qi(rest, *p);
    return rest;
}

static uint32_t multiply(uint32_t a, uint32_t b);
static uint32_t power(uint64_t exponent);

/* A checksum as it is after a stripe of zeros, byte by byte. */
static uint32_t skip_table[4][256];
static pthread_once_t skip_once = PTHREAD_ONCE_INIT;

static void skip_fill(void)
{
    uint32_t skip = power(8 * STRIPE);
    for (uint32_t place = 0; place < 4; place++)
        for (uint32_t byte = 0; byte < 256; byte++)
            skip_table[place][byte] = multiply(byte << 8 * place, skip);
}

static uint32_t skip_stripe(uint32_t crc)
{
    return skip_table[0][crc & 0xff] ^ skip_table[1][crc >> 8 & 0xff] ^ skip_table[2][crc >> 16 & 0xff] ^ skip_table[3][crc >> 24];
}

__attribute__((target("sse4.2"))) static uint32_t crc_of_three(uint32_t crc, const unsigned char *p)
{
    uint64_t a = crc, b = 0, c = 0, word;
    for (size_t i = 0; i < STRIPE; i += 8) {
        memcpy(&word, p + i, 8);
        a = __builtin_ia32_crc32di(a, word);
        memcpy(&word, p + STRIPE + i, 8);
        b = __builtin_ia32_crc32di(b, word);
        memcpy(&word, p + 2 * STRIPE + i, 8);
        c = __builtin_ia32_crc32di(c, word);
    }
    return skip_stripe(skip_stripe((uint32_t)a) ^ (uint32_t)b) ^ (uint32_t)c;
}

static uint32_t crc_by_instruction(uint32_t crc, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    crc = ~crc;
    pthread_once(&skip_once, skip_fill);
    for (; bytes >= 3 * STRIPE; bytes -= 3 * STRIPE, p += 3 * STRIPE)
        crc = crc_of_three(crc, p);
    return ~crc_of_stripe(crc, p, bytes);
}

uint32_t sp_crc(uint32_t crc, const void *data, size_t bytes)
{
    if (__builtin_cpu_supports("sse4.2"))
        return crc_by_instruction(crc, data, bytes);
    return sp_crc_portable(crc, data, bytes);
}

#else

uint32_t sp_crc(uint32_t crc, const void *data, size_t bytes)
{
    return sp_crc_portable(crc, data, bytes);
}

#endif

/* a * b modulo the polynomial, bit 31 being x^0. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
        if (a & bit)
            product ^= b;
        b = b & 1 ? b >> 1 ^ POLYNOMIAL : b >> 1;
    }
    return product;
}

/* x to the exponent, modulo the polynomial. */
static uint32_t power(uint64_t exponent)
{
    uint32_t result = 1u << 31, square = 1u << 30;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = multiply(result, square);
        square = multiply(square, square);
    }
    return result;
}

uint32_t sp_crc_combine(uint32_t first, uint32_t second, uint64_t second_bytes)
{
    static __thread uint64_t last_bytes; /* most often the same again */
    static __thread uint32_t last_power = 1u << 31;
    if (second_bytes != last_bytes) {
        /* the order of x is 2^31 - 1: the polynomial is x + 1 times a primitive one of degree 31 */
        last_power = power(8 * (second_bytes % 0x7fffffffu));
        last_bytes = second_bytes;
    }
    return multiply(first, last_power) ^ second;
}
