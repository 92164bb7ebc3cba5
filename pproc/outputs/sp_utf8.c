/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_utf8.h"

#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the well-formed character at the start of s, 0 if there is none (Unicode 15, table 3-7); *code its number. */
static size_t decode(const unsigned char *s, size_t length, uint32_t *code)
{
    static const struct {
        unsigned char first, last, low, high;
        size_t bytes;
    } forms[] = {
        {0x00, 0x7f, 0, 0, 1},
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        size_t bytes = forms[i].bytes;
        if (s[0] < forms[i].first || s[0] > forms[i].last)
            continue;
        if (bytes > length || (bytes > 1 && (s[1] < forms[i].low || s[1] > forms[i].high)))
            return 0;
        *code = bytes == 1 ? s[0] : s[0] & (0x7fu >> bytes);
        for (size_t k = 1; k < bytes; k++) {
            if ((s[k] & 0xc0) != 0x80)
                return 0;
            *code = *code << 6 | (s[k] & 0x3fu);
        }
        return bytes;
    }
    return 0;
}

bool sp_utf8_is_valid(const char *bytes, size_t length)
{
    const unsigned char *s = (const unsigned char *)bytes;
    uint32_t code;
    for (size_t i = 0; i < length;) {
        size_t step = decode(s + i, length - i, &code);
        if (!step || !code)
            return false;
        i += step;
    }
    return true;
}

char *sp_utf8_valid(const char *bytes, size_t length)
{
    const unsigned char *s = (const unsigned char *)bytes;
    char *out = malloc(3 * length + 1);
    if (!out)
        return NULL;
    char *end = out;
    uint32_t code;
    for (size_t i = 0; i < length;) {
        size_t step = decode(s + i, length - i, &code);
        if (step && code) {
            memcpy(end, bytes + i, step);
            end += step;
        } else {
            memcpy(end, REPLACEMENT, 3);
            end += 3;
        }
        i += step ? step : 1;
    }
    *end = '\0';
    return out;
}

char *sp_utf8_hex(const char *bytes, size_t length)
{
    char *out = malloc(2 * length + 1);
    if (!out)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        out[2 * i] = "0123456789abcdef"[byte >> 4];
        out[2 * i + 1] = "0123456789abcdef"[byte & 15];
    }
    out[2 * length] = '\0';
    return out;
}

static size_t columns_of(uint32_t code)
{
    static const uint32_t none[][2] = {{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const uint32_t wide[][2] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f},
        {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (code >= none[i][0] && code <= none[i][1])
            return 0;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (code >= wide[i][0] && code <= wide[i][1])
            return 2;
    return 1;
}

size_t sp_utf8_columns(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t columns = 0, length = strlen(text);
    uint32_t code = 0;
    for (size_t i = 0; i < length;) {
        size_t step = decode(s + i, length - i, &code);
        columns += step ? columns_of(code) : 1;
        i += step ? step : 1;
    }
    return columns;
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

/* Writes a visible form of a control character. */
static size_t escape(char *out, uint32_t code)
{
    if (code == '\n' || code == '\t' || code == '\r') {
        out[0] = '\\';
        out[1] = code == '\n' ? 'n' : code == '\t' ? 't' : 'r';
        return 2;
    }
    return (size_t)snprintf(out, 8, code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)code);
}

/* DejaVu Sans has Latin, Greek, Cyrillic, Hebrew, Arabic and most symbols. */
static bool is_rare(uint32_t code)
{
    return is_control(code) || (code >= 0x0700 && code < 0x1e00) || (code >= 0x2c00 && code != 0xfffd);
}

/* hidden: the characters to be shown by their number. */
static char *show(const char *text, size_t columns, bool (*hidden)(uint32_t code))
{
    const unsigned char *s = (const unsigned char *)text;
    size_t length = strlen(text), used = 0, columns_used = 0, cut_at = 0;
    if (!length) {
        s = (const unsigned char *)"(no name)";
        length = strlen((const char *)s);
    }
    char *out = malloc(4 * length + 8);
    if (!out)
        return NULL;
    uint32_t code = 0;
    for (size_t i = 0; i < length;) {
        size_t step = decode(s + i, length - i, &code), before = used;
        if (step && hidden(code))
            used += escape(out + used, code);
        else
            for (size_t k = 0; k < (step ? step : 1); k++)
                out[used++] = (char)s[i + k];
        columns_used += step && hidden(code) ? used - before : columns_of(code);
        i += step ? step : 1;
        if (columns_used + 3 <= columns)
            cut_at = used;
        if (columns && columns_used > columns) {
            memcpy(out + cut_at, "...", 3);
            used = cut_at + 3;
            break;
        }
    }
    out[used] = '\0';
    return out;
}

char *sp_utf8_show(const char *text, size_t columns)
{
    return show(text, columns, is_control);
}

char *sp_utf8_show_plain(const char *text, size_t columns)
{
    return show(text, columns, is_rare);
}
