/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TABLE_H
#define SP_TABLE_H

#include <stdint.h>

/* Puts the pair of functions made for the clock's source into the tables, before any program has a handle to call them with. Local. */
void sp_table_choose_pair(uint32_t source);

#endif
