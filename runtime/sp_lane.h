/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_LANE_H
#define SP_LANE_H

/* A lane: what one thread records. A stack of open calls, the call-path tree with its statistics, and the rings of events,
 * messages and close records in the lane's store. A thread enters a lane and is alone in it. All Local.
 *
 * Budget of a begin/end pair: two clock readings and about 45 instructions beside them, since each costs 0.05 ns on top of the
 * readings (they do not hide in the clock's shadow): a 16-byte event and a frame. No lock, no allocation, no division, no system
 * call but at a turn-over of the event ring (every 65 536 events). Statistics are summed up from the ring in batches at the
 * turn-over (4 ns an event), own times derived from the totals when the record is read. What the pair reads lies in the thread's
 * own storage: every step through a pointer lengthens the chain that the next reading waits for. */

#include "sp_clock.h"
#include "sp_exchange.h"
#include "sp_paths.h"

#define SP_LIKELY(x) __builtin_expect(!!(x), 1)
#define SP_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Region ids are below this. */
#define SP_REGION_LIMIT (1 << 20)

/* Event bytes a process may keep, shared by its lanes. */
struct sp_trace_budget {
    uint64_t limit; /* bytes; 0: none are kept (profile mode) */
    uint64_t used;  /* atomic */
};

/* An open call, one cache line. */
#define SP_FRAME_SLOW 0x80000000u /* in region: no end of it is simple */
struct sp_frame {
    uint64_t start;
    struct sp_spill_event *event; /* in the ring; NULL once it has left it */
    uint32_t node_id;             /* SP_NODE_NONE in the root's frame */
    uint32_t region;
    uint64_t number;       /* sequence number of an event that has left the ring */
    uint32_t skipped;      /* begins directly inside that were not recorded */
    uint32_t skipped_ends; /* ends of those; a sum apart, so that none of the two waits for the other's store */
    uint32_t reserved[6];
};

/* Begins directly inside that were not recorded and have not ended. */
static inline uint32_t sp_frame_skipped(const struct sp_frame *frame)
{
    return frame->skipped - frame->skipped_ends;
}

/* The call path a region was last entered on; all zero: none. */
struct sp_path_cache {
    uint32_t parent; /* as in the parent's frame */
    uint32_t id;
};

/* What becomes of the program's end of a region that is not the innermost open one. It is counted in any case. */
enum sp_nesting {
    SP_NESTING_UNWIND, /* closes its innermost call and what is open inside */
    SP_NESTING_IGNORE, /* is passed over */
    SP_NESTING_STRICT, /* the same, and the first of a lane is told at once */
};

struct sp_lane;

/* What the hot pair of a thread reads and writes. next == ring_end: the thread is in no lane, or the ring is full. top is never
 * NULL. */
struct sp_hot {
    struct sp_frame *top;
    struct sp_spill_event *next, *ring_end;
    struct sp_path_cache *cache; /* by region, SP_REGION_LIMIT entries of address space */
    struct sp_lane *lane;        /* NULL: in none */
};

extern __thread struct sp_hot sp_hot __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Stands in the first page of its store: the header is what others can read, the rest is the process's own. */
struct sp_lane {
    struct sp_spill_header head;
    struct sp_hot parked;    /* while no thread is in it */
    struct sp_hot *hot;      /* of the thread that is in it, else parked */
    struct sp_frame *frames; /* frames[0] is the root's and never closed */
    size_t frame_room;       /* at least the open calls and a ring of them more */
    struct sp_path_cache *cache;
    struct sp_spill_event *ring;
    struct sp_spill_message *messages;
    struct sp_spill_close *closes;
    struct sp_spill_open *open;
    struct sp_store *store;
    struct sp_paths *paths;
    struct sp_trace_budget *budget;
    struct sp_bins *bins;
    struct sp_exchange exchange;
    struct sp_batch *batch; /* by node */
    uint32_t batch_size;
    double tick_ns; /* what a tick takes, as known until a reading */
    uint64_t tick_until;
    uint32_t ended_id; /* the call closed by sp_lane_end_call, SP_NODE_NONE: it was not recorded */
    uint64_t ended_event, ended_ticks;
    int crossed_region; /* region of the first unmatched or crossing end, -1 none */
    enum sp_nesting nesting;
    void (*tell_crossing)(const struct sp_lane *lane); /* where nesting is strict, at the first such end; NULL: nobody is told */
    uint64_t snapshot_at; /* reading from which on take_snapshot is called, at a turn-over or the end of a call; UINT64_MAX */
    void (*take_snapshot)(struct sp_lane *lane, uint64_t now);
    int is_to_move; /* atomic; then its own thread calls move at the next slow step */
    void (*move)(struct sp_lane *lane);
    struct sp_lane *next;      /* the process's list of lanes */
    struct sp_lane *next_idle; /* its list of lanes without a thread */
};

static_assert(sizeof(struct sp_lane) <= SP_SPILL_PAGE, "a lane is one page");

/* A lane in memory with the process's clock (copied) and budget (shared, outlives it). NULL without memory. */
struct sp_lane *sp_lane_create(const struct sp_spill_clock *clock, struct sp_trace_budget *budget);
void sp_lane_destroy(struct sp_lane *lane);

/* The calling thread records in this lane from now on, until it leaves it. */
void sp_lane_enter(struct sp_lane *lane);
void sp_lane_leave(struct sp_lane *lane);

/* The calling thread is in no lane, and the lane it was in does not change: after a fork it is still its parent's. */
void sp_lane_forget(void);

/* Opens a call of a region in the thread's lane, at a reading of source, a constant where it is to be fast. 0, with nothing done,
 * where there is no lane, the path is not in the cache, or the ring is full: sp_lane_begin sorts that out. Any region is safe. */
static inline int sp_lane_try_begin(int region, uint32_t source)
{
    struct sp_spill_event *event = sp_hot.next;
    struct sp_frame *top = sp_hot.top;
    if (SP_UNLIKELY(event == sp_hot.ring_end) || SP_UNLIKELY((uint32_t)region >= SP_REGION_LIMIT))
        return 0;
    struct sp_path_cache path = sp_hot.cache[(uint32_t)region];
    if (SP_UNLIKELY(path.parent != top->node_id))
        return 0;
    struct sp_frame *frame = top + 1;
    frame->event = event;
    frame->node_id = path.id;
    frame->region = (uint32_t)region;
    event->duration = SP_DURATION_OPEN;
    event->node = path.id;
    event[1].start = 0;
    sp_hot.top = frame;
    sp_hot.next = event + 1;
    uint64_t now = sp_clock_now(source);
    frame->start = now;
    __atomic_store_n(&event->start, now, __ATOMIC_RELEASE); /* from here on it counts */
    return 1;
}

/* The same of two, the inner one in the outer one, at one reading. */
static inline int sp_lane_try_begin_in(int outer, int inner, uint32_t source)
{
    struct sp_spill_event *event = sp_hot.next;
    struct sp_frame *frame = sp_hot.top + 1;
    if (SP_UNLIKELY(sp_hot.ring_end - event < 2) || SP_UNLIKELY((uint32_t)outer >= SP_REGION_LIMIT) ||
        SP_UNLIKELY((uint32_t)inner >= SP_REGION_LIMIT))
        return 0;
    struct sp_path_cache path = sp_hot.cache[(uint32_t)outer], inner_path = sp_hot.cache[(uint32_t)inner];
    if (SP_UNLIKELY(path.parent != frame[-1].node_id) || SP_UNLIKELY(inner_path.parent != path.id))
        return 0;
    frame[0].event = event;
    frame[0].node_id = event[0].node = path.id;
    frame[0].region = (uint32_t)outer;
    frame[1].event = event + 1;
    frame[1].node_id = event[1].node = inner_path.id;
    frame[1].region = (uint32_t)inner;
    event[0].duration = event[1].duration = SP_DURATION_OPEN;
    event[2].start = 0;
    sp_hot.top = frame + 1;
    sp_hot.next = event + 2;
    uint64_t now = sp_clock_now(source);
    frame[0].start = frame[1].start = now;
    event[1].start = now; /* the ring ends before it until the outer one counts */
    __atomic_store_n(&event[0].start, now, __ATOMIC_RELEASE);
    return 1;
}

/* Closes the innermost call of the thread's lane at the reading now. 0, with nothing done, where it is another region's, a begin
 * inside was not recorded, or its event has left the ring or is too short for the duration: sp_lane_end sorts that out. */
static inline int sp_lane_try_end(int region, uint64_t now)
{
    struct sp_frame *frame = sp_hot.top;
    if (SP_UNLIKELY(frame->region != (uint32_t)region))
        return 0;
    uint64_t duration = now - frame->start;
    if (SP_UNLIKELY(duration > INT32_MAX))
        return 0;
    frame->event->duration = (uint32_t)duration;
    sp_hot.top = frame - 1;
    return 1;
}

/* The same in the lane the thread is in, without refusal: makes room, or, where there is no memory, skips the call; ends as the
 * lane's nesting wants it. */
void sp_lane_begin(struct sp_lane *lane, int region);
void sp_lane_end(struct sp_lane *lane, int region, uint64_t now);

/* A begin that is not recorded; its end will be told apart from others. */
void sp_lane_skip(struct sp_lane *lane);

/* Closes a call of the tool's own, with what is open inside, and remembers it, for sp_lane_message. */
void sp_lane_end_call(struct sp_lane *lane, int region, uint64_t now);

/* The same of a call that is one of very many and says nothing (a test answered with no): it is in the statistics, and its event is
 * taken back, if nothing was recorded inside. */
void sp_lane_end_unrecorded(struct sp_lane *lane, int region, uint64_t now);

/* Makes room in the ring of messages: what is in it is summed up, and kept where events are. */
void sp_lane_empty_messages(struct sp_lane *lane);

/* Says what that call carried (members of struct sp_spill_message): one store to the ring of messages. The sums over messages are
 * brought up to date in batches, together with the statistics. */
static inline void sp_lane_message(
    struct sp_lane *lane, int64_t bytes, uint64_t request, int32_t peer, int32_t tag, int32_t communicator, int operation)
{
    struct sp_spill_header *head = &lane->head;
    if (SP_UNLIKELY(lane->ended_id == SP_NODE_NONE))
        return;
    if (SP_UNLIKELY(head->messages_used == SP_SPILL_RING_MESSAGES))
        sp_lane_empty_messages(lane);
    lane->messages[head->messages_used] = (struct sp_spill_message){.event = lane->ended_event,
        .bytes = bytes,
        .request = request,
        .ticks = lane->ended_ticks,
        .peer = peer,
        .tag = tag,
        .communicator = communicator,
        .operation = (uint32_t)operation & 0xf,
        .node = lane->ended_id & 0xfffffff};
    __atomic_store_n(&head->messages_used, head->messages_used + 1, __ATOMIC_RELEASE);
}

/* Events in the ring. */
uint32_t sp_lane_events_used(const struct sp_lane *lane);

/* Ended calls of a region. */
uint64_t sp_lane_calls(struct sp_lane *lane, int region);

/* Ends the record: open calls are counted up to now, statistics brought up to date, the clock's last point set. */
void sp_lane_finish(struct sp_lane *lane, uint64_t now, const struct sp_spill_clock *clock);

#endif
