/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OFFSET_H
#define SP_OFFSET_H

/* Differences of two hosts' clocks and how well they are known, from readings that messages carried. All Local and pure. */

#include <stdint.h>

/* Two clocks (crystals, not slewed) go apart by no more than this. */
enum { SP_DRIFT_PPM = 100 };

/* One clock minus another, when the one showed at_ns: within error_ns of offset_ns. error_ns < 0: not known. */
struct sp_offset {
    int64_t offset_ns, error_ns, at_ns;
};

/* One question and its answer: the asker's clock before and after it, the other's in between. */
struct sp_round_trip {
    int64_t sent_ns, other_ns, received_ns;
};

/* Asker's minus other's clock by one exchange: the other's reading belongs to the middle of the round trip, and to no instant outside
 * of it, however unequal the two ways were; the error is half the round trip (F. Cristian, Probabilistic clock synchronization, 1989). */
struct sp_offset sp_offset_from(const struct sp_round_trip *exchange);

/* Is a better known than b? */
int sp_offset_is_better(const struct sp_offset *a, const struct sp_offset *b);

/* The same offset for another instant of its clock: the error grows by what the clocks may have gone apart. */
struct sp_offset sp_offset_at(struct sp_offset offset, int64_t at_ns);

/* A minus C from A minus B, measured when B showed between_ns, and B minus C. */
struct sp_offset sp_offset_chain(const struct sp_offset *a_b, int64_t between_ns, const struct sp_offset *b_c);

/* Offsets at from_ns and to_ns from a first and a last measurement; errors are equal and hold for both. One offset is taken for both
 * where no drift is seen beyond the errors: else the noise of two measurements would stretch all durations of a short run. Where it is
 * seen the line through both measurements is followed. A last one that is not known leaves the first. */
void sp_offset_settle(const struct sp_offset *first, const struct sp_offset *last, int64_t from_ns, int64_t to_ns, struct sp_offset out[2]);

#endif
