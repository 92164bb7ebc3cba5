/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* pthread_getattr_np */
#include "sp_walk.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

enum { TABLE = 4096, ROOM = 16, VARIES = -1, UNKNOWN = -2 };

/* Distances by return address; a table that is full takes no more, and what is not in it is unwound. */
static struct {
    const void *site; /* NULL: free; written last */
    int64_t distance; /* to the stack pointer at the caller's call; VARIES; UNKNOWN: seen, but nothing above it yet */
    uint32_t walks;   /* that began here; a few may be lost between threads */
} table[TABLE];
static pthread_mutex_t learning = PTHREAD_MUTEX_INITIALIZER;

static struct {
    _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn, void *);
    _Unwind_Ptr (*ip)(struct _Unwind_Context *);
    _Unwind_Word (*cfa)(struct _Unwind_Context *);
} unwinder;
static int has_unwinder;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The thread's own; end 0: not asked yet. */
static __thread uintptr_t stack_start __attribute__((tls_model("initial-exec")));
static __thread uintptr_t stack_end __attribute__((tls_model("initial-exec")));

static int load(void *library, const char *name, void *pointer)
{
    void *function = library ? dlsym(library, name) : NULL;
    memcpy(pointer, &function, sizeof function);
    return function != NULL;
}

static void load_unwinder(void)
{
    void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
    has_unwinder = load(library, "_Unwind_Backtrace", &unwinder.backtrace) & load(library, "_Unwind_GetIP", &unwinder.ip) &
        load(library, "_Unwind_GetCFA", &unwinder.cfa);
}

static void find_stack_end(void)
{
    pthread_attr_t attributes;
    void *start;
    size_t bytes;
    stack_end = 1;
    stack_start = UINTPTR_MAX;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &start, &bytes) == 0) {
        stack_start = (uintptr_t)start;
        stack_end = stack_start + bytes;
    }
    pthread_attr_destroy(&attributes);
}

/* Its place, or the free one where it would stand; -1: the table is full there. */
static int place_of(const void *site)
{
    uint64_t hash = (uint64_t)(uintptr_t)site * 0x9e3779b97f4a7c15u >> 40;
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t place = (uint32_t)(hash + i) % TABLE;
        const void *found = __atomic_load_n(&table[place].site, __ATOMIC_ACQUIRE);
        if (!found || found == site)
            return (int)place;
    }
    return -1;
}

static int64_t distance_of(const void *site)
{
    int place = place_of(site);
    if (place < 0 || !__atomic_load_n(&table[place].site, __ATOMIC_ACQUIRE))
        return VARIES;
    return __atomic_load_n(&table[place].distance, __ATOMIC_RELAXED);
}

static int is_known(const void *site)
{
    int place = place_of(site);
    return place >= 0 && __atomic_load_n(&table[place].site, __ATOMIC_ACQUIRE) == site;
}

static void learn_at(int place, const void *site, int64_t distance)
{
    int64_t known = __atomic_load_n(&table[place].distance, __ATOMIC_RELAXED);
    if (__atomic_load_n(&table[place].site, __ATOMIC_RELAXED) != site) {
        __atomic_store_n(&table[place].distance, distance, __ATOMIC_RELAXED);
        __atomic_store_n(&table[place].site, site, __ATOMIC_RELEASE);
    } else if (distance != UNKNOWN && known != distance) {
        __atomic_store_n(&table[place].distance, known == UNKNOWN ? distance : VARIES, __ATOMIC_RELAXED);
    }
}

static void learn(const void *site, int64_t distance)
{
    pthread_mutex_lock(&learning);
    int place = place_of(site);
    if (place >= 0)
        learn_at(place, site, distance);
    pthread_mutex_unlock(&learning);
}

/* Whether a walk that begins at a site is to be unwound in any case. */
static int is_to_be_checked(const void *site)
{
    int place = place_of(site);
    if (place < 0)
        return 1;
    uint32_t walks = __atomic_load_n(&table[place].walks, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&table[place].walks, walks, __ATOMIC_RELAXED);
    return walks <= 16 || walks % 1024 == 0;
}

struct unwinding {
    const void *site, *stack;
    const void *ips[ROOM + 1], *stacks[ROOM + 1];
    int count, wanted;
};

/* The unwinder tells, frame by frame, where it will go on and with which stack pointer. */
static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *data)
{
    struct unwinding *u = data;
    const void *ip = (const void *)unwinder.ip(context), *stack = (const void *)unwinder.cfa(context);
    if (u->count == 0 && (ip != u->site || stack != u->stack))
        return _URC_NO_REASON; /* our own frames */
    u->ips[u->count] = ip;
    u->stacks[u->count++] = stack;
    return u->count == u->wanted ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/* A distance holds where the return address stands right below the caller's stack pointer, as on x86-64. */
static int64_t distance_between(const struct unwinding *u, int i)
{
    const char *from = u->stacks[i], *to = u->stacks[i + 1];
    const void *stored = NULL;
    if (to - from < (int64_t)sizeof stored)
        return VARIES;
    memcpy(&stored, to - sizeof stored, sizeof stored);
    return stored == u->ips[i + 1] ? to - from : VARIES;
}

static __attribute__((noinline)) int unwind(const void *site, const void *stack, const void **callers, int room)
{
    struct unwinding u = {.site = site, .stack = stack, .wanted = room + 1};
    pthread_once(&once, load_unwinder);
    if (!has_unwinder)
        return 0;
    unwinder.backtrace(take_frame, &u);
    for (int i = 0; i + 1 < u.count; i++) {
        learn(u.ips[i], distance_between(&u, i));
        callers[i] = u.ips[i + 1];
    }
    if (u.count > 0)
        learn(u.ips[u.count - 1], UNKNOWN);
    return u.count > 0 ? u.count - 1 : 0;
}

int sp_walk(const void *site, const void *stack, const void **callers, int room)
{
    const void *ip = site;
    const char *at = stack;
    if (room > ROOM)
        room = ROOM;
    if (stack_end == 0)
        find_stack_end();
    if ((uintptr_t)at < stack_start || (uintptr_t)at >= stack_end || is_to_be_checked(site))
        return unwind(site, stack, callers, room);
    for (int i = 0; i < room; i++) {
        int64_t distance = distance_of(ip);
        if (distance <= 0 || (uint64_t)distance > stack_end - (uintptr_t)at)
            return unwind(site, stack, callers, room);
        at += distance;
        memcpy(&ip, at - sizeof ip, sizeof ip);
        if (!is_known(ip))
            return unwind(site, stack, callers, room);
        callers[i] = ip;
    }
    return room;
}
