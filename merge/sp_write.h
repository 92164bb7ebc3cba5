/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_WRITE_H
#define SP_WRITE_H

#include "sp_writer.h"

/* struct sp_writer's write. Collective. */
int sp_write(const struct sp_writer_job *job, struct sp_writer_result *result, struct sp_error *err);

#endif
