/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_json.h"

#include "sp_number.h"

#include <inttypes.h>
#include <math.h>

void sp_json_init(struct sp_json *json, FILE *out)
{
    *json = (struct sp_json){.out = out};
}

static void new_line(struct sp_json *json)
{
    fputc('\n', json->out);
    for (int i = 0; i < json->depth; i++)
        fputs("  ", json->out);
}

/* What stands before a member: a comma, a line break. */
static void before_value(struct sp_json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (!json->depth)
        return;
    if (json->filled[json->depth - 1])
        fputc(',', json->out);
    json->filled[json->depth - 1] = true;
    new_line(json);
}

static void open_with(struct sp_json *json, char opener, char closer)
{
    before_value(json);
    fputc(opener, json->out);
    json->closers[json->depth] = closer;
    json->filled[json->depth] = false;
    json->depth++;
}

void sp_json_object(struct sp_json *json)
{
    open_with(json, '{', '}');
}

void sp_json_array(struct sp_json *json)
{
    open_with(json, '[', ']');
}

void sp_json_end(struct sp_json *json)
{
    json->depth--;
    if (json->filled[json->depth])
        new_line(json);
    fputc(json->closers[json->depth], json->out);
}

void sp_json_finish(struct sp_json *json)
{
    while (json->depth)
        sp_json_end(json);
    fputc('\n', json->out);
}

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", out);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

void sp_json_key(struct sp_json *json, const char *key)
{
    before_value(json);
    write_text(json->out, key);
    fputs(": ", json->out);
    json->after_key = true;
}

void sp_json_text(struct sp_json *json, const char *text)
{
    before_value(json);
    if (text)
        write_text(json->out, text);
    else
        fputs("null", json->out);
}

void sp_json_integer(struct sp_json *json, int64_t value)
{
    before_value(json);
    fprintf(json->out, "%" PRId64, value);
}

void sp_json_real(struct sp_json *json, double value)
{
    char buffer[SP_NUMBER_SIZE];
    before_value(json);
    fputs(isfinite(value) ? sp_number_exact(buffer, value) : "null", json->out);
}

void sp_json_bool(struct sp_json *json, bool value)
{
    before_value(json);
    fputs(value ? "true" : "false", json->out);
}
