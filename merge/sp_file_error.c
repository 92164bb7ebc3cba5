/* SPDX-License-Identifier: BSD-3-Clause */
#include "scope_profiler_file.h"
#include "sp_error.h"

#include <stdlib.h>

struct sp_error *sp_file_error_create(void)
{
    return calloc(1, sizeof(struct sp_error));
}

const char *sp_file_error_text(const struct sp_error *err)
{
    return err->text;
}

int sp_file_error_code(const struct sp_error *err)
{
    return err->code;
}

void sp_file_error_destroy(struct sp_error *err)
{
    free(err);
}
