/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TRAFFIC_H
#define SP_TRAFFIC_H

/* Who talks to whom, in messages of which size, on which communicators. Messages are those of the file format's operations; of a call
 * with several messages the time stands with the first of them. */

#include "sp_run.h"

/* Sums by a key of three numbers. */
struct sp_sum {
    int32_t key[3];
    uint64_t count;
    int64_t bytes, time_ns;
};

struct sp_sums {
    struct sp_sum *items; /* after sp_sums_sort: in order of the key */
    size_t count;
    uint32_t *slots; /* 1 + item, by hash of the key; 0 empty */
    size_t slot_count;
};

/* Adds to the sum of a key. Returns -1 without memory. Local. */
int sp_sums_add(struct sp_sums *sums, const struct sp_sum *sum, struct sp_error *err);
/* Nothing can be added afterwards. Local. */
void sp_sums_sort(struct sp_sums *sums);
void sp_sums_free(struct sp_sums *sums);

/* Data that went from a rank to another. What was moved counts once, where it was begun: a send at its source, one-sided access at its
 * origin, with the time of these calls; messages received are the destination's view of the sends. */
struct sp_peer {
    int32_t source, destination;
    uint64_t messages;
    int64_t bytes, time_ns;
    uint64_t received;
    int64_t bytes_received, receive_ns;
};

/* Messages of a function by size: bin 0 no bytes, bin b 2^(b-1) to 2^b - 1 bytes. */
struct sp_size {
    int32_t region, direction, bin; /* direction: 1 sent or written, -1 received or read */
    uint64_t messages;
    int64_t bytes, time_ns;
};

/* What a function did on a communicator. */
struct sp_usage {
    int32_t communicator, region;
    uint64_t calls;
    int64_t time_ns, bytes_sent, bytes_received;
};

/* Process 0 has the rows, by their keys. */
struct sp_traffic {
    struct sp_peer *peers;
    struct sp_size *sizes;
    struct sp_usage *usages;
    size_t peer_count, size_count, usage_count;
    char note[200];       /* what peers and sizes do not cover; empty: nothing */
    char usage_note[200]; /* the same of communicators */
};

/* Bin of a message of so many bytes. Pure. */
int32_t sp_size_bin(int64_t bytes);

/* Smallest and largest size of a bin. Pure. */
int64_t sp_size_first(int32_t bin);
int64_t sp_size_last(int32_t bin);

/* Rows from sorted sums: by (source, destination, operation), (region, direction, bin) and (communicator, region, 0 calls or the direction
 * of bytes). Pure. */
int sp_peers_make(const struct sp_sums *sums, struct sp_peer **rows, size_t *count, struct sp_error *err);
int sp_sizes_make(const struct sp_sums *sums, struct sp_size **rows, size_t *count, struct sp_error *err);
int sp_usages_make(const struct sp_sums *sums, struct sp_usage **rows, size_t *count, struct sp_error *err);

/* What a call's messages add up to; one lane after another. */
struct sp_traffic_sums {
    struct sp_sums peers, sizes, usages;
    uint64_t peer_event, size_event, usage_event; /* 1 + the call whose time was counted */
};
/* A message of a call of region `region` on rank `rank` that lasts duration_ns. Local. */
int sp_traffic_add(struct sp_traffic_sums *sums, const struct sp_message *message, int32_t rank, int32_t region, int64_t duration_ns,
    struct sp_error *err);
void sp_traffic_sums_free(struct sp_traffic_sums *sums);

/* Of the run's selection: from the tables by key where they answer, else from the trace. communicators: read them too, which takes the
 * trace. Collective. */
int sp_traffic_read(
    const struct sp_crew *crew, const struct sp_run *run, bool communicators, struct sp_traffic *traffic, struct sp_error *err);
void sp_traffic_free(struct sp_traffic *traffic);

#endif
