/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_RESERVE_H
#define SP_RESERVE_H

/* Address space that costs memory only where it is written, zeroed. Needs _GNU_SOURCE before the first header. Local. */

#include <stddef.h>
#include <sys/mman.h>

/* NULL on failure. */
static inline void *sp_reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* p may be NULL. */
static inline void sp_reserve_release(void *p, size_t bytes)
{
    if (p)
        munmap(p, bytes);
}

#endif
