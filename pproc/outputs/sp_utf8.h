/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_UTF8_H
#define SP_UTF8_H

/* Texts in UTF-8, as people and machines read them. All Local. */

#include <stdbool.h>
#include <stddef.h>

/* Valid UTF-8 of the bytes: each invalid byte and each zero becomes U+FFFD. To be freed; NULL: out of memory. */
char *sp_utf8_valid(const char *bytes, size_t length);

bool sp_utf8_is_valid(const char *bytes, size_t length);

/* Lower-case hexadecimal digits of the bytes. To be freed; NULL: out of memory. */
char *sp_utf8_hex(const char *bytes, size_t length);

/* For tables and pictures: control characters as \n, \t, \x1b; longer than `columns` characters: cut, with three dots (0: never);
 * empty: "(no name)". text is valid UTF-8. To be freed; NULL: out of memory. */
char *sp_utf8_show(const char *text, size_t columns);

/* The same, and characters of scripts that the usual fonts of pictures lack as \u6f22: a font without them would draw anything. */
char *sp_utf8_show_plain(const char *text, size_t columns);

/* Columns that valid UTF-8 takes on a terminal: one a character, none a combining mark, two a wide one. */
size_t sp_utf8_columns(const char *text);

#endif
