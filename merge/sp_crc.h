/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CRC_H
#define SP_CRC_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli, reflected, as in iSCSI and ext4) of crc's bytes followed by these; crc is 0 to begin with. Local. */
uint32_t sp_crc(uint32_t crc, const void *data, size_t bytes);

/* The same in plain C, whatever the processor offers. Local. */
uint32_t sp_crc_portable(uint32_t crc, const void *data, size_t bytes);

/* CRC of A followed by B, from those of A and B and the length of B. Local. */
uint32_t sp_crc_combine(uint32_t first, uint32_t second, uint64_t second_bytes);

#endif
