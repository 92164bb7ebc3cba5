/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TABLE_H
#define SP_TABLE_H

#include <stdint.h>

/* Makes begin and end what they are to be for a state of the gate (enum sp_gate) and the clock's source: in the tables and in every
 * translation unit. Local. */
void sp_table_choose_pair(int gate, uint32_t source);

#endif
