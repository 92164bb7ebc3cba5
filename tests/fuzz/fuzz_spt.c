/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_legacy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sp_legacy legacy;
    struct sp_error err = {0};
    sp_legacy_init(&legacy, "input");
    fuzz_finish(&legacy, sp_legacy_spt_parse(data, size, &legacy, &err));
    return 0;
}
