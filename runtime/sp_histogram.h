/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_HISTOGRAM_H
#define SP_HISTOGRAM_H

/* Bins of durations: 64 of equal width between 2^e and 2^(e+1) ns, so that a bin is at most 1/64 (1.6 %) of its lower edge wide.
 * The first holds all below 1 + 1/64 ns. Local, pure. */

#include <stdint.h>
#include <string.h>

#define SP_HISTOGRAM_BINS (64u * 64u)

/* The bin's number is the exponent and the first six digits of the fraction, as they stand in the floating-point number. */
static inline uint32_t sp_histogram_bin(double ns)
{
    uint64_t bits;
    if (!(ns >= 1))
        return 0;
    memcpy(&bits, &ns, sizeof bits);
    uint64_t bin = (bits >> 46) - (1023u << 6);
    return bin < SP_HISTOGRAM_BINS ? (uint32_t)bin : SP_HISTOGRAM_BINS - 1;
}

/* Its lower edge, ns; that of the bin after it is its upper edge. */
static inline double sp_histogram_edge(uint32_t bin)
{
    return (double)(64 + bin % 64) / 64 * (double)(UINT64_C(1) << (bin / 64 % 64));
}

#endif
