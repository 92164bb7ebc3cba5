/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_legacy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sp_legacy legacy;
    struct sp_error err = {0};
    json_t *root = json_loadb((const char *)data, size, JSON_ALLOW_NUL, NULL);
    sp_legacy_init(&legacy, "input");
    fuzz_finish(&legacy, root ? sp_legacy_json_parse(root, &legacy, &err) : -1);
    json_decref(root);
    return 0;
}
