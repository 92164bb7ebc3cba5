/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TEXT_H
#define SP_TEXT_H

/* A growing text, for JSON. Running out of memory makes it stay NULL; only the end asks. All Local. */

#include <stddef.h>
#include <stdint.h>

struct sp_text {
    char *bytes; /* zero-terminated; NULL while empty */
    size_t length, room;
    int failed;
};

void sp_text_add(struct sp_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void sp_text_add_json_string(struct sp_text *text, const char *string);

/* Adds , "key": "value" (or number) to an object; the first member without the comma. */
void sp_text_add_member(struct sp_text *text, const char *key, const char *value);
void sp_text_add_number(struct sp_text *text, const char *key, int64_t value);

void sp_text_free(struct sp_text *text);

#endif
