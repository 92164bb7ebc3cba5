/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SPILL_H
#define SP_SPILL_H

/* Layout of spill files: what a process leaves behind while it records, valid at every instant.
 *
 * One file a process (kind SP_SPILL_PROCESS: regions, communicators, metadata) and one a lane (kind SP_SPILL_LANE).
 * A file is a header page, for lanes the three rings, then segments one after another:
 *
 *     0                    struct sp_spill_header, SP_SPILL_PAGE bytes
 *     SP_SPILL_EVENTS_AT   event ring        (lanes)
 *     SP_SPILL_MESSAGES_AT message ring      (lanes)
 *     SP_SPILL_CLOSES_AT   close ring        (lanes)
 *     SP_SPILL_OPEN_AT     open calls        (lanes; those whose events have left the event ring, outermost first)
 *     head_bytes           segments: struct sp_spill_segment + payload, each a multiple of 8 bytes, up to published_bytes
 *
 * Everything after published_bytes is to be ignored. Times are ticks of the process's clock; see sp_spill_clock. */

#include <assert.h>
#include <stdint.h>

#define SP_SPILL_MAGIC "SPSPILL1"
#define SP_SPILL_VERSION 2u
#define SP_SPILL_ENDIAN 0x01020304u
#define SP_SPILL_PAGE 4096u

#define SP_SPILL_RING_EVENTS 65536u
#define SP_SPILL_RING_MESSAGES 16384u
#define SP_SPILL_RING_CLOSES 4096u
#define SP_SPILL_EVENTS_AT SP_SPILL_PAGE
#define SP_SPILL_MESSAGES_AT (SP_SPILL_EVENTS_AT + SP_SPILL_RING_EVENTS * 16u + 64u)
#define SP_SPILL_CLOSES_AT (SP_SPILL_MESSAGES_AT + SP_SPILL_RING_MESSAGES * 48u)
#define SP_SPILL_OPEN_AT (SP_SPILL_CLOSES_AT + SP_SPILL_RING_CLOSES * 16u)
#define SP_SPILL_OPEN_CALLS 256u
#define SP_SPILL_LANE_HEAD (SP_SPILL_OPEN_AT + SP_SPILL_OPEN_CALLS * 24u)

enum sp_spill_kind { SP_SPILL_PROCESS = 1, SP_SPILL_LANE = 2 };

enum sp_spill_segment_type {
    SP_SEGMENT_PAD = 1,           /* skip */
    SP_SEGMENT_REGIONS = 2,       /* process: count packed struct sp_spill_region, ids from first on */
    SP_SEGMENT_COMMUNICATORS = 3, /* process: count packed struct sp_spill_communicator, ids from first on */
    SP_SEGMENT_RANK = 4,          /* process: one struct sp_spill_rank; the last one counts */
    SP_SEGMENT_METADATA = 5,      /* process: JSON text; the last one counts */
    SP_SEGMENT_NODES = 6,         /* lane: room for count struct sp_spill_node from id first on; used up to node_count */
    SP_SEGMENT_EVENTS = 7,        /* lane: count struct sp_spill_event, sequence numbers from first on */
    SP_SEGMENT_MESSAGES = 8,      /* lane: count struct sp_spill_message, from first on */
    SP_SEGMENT_CLOSES = 9,        /* lane: count struct sp_spill_close, from first on */
    SP_SEGMENT_BINS = 10,         /* lane: room for count struct sp_spill_bin from row first on; used up to bin_count */
    SP_SEGMENT_TRAFFIC = 11,      /* lane: the same of struct sp_spill_traffic, traffic_count */
    SP_SEGMENT_SIZES = 12,        /* lane: the same of struct sp_spill_size, size_count */
};

struct sp_spill_segment {
    uint32_t type;
    uint32_t reserved;
    uint64_t payload_bytes; /* without this header, a multiple of 8 */
    uint64_t first;
    uint64_t count;
};

/* A pair of readings of the process's clock and of CLOCK_MONOTONIC_RAW. */
struct sp_spill_clock_point {
    uint64_t ticks;
    int64_t monotonic_ns;
};

enum sp_clock_source { SP_CLOCK_MONOTONIC = 1, SP_CLOCK_TSC = 2, SP_CLOCK_CNTVCT = 3 };

/* A time t in ticks is, in ns of CLOCK_MONOTONIC_RAW of its host,
 *     first.monotonic_ns + (t - first.ticks) * (last.monotonic_ns - first.monotonic_ns) / (last.ticks - first.ticks),
 * with last = last[last_index] (two copies, so that a kill in the middle of renewing one harms nothing);
 * and on the run's global clock that minus the rank's offset_ns (struct sp_spill_rank). */
struct sp_spill_clock {
    uint32_t source; /* enum sp_clock_source */
    uint32_t last_index;
    struct sp_spill_clock_point first;
    struct sp_spill_clock_point last[2];
};

/* What a tick takes, by the two points. */
static inline double sp_spill_ns_per_tick(const struct sp_spill_clock *clock)
{
    const struct sp_spill_clock_point *last = &clock->last[clock->last_index & 1];
    double ticks = (double)last->ticks - (double)clock->first.ticks, ns = (double)last->monotonic_ns - (double)clock->first.monotonic_ns;
    return clock->source != SP_CLOCK_MONOTONIC && ticks > 0 && ns > 0 ? ns / ticks : 1;
}

enum sp_lane_kind { SP_LANE_MAIN = 0, SP_LANE_THREAD = 1, SP_LANE_OPENMP = 2 };

/* How far a batch has summed up the messages. */
struct sp_spill_summed {
    uint64_t until;                      /* messages below this */
    uint64_t sized_event, traffic_event; /* 1 + the call whose time the last row by size, by peer has got; 0 none */
};

struct sp_spill_header {
    char magic[8];
    uint32_t version;
    uint32_t endian;
    uint32_t kind;
    uint32_t head_bytes; /* where the segments start */
    char run_id[40];     /* equal in all files of one run */
    char host[64];
    char boot_id[40];
    int32_t rank;
    int32_t rank_count;
    int32_t pid;
    int32_t lane;      /* index within the process, 0 the main thread */
    int32_t lane_kind; /* enum sp_lane_kind */
    char lane_name[32];
    struct sp_spill_clock clock;
    uint64_t published_bytes; /* end of the valid segments */

    /* lanes: an entry of a ring has sequence number <x>_first + index; entries below <x>_first were copied to segments (or, where
     * statistics only are kept, given up) and must be ignored where a segment holds them already */
    uint64_t events_first, messages_first, closes_first;
    uint32_t events_used; /* filled in by the reader, who counts the ring */
    uint32_t messages_used, closes_used;
    uint32_t node_count;
    uint32_t batches;                 /* batches of statistics so far; see the nodes */
    uint64_t batched_until[2];        /* by batches % 2: the last batch counts events below this; calls from there on whose event holds its
                                * duration are still to be added (those with a close record never: they were added when they closed) */
    struct sp_spill_summed summed[2]; /* by batches % 2 */
    uint64_t events_kept;             /* events with a sequence number from here on were not kept (trace limit, profile mode) */
    uint64_t messages_kept;
    uint64_t unmatched_ends;
    uint64_t clock_steps_back;
    uint64_t lane_start, lane_end; /* ticks; lane_end 0 while it lives */

    uint32_t open_count;                           /* calls that are open and in no batch to come; SP_SPILL_OPEN_CALLS are listed at most */
    uint32_t bin_count, traffic_count, size_count; /* rows of the tables by key */
    uint64_t bins_lost;                            /* calls that no bin counts: there was no room for it */
    uint64_t was_cut;                              /* 1: events were to be kept and there was no room from events_kept on; with 0 there,
                                                    * the very first did not fit, which is no profile mode */
};

#define SP_DURATION_OPEN 0xffffffffu /* not ended yet; a close record may say more */
#define SP_DURATION_LONG 0xfffffffeu /* too long for 32 bits: see the close record */

/* The ring's entries end before the first whose start is 0 (there is room for one more than the ring holds). The last one can be
 * taken back, when its call turns out to be one that is only counted: its start becomes 0, and then the call is added to its node.
 * Its sequence number goes to the next event. */
struct sp_spill_event {
    uint64_t start;    /* ticks, never 0 */
    uint32_t duration; /* ticks, or SP_DURATION_* */
    uint32_t node;     /* call path */
};

/* A call that is open. The list is brought up to date before a batch: entries that the ring still shows (event not below
 * batched_until) are not to be counted twice. */
struct sp_spill_open {
    uint64_t event; /* sequence number */
    uint64_t start; /* ticks */
    uint32_t node;
    uint32_t reserved;
};

struct sp_spill_close {
    uint64_t event;    /* sequence number in the lane */
    uint64_t duration; /* ticks */
};

/* What an MPI event carried; its event is the call that was recorded under that sequence number. With what the sums over messages need
 * to know of that call. */
struct sp_spill_message {
    uint64_t event;
    int64_t bytes;
    uint64_t request;       /* number that a posting and its completion share in a process; 0 none */
    uint64_t ticks;         /* time of the call */
    int32_t peer;           /* global rank; -1 none, -2 unknown */
    int32_t tag;            /* -1 none */
    int32_t communicator;   /* id in the process; -1 unknown */
    uint32_t operation : 4; /* enum sp_operation */
    uint32_t node : 28;     /* call path of the call */
};

enum sp_operation {
    SP_OPERATION_SEND = 1,
    SP_OPERATION_RECEIVE = 2,
    SP_OPERATION_COLLECTIVE = 3,         /* bytes: sent by this rank */
    SP_OPERATION_COLLECTIVE_RECEIVE = 4, /* bytes: received by this rank */
    SP_OPERATION_PUT = 5,
    SP_OPERATION_GET = 6,
    SP_OPERATION_ACCUMULATE = 7,      /* of atomic calls too: what goes to the target */
    SP_OPERATION_FETCH = 8,           /* what an atomic call gets from the target */
    SP_OPERATION_WRITE = 9,           /* to a file */
    SP_OPERATION_READ = 10,           /* from a file */
    SP_OPERATION_SEND_DONE = 11,      /* a request's completion */
    SP_OPERATION_RECEIVE_POSTED = 12, /* bytes: room; what arrives its completion says. Of a receive that was posted
                                        * and completed by one call only where the two differ */
};

/* What an operation's bytes count as: 1 sent, -1 received, 0 neither. */
static inline int sp_spill_direction(int operation)
{
    if (operation < SP_OPERATION_SEND || operation > SP_OPERATION_READ)
        return 0;
    return operation % 2 ? 1 : -1;
}

/* Whether an operation is between two ranks, so that its peer says with whom. */
static inline int sp_spill_is_traffic(int operation)
{
    return operation == SP_OPERATION_SEND || operation == SP_OPERATION_RECEIVE ||
        (operation >= SP_OPERATION_PUT && operation <= SP_OPERATION_FETCH);
}

/* Whether a message counts for its peer. */
static inline int sp_spill_has_peer(const struct sp_spill_message *message)
{
    return message->peer >= 0 && sp_spill_is_traffic((int)message->operation);
}

/* The time a message adds: its call's, unless that went to the message before. event: 1 + the call of that one. */
static inline uint64_t sp_spill_ticks_of(const struct sp_spill_message *message, uint64_t *event)
{
    uint64_t ticks = message->event + 1 == *event ? 0 : message->ticks;
    *event = message->event + 1;
    return ticks;
}

/* Sums over the calls of a call path, times in ticks. */
struct sp_spill_sums {
    uint64_t calls;
    uint64_t total, min, max; /* min UINT64_MAX and max 0 before the first */
    uint64_t squares_low, squares_high;
    int64_t bytes_sent, bytes_received;
};

/* A call path of a lane with its statistics, times in ticks. Node 0 is the root (parent and region SP_NODE_NONE, no calls). The
 * sums are brought up to date in batches, at each turn-over of the event ring and at the end, into the older of two copies, which
 * one store to the header then makes valid; calls that no batch will see are added to the valid copy at once. A node's own time is its total less the totals of its children, where calls that are
 * still open count up to the end of the record. */
#define SP_NODE_NONE 0xffffffffu
struct sp_spill_node {
    uint32_t parent;
    uint32_t region;
    uint32_t batch[2];                /* number of the batch that wrote the copy: the latest that is <= the header's counts */
    uint64_t first, last;             /* durations of the calls that started first and last */
    uint64_t first_start, last_start; /* UINT64_MAX and 0 before */
    struct sp_spill_sums sums[2];
};

/* Tables by key: the first 8 bytes of a row are its key; each key occurs once. Rows are brought up to date together with the nodes,
 * and in two copies like their sums. */

/* Calls of a region by duration: bin as sp_histogram_bin says. The counts of a region add up to the calls of its nodes at any
 * instant. */
struct sp_spill_bin {
    uint32_t region, bin;
    uint32_t batch[2];
    uint64_t count[2];
};

struct sp_spill_exchanged {
    uint64_t messages;
    int64_t bytes;
    uint64_t ticks; /* time of the calls */
};

/* What a lane sent to, or got from, a peer. Where a call carries several messages its time is in the first. */
struct sp_spill_traffic {
    int32_t peer;      /* global rank */
    int32_t operation; /* enum sp_operation; SEND to FETCH but no collective */
    uint32_t batch[2];
    struct sp_spill_exchanged sums[2];
};

/* Messages of a region by size. */
#define SP_SIZE_RECEIVED 256u
struct sp_spill_size {
    uint32_t region;
    uint32_t bin; /* 0: no bytes; b: 2^(b-1) to 2^b - 1 bytes; and SP_SIZE_RECEIVED where they came in */
    uint32_t batch[2];
    struct sp_spill_exchanged sums[2];
};

static inline uint32_t sp_spill_size_bin(int64_t bytes)
{
    return bytes > 0 ? 64 - (uint32_t)__builtin_clzll((unsigned long long)bytes) : 0;
}

/* Bin and direction of a message that has one. */
static inline uint32_t sp_spill_size_key(const struct sp_spill_message *message)
{
    return sp_spill_size_bin(message->bytes) | (sp_spill_direction((int)message->operation) < 0 ? SP_SIZE_RECEIVED : 0);
}

enum sp_region_kind { SP_REGION_USER = 0, SP_REGION_MPI = 1, SP_REGION_OPENMP = 2, SP_REGION_IO = 3, SP_REGION_FUNCTION = 4 };

/* Groups of MPI functions; 0 for regions of other kinds. */
enum sp_group {
    SP_GROUP_NONE = 0,
    SP_GROUP_P2P,
    SP_GROUP_COMPLETION,
    SP_GROUP_PROBE,
    SP_GROUP_COLLECTIVE,
    SP_GROUP_NEIGHBOURHOOD,
    SP_GROUP_RMA,
    SP_GROUP_IO,
    SP_GROUP_COMM,
    SP_GROUP_GROUP,
    SP_GROUP_DATATYPE,
    SP_GROUP_TOPOLOGY,
    SP_GROUP_ENVIRONMENT,
    SP_GROUP_LOCAL,
    SP_GROUP_COUNT
};

/* Name, file and line of a function are looked up by whoever writes the file. */
#define SP_SPILL_LINE_LATER (-2)

/* Followed by name_bytes + file_bytes + tags_bytes of text, padded to 8. */
struct sp_spill_region {
    uint32_t record_bytes; /* the whole record with padding */
    uint16_t kind;         /* enum sp_region_kind */
    uint16_t group;        /* enum sp_group */
    int32_t line;          /* -1 unknown; SP_SPILL_LINE_LATER: the name is an address (sp_names.h) */
    uint32_t name_bytes, file_bytes, tags_bytes;
};

/* Followed by name_bytes of text and, when member_count > 0, padding to 8 and member_count int32 global ranks, padded to 8. */
struct sp_spill_communicator {
    uint32_t record_bytes;
    uint32_t name_bytes;
    uint64_t identity; /* equal on all members, differs between communicators of a run */
    uint64_t parent;   /* identity of the parent, 0 none */
    int32_t size;
    int32_t member_count; /* 0 where another process lists them (the lowest member does) */
};

enum sp_rank_state { SP_RANK_RUNNING = 0, SP_RANK_FINALIZED = 1, SP_RANK_EXITED = 2, SP_RANK_ABORTED = 3 };

struct sp_spill_rank {
    uint64_t start;          /* ticks: process start as we saw it */
    uint64_t mpi_init_end;   /* ticks; 0 unknown */
    uint64_t finalize_begin; /* ticks; 0 unknown */
    uint64_t end;            /* ticks; 0 unknown */
    int64_t offset_ns;       /* CLOCK_MONOTONIC_RAW of this host minus the run's global clock, at init */
    int64_t offset_last_ns;  /* the same at the end */
    int64_t offset_error_ns;
    uint64_t events_dropped;
    int64_t region_cost_ns; /* calibrated, per begin/end pair, in 1/1000 ns */
    int64_t init_ns;        /* what our work at MPI_Init took */
    int64_t max_rss_bytes;
    int32_t state;        /* enum sp_rank_state */
    int32_t thread_level; /* MPI_THREAD_* as provided, -1 unknown */
};

static_assert(sizeof(struct sp_spill_event) == 16, "an event is 16 bytes");
static_assert(sizeof(struct sp_spill_close) == 16, "a close record is 16 bytes");
static_assert(sizeof(struct sp_spill_message) == 48, "a message record is 48 bytes");
static_assert(sizeof(struct sp_spill_segment) == 32, "segments keep 8-byte alignment");
static_assert(sizeof(struct sp_spill_node) == 176, "nodes are laid out alike everywhere");
static_assert(sizeof(struct sp_spill_region) == 24, "regions are laid out alike everywhere");
static_assert(sizeof(struct sp_spill_communicator) == 32, "communicators are laid out alike everywhere");
static_assert(sizeof(struct sp_spill_rank) == 96, "the rank record is laid out alike everywhere");
static_assert(sizeof(struct sp_spill_open) == 24, "open calls are laid out alike everywhere");
static_assert(sizeof(struct sp_spill_bin) == 32, "bins are laid out alike everywhere");
static_assert(sizeof(struct sp_spill_traffic) == 64, "rows of messages by key are 64 bytes");
static_assert(sizeof(struct sp_spill_size) == 64, "rows of messages by key are 64 bytes");
static_assert(sizeof(struct sp_spill_header) <= SP_SPILL_PAGE, "the header is one page");

/* Events below this are in the statistics. Two copies, as of the nodes, so that one store makes both the batch's; of the messages'
 * progress likewise. */
static inline uint64_t sp_spill_batched_until(const struct sp_spill_header *header)
{
    return header->batched_until[header->batches % 2];
}

/* Of two copies, written in the batches of these numbers, the one that the header's count of batches makes valid: an index. */
static inline int sp_spill_valid_copy(const uint32_t batch[2], uint32_t batches)
{
    if (batch[0] > batches)
        return 1;
    return batch[1] <= batches && batch[1] > batch[0];
}

#endif
