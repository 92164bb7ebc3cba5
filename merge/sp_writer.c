/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_write.h"

/* The one symbol of the module. */
__attribute__((visibility("default"))) extern const struct sp_writer scope_profiler_writer_1;

const struct sp_writer scope_profiler_writer_1 = {
    .version = SP_WRITER_VERSION,
    .write = sp_write,
};
