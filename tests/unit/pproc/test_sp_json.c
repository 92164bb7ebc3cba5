/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_test.h"

#include "sp_json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void a_document_is_indented_and_ends_in_a_newline(void **state)
{
    char *text;
    size_t size;
    struct sp_json json;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    sp_json_init(&json, out);
    sp_json_object(&json);
    sp_json_key(&json, "empty");
    sp_json_array(&json);
    sp_json_end(&json);
    sp_json_key(&json, "list");
    sp_json_array(&json);
    sp_json_integer(&json, INT64_MIN);
    sp_json_real(&json, 0.1);
    sp_json_real(&json, NAN);
    sp_json_real(&json, -INFINITY);
    sp_json_bool(&json, true);
    sp_json_text(&json, NULL);
    sp_json_finish(&json);
    fclose(out);
    assert_string_equal(text,
        "{\n  \"empty\": [],\n  \"list\": [\n    -9223372036854775808,\n    0.1,\n    null,\n    null,\n    true,\n    null\n  ]\n}\n");
    free(text);
}

static void every_text_reads_back(void **state)
{
    static const char *const texts[] = {
        "", "a\"b\\c", "two\nlines\t", "\x01\x1f\x7f", "gr\xc3\xb6\xc3\x9f", "</script>", "\xf0\x9f\x98\x80"};
    (void)state;
    for (size_t i = 0; i < SP_COUNT(texts); i++) {
        char *text;
        size_t size;
        struct sp_json json;
        FILE *out = open_memstream(&text, &size);
        sp_json_init(&json, out);
        sp_json_array(&json);
        sp_json_text(&json, texts[i]);
        sp_json_finish(&json);
        fclose(out);
        json_t *read = json_loads(text, 0, NULL);
        assert_string_equal(json_string_value(json_array_get(read, 0)), texts[i]);
        json_decref(read);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_is_indented_and_ends_in_a_newline),
        cmocka_unit_test(every_text_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
