/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_VERDICT_H
#define SP_VERDICT_H

/* What verify found out about a file, for people and for machines. Local. */

#include "sp_verify.h"

#include <jansson.h>
#include <stdio.h>

/* Of a file that was read. */
void sp_verdict_write(const struct sp_file_info *info, const struct sp_verification *result, FILE *out);
json_t *sp_verdict_document(const struct sp_file_info *info, const struct sp_verification *result);

/* Of one that could not be opened. */
void sp_verdict_write_refused(const char *path, const struct sp_error *reason, FILE *out);
json_t *sp_verdict_document_refused(const char *path, const struct sp_error *reason);

#endif
