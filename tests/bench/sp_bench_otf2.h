/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_BENCH_OTF2_H
#define SP_BENCH_OTF2_H

/* A peer: the same pair as Enter and Leave through the event writer of the OTF2 library, alone. One archive with one location, the
 * library's default chunk sizes (events 1 MiB, definitions 4 MiB), its own memory, the POSIX substrate without compression; a full
 * chunk is written out. The clock is ours, read as often. */

#include "sp_bench.h"

struct sp_bench_otf2;

/* An archive below a directory; NULL where the library is not there or refuses. */
struct sp_bench_otf2 *sp_bench_otf2_open(const char *directory);
struct sp_bench_subject sp_bench_otf2_subject(struct sp_bench_otf2 *otf2);

/* Ends the archive: everything is written. */
void sp_bench_otf2_close(struct sp_bench_otf2 *otf2);

#endif
