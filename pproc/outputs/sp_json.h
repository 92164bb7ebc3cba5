/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_JSON_H
#define SP_JSON_H

/* Writes JSON as it comes, for files that grow with ranks or calls; no document is ever held in memory. Indented by two spaces.
 * Texts are valid UTF-8; what is undefined (NaN, infinite, a NULL text) becomes null. Errors show in ferror of the stream. Local. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SP_JSON_DEPTH 16

struct sp_json {
    FILE *out;
    int depth;
    char closers[SP_JSON_DEPTH];
    bool filled[SP_JSON_DEPTH]; /* the object or array has a member */
    bool after_key;
};

void sp_json_init(struct sp_json *json, FILE *out);

/* The end writes what is open and a final newline. */
void sp_json_finish(struct sp_json *json);

void sp_json_object(struct sp_json *json); /* { */
void sp_json_array(struct sp_json *json);  /* [ */
void sp_json_end(struct sp_json *json);    /* } or ] */
void sp_json_key(struct sp_json *json, const char *key);

void sp_json_text(struct sp_json *json, const char *text);
void sp_json_integer(struct sp_json *json, int64_t value);
void sp_json_real(struct sp_json *json, double value);
void sp_json_bool(struct sp_json *json, bool value);

#endif
