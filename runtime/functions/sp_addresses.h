/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_ADDRESSES_H
#define SP_ADDRESSES_H

/* Regions by address: looked up without a lock, any thread, also while others add. All Local. */

#include <stdint.h>

struct sp_addresses;

/* One that can hold some addresses without memory from the heap. Never freed: a thread may be reading it at any time. */
extern struct sp_addresses sp_addresses;

#define SP_ADDRESS_UNKNOWN (-2)

/* Region of an address, or SP_ADDRESS_UNKNOWN. */
int sp_addresses_find(struct sp_addresses *addresses, const void *address);

/* Remembers the region of an address. Where there is no memory it will be unknown again. */
void sp_addresses_add(struct sp_addresses *addresses, const void *address, int region);

/* From now on addresses from start up to end are unknown again: the library that lay there was unloaded. */
void sp_addresses_forget(struct sp_addresses *addresses, const void *start, const void *end);

#endif
