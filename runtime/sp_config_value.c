/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_config_value.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *c)
{
    return c + strspn(c, " \t");
}

static int is_end(const char *c)
{
    return *c == '\0' || *c == '#' || *c == ';';
}

/* Appends a character; in a list a comma is escaped. */
static void put(char **out, char c, int in_list)
{
    if (in_list && c == ',')
        *(*out)++ = '\\';
    *(*out)++ = c;
}

/* The character that \c stands for in double quotes, 0 where it is none. */
static char escaped(char c)
{
    static const char letters[] = "\"\\tnr", characters[] = "\"\\\t\n\r";
    const char *letter = c ? strchr(letters, c) : NULL;
    return letter ? characters[letter - letters] : '\0';
}

/* Copies a quoted text; what follows it, or NULL. */
static const char *take_quoted(const char *c, char **out, int in_list, struct sp_error *err)
{
    char quote = *c;
    if (c[1] == quote && c[2] == quote)
        return sp_fail(err, "a text of several lines (%.3s) is not understood", c), NULL;
    for (c++; *c != quote; c++) {
        char character = *c;
        if (*c == '\0')
            return sp_fail(err, "no closing %c", quote), NULL;
        if (quote == '"' && *c == '\\') {
            character = escaped(*++c);
            if (!character)
                return sp_fail(err, "\\%.1s in double quotes is not understood ('single quotes' take it as it is)", c), NULL;
        }
        put(out, character, in_list);
    }
    return c + 1;
}

static const char *take_element(const char *c, char **out, struct sp_error *err)
{
    if (*c == '"' || *c == '\'')
        return take_quoted(c, out, 1, err);
    size_t length = strcspn(c, ",]# \t\"'[");
    if (length == 0)
        return is_end(c) ? (sp_fail(err, "the array does not end on its line"), NULL)
                         : (sp_fail(err, "%.1s in an array is not understood", c), NULL);
    for (; length > 0; length--)
        put(out, *c++, 1);
    return c;
}

static const char *take_array(const char *c, char **out, struct sp_error *err)
{
    const char *begin = *out;
    for (c = skip_blanks(c + 1); *c != ']'; c = skip_blanks(c)) {
        if (*out != begin)
            *(*out)++ = ',';
        c = take_element(c, out, err);
        if (!c)
            return NULL;
        c = skip_blanks(c);
        if (*c == ',')
            c++;
        else if (*c != ']')
            return is_end(c) ? (sp_fail(err, "the array does not end on its line"), NULL)
                             : (sp_fail(err, "a comma is missing in the array"), NULL);
    }
    return c + 1;
}

/* Copies what is neither quoted nor an array, up to a comment. */
static const char *take_bare(const char *c, char **out)
{
    const char *begin = *out;
    for (const char *first = c; *c && !((*c == '#' || *c == ';') && (c == first || c[-1] == ' ' || c[-1] == '\t')); c++)
        *(*out)++ = *c;
    while (*out > begin && ((*out)[-1] == ' ' || (*out)[-1] == '\t'))
        (*out)--;
    return c;
}

char *sp_config_value_text(const char *written, struct sp_error *err)
{
    char *text = malloc(2 * strlen(written) + 1), *out = text;
    const char *c = skip_blanks(written);
    if (!text)
        return sp_fail(err, "no memory"), NULL;
    if (*c == '"' || *c == '\'')
        c = take_quoted(c, &out, 0, err);
    else if (*c == '[')
        c = take_array(c, &out, err);
    else
        c = take_bare(c, &out);
    if (c && !is_end(skip_blanks(c))) {
        sp_fail(err, "%.20s after the end of the value", skip_blanks(c));
        c = NULL;
    }
    *out = '\0';
    if (!c) {
        free(text);
        return NULL;
    }
    return text;
}
