/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_VERIFY_H
#define SP_VERIFY_H

/* Is a file sound: everything in it is read, checksums are compared (by the reader), and what was recorded is held against what can
 * be true. */

#include "scope_profiler_file.h"
#include "sp_crew.h"
#include "sp_error.h"

#define SP_VERIFY_OPERATIONS 16 /* of messages are below this */

/* What is counted, over all lanes. Sums over processes are taken over the whole struct. */
struct sp_verify_counts {
    /* faults: the file is not sound */
    int64_t unreadable;     /* blocks of events or messages, statistics of a lane: damaged, not read */
    int64_t disordered;     /* events that start before the one before them */
    int64_t backward;       /* calls that end before they start */
    int64_t outside;        /* calls that begin before or end after the one they were called from, by more than 1 ns */
    int64_t inconsistent;   /* rows of statistics that no calls can have */
    int64_t misplaced;      /* messages of an event that is not of their lane, or of negative size */
    int64_t miscounted;     /* calls that the histograms have too many or too few, beyond those that no bin counts */
    int64_t mismatched;     /* regions whose bytes by size are not those of their calls, operations of whose messages traffic has others */
    /* what else there is to know */
    int64_t calls;          /* in the statistics */
    int64_t closed_events;  /* events with an end */
    int64_t open_events;    /* still open when the record ended */
    int64_t overhead_ps;    /* calls x calibrated cost */
    int64_t without_bin;    /* calls that stand in no histogram */
    int64_t messages_by_operation[SP_VERIFY_OPERATIONS], bytes_by_operation[SP_VERIFY_OPERATIONS]; /* of messages with a peer */
};

struct sp_verification {
    struct sp_verify_counts counts;
    struct sp_error damage; /* the first one of unreadable; code 0: none */
    int64_t time_ns;        /* T; -1 unknown */
    int64_t dropped_events, unmatched_ends;
    int64_t calls_without_event; /* of a trace that calls itself complete */
    int64_t clock_error_ns, clock_drift_ns; /* worst rank: bound of the error, -1 unknown; change of its offset during the run */
    int32_t running_ranks;  /* their end was not recorded */
    int32_t absent_ranks;   /* nothing was found of them */
    double overhead_percent; /* of T on all ranks; NaN unknown */
};

/* Reads all of a file that is open in every process. The result is the same in all of them. Collective. */
int sp_verify(const struct sp_crew *crew, struct sp_file *file, struct sp_verification *result, struct sp_error *err);

/* Number of faults: 0 is sound. Pure. */
int64_t sp_verify_faults(const struct sp_verification *result);

#endif
