/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_room(struct sp_text *text, size_t more)
{
    if (text->failed)
        return -1;
    if (text->length + more < text->room)
        return 0;
    size_t room = (text->length + more) * 2 + 256;
    char *bytes = realloc(text->bytes, room);
    if (!bytes) {
        text->failed = 1;
        return -1;
    }
    text->bytes = bytes;
    text->room = room;
    return 0;
}

void sp_text_add(struct sp_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && make_room(text, (size_t)n + 1) == 0) {
        vsnprintf(text->bytes + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    }
    va_end(again);
}

/* Bytes of the UTF-8 character at s (RFC 3629: shortest form, no surrogates, up to U+10FFFF), 0 where there is none. */
static size_t utf8_length(const unsigned char *s)
{
    static const struct {
        unsigned char first, last, low, high;
        size_t length;
    } forms[] = {{0x01, 0x7f, 0, 0, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last)
            continue;
        if (forms[i].length > 1 && (s[1] < forms[i].low || s[1] > forms[i].high))
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((s[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

void sp_text_add_json_string(struct sp_text *text, const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    sp_text_add(text, "\"");
    while (*s) {
        size_t n = utf8_length(s);
        if (n == 0)
            sp_text_add(text, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            sp_text_add(text, "\\%c", *s);
        else if (*s < ' ')
            sp_text_add(text, "\\u%04x", *s);
        else
            sp_text_add(text, "%.*s", (int)n, (const char *)s);
        s += n ? n : 1;
    }
    sp_text_add(text, "\"");
}

static void add_key(struct sp_text *text, const char *key)
{
    if (text->length > 0 && text->bytes[text->length - 1] != '{')
        sp_text_add(text, ", ");
    sp_text_add_json_string(text, key);
    sp_text_add(text, ": ");
}

void sp_text_add_member(struct sp_text *text, const char *key, const char *value)
{
    add_key(text, key);
    sp_text_add_json_string(text, value);
}

void sp_text_add_number(struct sp_text *text, const char *key, int64_t value)
{
    add_key(text, key);
    sp_text_add(text, "%lld", (long long)value);
}

void sp_text_free(struct sp_text *text)
{
    free(text->bytes);
    *text = (struct sp_text){0};
}
