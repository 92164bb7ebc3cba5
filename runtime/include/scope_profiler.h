/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCOPE_PROFILER_H
#define SCOPE_PROFILER_H

/* Regions of a program, for scope-profiler. Header only, C99 and C++: nothing to link but libc (and libdl where that is apart).
 * Where the runtime is in the process (libsp.so, by LD_PRELOAD or linked) the calls record; where it is not they are a predicted
 * branch. -DSP_DISABLE_PROFILING removes them altogether.
 *
 *     SP_BEGIN("solve"); ... SP_END("solve");          a region by name, its handle kept at the call site
 *     int r = sp_region("solve"); sp_begin(r); ... sp_end(r);
 *     SP_SCOPE("solve");                               until the end of the block, on every way out (GCC, Clang)
 *
 * Any call from any thread, before and after a run, is harmless. Regions nest; an end closes the region it names and what was
 * left open inside. Names are any bytes up to 64 KiB.
 *
 * The names are those of scope-profiler's own C API, so that a program written for it compiles against this header and records.
 * What differs follows from one runtime a process: contexts (scope_profiler_contexts.h) share its file and its regions. */

#include <stddef.h>
#include <stdint.h>

#define SP_INVALID_REGION (-1)
#define SP_FORMAT_VERSION 2 /* as scope-profiler's own header says it; our files tell their own */

typedef enum sp_status {
    SP_OK = 0,
    SP_ERR_INACTIVE = 1,
    SP_ERR_NO_CLOCK = 2,
    SP_ERR_NO_MEMORY = 3,
    SP_ERR_IO = 4,
    SP_ERR_UNMATCHED_END = 5,
    SP_ERR_OPEN_SCOPES = 6,
    SP_ERR_UNSUPPORTED = 7
} sp_status;

/* Completed calls of a region. */
typedef struct sp_region_stats {
    int64_t calls;
    int64_t total_ns;
    int64_t min_ns, max_ns; /* 0 where there was no call */
} sp_region_stats;

/* A context, see scope_profiler_contexts.h; a call that one of its scopes began; and what a file is, HDF5 always. */
typedef struct sp_profiler sp_profiler;
typedef struct sp_scope {
    sp_profiler *profiler;
    int region;
    int64_t slot; /* -1: nothing left to end */
} sp_scope;
typedef enum sp_output_format { SP_OUTPUT_HDF5 = 0, SP_OUTPUT_TRACE = 1 } sp_output_format;

#ifdef __cplusplus
extern "C" {
#endif

struct sp_runtime_internal;

/* The hot pair as a translation unit calls it. The runtime knows each and puts functions into it that do what is wanted now: record,
 * pass over while paused, or nothing. So the pair asks nobody, and no call waits for a table to be loaded. */
struct sp_pair_ {
    void (*begin)(int region);
    void (*end)(int region);
};

/* The runtime's one table; looked up once, never linked. Members are only ever added at its end. */
struct scope_profiler_runtime {
    uint32_t version;
    uint32_t bytes;
    void (*begin)(int region);
    void (*end)(int region);
    int (*region)(const char *name, const char *file, int line, const char *tags);
    int (*init)(const char *prefix, int rank);
    int (*finalize)(void);
    void (*pause)(void);
    void (*resume)(void);
    int (*metadata)(const char *key, const char *value);
    int64_t (*now_ns)(void);
    int64_t (*num_calls)(int region);
    int (*is_active)(void);
    const char *(*output_path)(void);
    void (*end_last)(void);
    void (*attach)(struct sp_pair_ *pair); /* sets it now and whenever that changes, for as long as its object is loaded */
    const struct sp_runtime_internal *internal; /* for libsp_pmpi.so of the same build */
    int (*opt_in_tag)(const char *tag);
    int (*work)(double work);
    int (*phase)(const char *name, int64_t index);
    int (*set)(const char *key, const char *value);
    int (*region_stats)(int region, sp_region_stats *stats);
    int (*flush)(void);
    int (*reset)(void);
    int (*region_count)(void);
    const char *(*region_name)(int region);
    int (*checked_end)(int region);                  /* below 0: the innermost */
    int64_t (*scope_begin)(int region);              /* number of the call, below 0 none */
    int (*scope_end)(int region, int64_t *call);     /* sets it to -1 where there is nothing left to end */
    sp_profiler *(*open_context)(const char *prefix, int rank); /* prefix NULL: the default one */
    int (*finalize_context)(sp_profiler *profiler);
    void (*close_context)(sp_profiler *profiler);
};

#ifdef __cplusplus
}
#endif

#include <dlfcn.h>

/* CLOCK_MONOTONIC in ns; found by name, since C99 alone does not declare it. */
static inline int64_t sp_monotonic_ns_(void)
{
    typedef int clock_function(int, long *);
    static clock_function *function;
    long seconds_and_ns[2] = {0, 0};
    clock_function *found = __atomic_load_n(&function, __ATOMIC_RELAXED);
    if (!found) {
        *(void **)&found = dlsym((void *)0, "clock_gettime");
        __atomic_store_n(&function, found, __ATOMIC_RELAXED);
    }
    if (found)
        found(1, seconds_and_ns);
    return (int64_t)seconds_and_ns[0] * 1000000000 + seconds_and_ns[1];
}

/* What a status says, never NULL. */
static inline const char *sp_error_string(int status)
{
    switch (status) {
    case SP_OK: return "no error";
    case SP_ERR_INACTIVE: return "not recording";
    case SP_ERR_NO_CLOCK: return "no clock";
    case SP_ERR_NO_MEMORY: return "out of memory";
    case SP_ERR_IO: return "the file could not be written";
    case SP_ERR_UNMATCHED_END: return "end of a call that is not open";
    case SP_ERR_OPEN_SCOPES: return "refused while regions are open";
    case SP_ERR_UNSUPPORTED: return "not supported";
    default: return "unknown status";
    }
}

#ifndef SP_DISABLE_PROFILING

#define SP_HANDLE_UNKNOWN_ (-2)

/* The runtime's table, NULL where there is none. */
static inline const struct scope_profiler_runtime *sp_runtime_(void)
{
    static const struct scope_profiler_runtime *table;
    static int looked;
    if (__atomic_load_n(&looked, __ATOMIC_ACQUIRE))
        return table;
    const struct scope_profiler_runtime *found =
        (const struct scope_profiler_runtime *)dlsym((void *)0, "scope_profiler_runtime_1");
    __atomic_store_n(&table, found, __ATOMIC_RELAXED);
    __atomic_store_n(&looked, 1, __ATOMIC_RELEASE);
    return found;
}

/* The same, NULL too where the runtime is older than this header and its table ends before a member. */
#define SP_RUNTIME_WITH_(member) sp_runtime_of_(offsetof(struct scope_profiler_runtime, member) + sizeof(void (*)(void)))

static inline const struct scope_profiler_runtime *sp_runtime_of_(size_t bytes)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r && r->bytes >= bytes ? r : NULL;
}

static inline struct sp_pair_ *sp_own_pair_(void);

static inline void sp_ignore_(int region)
{
    (void)region;
}

static inline void sp_first_begin_(int region);
static inline void sp_first_end_(int region);

/* The runtime fills the pair in. Where it did not there is nothing to call; other threads may use the pair meanwhile. */
static inline void sp_find_pair_(void)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    struct sp_pair_ *pair = sp_own_pair_(), first = {sp_first_begin_, sp_first_end_};
    if (r)
        r->attach(pair);
    __atomic_compare_exchange_n(&pair->begin, &first.begin, &sp_ignore_, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&pair->end, &first.end, &sp_ignore_, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Where a translation unit's pair starts: the first call finds the functions. */
static inline void sp_first_begin_(int region)
{
    sp_find_pair_();
    __atomic_load_n(&sp_own_pair_()->begin, __ATOMIC_RELAXED)(region);
}

static inline void sp_first_end_(int region)
{
    sp_find_pair_();
    __atomic_load_n(&sp_own_pair_()->end, __ATOMIC_RELAXED)(region);
}

static inline struct sp_pair_ *sp_own_pair_(void)
{
    static struct sp_pair_ pair = {sp_first_begin_, sp_first_end_};
    return &pair;
}

/* Handle of a region, or SP_INVALID_REGION where there is no runtime or the region is not wanted; file and line say where it is. */
static inline int sp_region_at(const char *name, const char *file, int line)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r ? r->region(name, file, line, NULL) : SP_INVALID_REGION;
}

static inline int sp_region(const char *name)
{
    return sp_region_at(name, NULL, -1);
}

/* With comma-separated tags, by which SP_TAGS chooses. */
static inline int sp_region_tagged(const char *name, const char *tags)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r ? r->region(name, NULL, -1, tags) : SP_INVALID_REGION;
}

/* Regions with this tag are recorded only where SP_ENABLE_TAGS names it; to be said before they are made. */
static inline int sp_register_opt_in_tag(const char *tag)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(opt_in_tag);
    return r ? r->opt_in_tag(tag) : SP_OK;
}

#define SP_RARELY_(x) __builtin_expect(!!(x), 0)

static inline void sp_begin(int region)
{
    if (SP_RARELY_(region >= 0))
        __atomic_load_n(&sp_own_pair_()->begin, __ATOMIC_RELAXED)(region);
}

static inline void sp_end(int region)
{
    if (SP_RARELY_(region >= 0))
        __atomic_load_n(&sp_own_pair_()->end, __ATOMIC_RELAXED)(region);
}

/* Ends the innermost open region of this thread. */
static inline void sp_end_last(void)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    if (r)
        r->end_last();
}

/* Starts and ends the record of a program without MPI: one file, PREFIX_rank00000.h5 by default. With MPI they do nothing. */
static inline int sp_init(const char *prefix, int rank)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r ? r->init(prefix, rank) : SP_OK;
}

static inline int sp_finalize(void)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r ? r->finalize() : SP_OK;
}

/* Between the two, begins are not recorded; regions that are open stay so. */
static inline void sp_pause(void)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    if (r)
        r->pause();
}

static inline void sp_resume(void)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    if (r)
        r->resume();
}

/* The next iteration of a loop on this thread: ends the phase's previous one and begins this one; index < 0 only ends. */
static inline int sp_phase(const char *name, int64_t index)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(phase);
    return r ? r->phase(name, index) : SP_OK;
}

/* Work this process has done, in a unit of its own, for efficiency per work; the last value counts. */
static inline int sp_work(double work)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(work);
    return r ? r->work(work) : SP_OK;
}

/* Says what a variable SP_KEY would, before MPI_Init or sp_init; the environment and SP_CONFIG win. Key: "SP_OUTPUT" or "output".
 * SP_ERR_UNSUPPORTED where there is no such setting or it is too late for it. */
static inline int sp_set(const char *key, const char *value)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(set);
    return r ? r->set(key, value) : SP_OK;
}

/* Adds an entry to the run's metadata. */
static inline int sp_metadata(const char *key, const char *value)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r ? r->metadata(key, value) : SP_OK;
}

/* ns of a monotonic clock, also without a runtime. */
static inline int64_t sp_now_ns(void)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r ? r->now_ns() : sp_monotonic_ns_();
}

/* Calls of a region that this thread, and threads that have ended, began since the last sp_reset. */
static inline int64_t sp_num_calls(int region)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r && region >= 0 ? r->num_calls(region) : 0;
}

/* Their completed calls. min_ns and max_ns are of the whole run. SP_ERR_INACTIVE for a handle that sp_region never gave. */
static inline int sp_get_region_stats(int region, sp_region_stats *stats)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(region_stats);
    if (stats)
        stats->calls = stats->total_ns = stats->min_ns = stats->max_ns = 0;
    return r ? r->region_stats(region, stats) : SP_OK;
}

/* Brings what has been recorded to disk, where sp-merge finds it even after a crash of the machine. */
static inline int sp_flush(void)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(flush);
    return r ? r->flush() : SP_OK;
}

/* From here on sp_num_calls and sp_get_region_stats count anew; the run's file keeps all. SP_ERR_OPEN_SCOPES, and nothing done,
 * while a region of this thread is open. */
static inline int sp_reset(void)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(reset);
    return r ? r->reset() : SP_OK;
}

static inline int sp_is_active(void)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r ? r->is_active() : 0;
}

/* Name of the run's file, "" while there is none. */
static inline const char *sp_output_path(void)
{
    const struct scope_profiler_runtime *r = sp_runtime_();
    return r ? r->output_path() : "";
}

static inline int sp_handle_(int *handle, const char *name, const char *file, int line)
{
    int region = __atomic_load_n(handle, __ATOMIC_RELAXED);
    if (__builtin_expect(region == SP_HANDLE_UNKNOWN_, 0)) {
        region = sp_region_at(name, file, line);
        __atomic_store_n(handle, region, __ATOMIC_RELAXED);
    }
    return region;
}

#define SP_REGION_AT(name) sp_region_at((name), __FILE__, __LINE__)

#define SP_BEGIN(name) \
    do { \
        static int sp_handle_of_begin_ = SP_HANDLE_UNKNOWN_; \
        sp_begin(sp_handle_(&sp_handle_of_begin_, (name), __FILE__, __LINE__)); \
    } while (0)

#define SP_END(name) \
    do { \
        static int sp_handle_of_end_ = SP_HANDLE_UNKNOWN_; \
        sp_end(sp_handle_(&sp_handle_of_end_, (name), __FILE__, __LINE__)); \
    } while (0)

static inline void sp_close_scope_(const int *region)
{
    sp_end(*region);
}

#define SP_JOIN2_(a, b) a##b
#define SP_JOIN_(a, b) SP_JOIN2_(a, b)
#define SP_SCOPE(name) \
    static int SP_JOIN_(sp_handle_of_scope_, __LINE__) = SP_HANDLE_UNKNOWN_; \
    __attribute__((cleanup(sp_close_scope_), unused)) const int SP_JOIN_(sp_scope_, __LINE__) = \
        sp_handle_(&SP_JOIN_(sp_handle_of_scope_, __LINE__), (name), __FILE__, __LINE__); \
    sp_begin(SP_JOIN_(sp_scope_, __LINE__))
#define SP_FUNCTION() SP_SCOPE(__func__)

#include "scope_profiler_contexts.h"

#else
#include "scope_profiler_disabled.h"
#endif

#endif
