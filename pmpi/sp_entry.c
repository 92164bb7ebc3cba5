/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr */
#include "sp_entry.h"
#include "sp_call.h"
#include "sp_mpi.h"
#include "sp_barrier.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct entry_name {
    const char *name, *real_name;
    enum sp_call call;
};

static const struct entry_name entry_names[SP_ENTRY_COUNT] = {
#include "sp_entry_names.inc"
};

static const struct {
    const char *name;
    enum sp_group group;
    int keeps; /* our books, which need the call where its group is off */
    int syncs; /* a blocking collective */
} calls[SP_CALL_COUNT] = {
#include "sp_call_names.inc"
};

static const char *const group_names[SP_GROUP_COUNT] = {"none", "p2p", "completion", "probe", "collective", "neighbourhood", "rma", "io",
    "comm", "group", "datatype", "topology", "environment", "local"};

extern sp_entry_function *sp_entry_slots[SP_ENTRY_COUNT]; /* sp_entry.S */

sp_entry_function *sp_entry_real[SP_ENTRY_COUNT];
const struct sp_runtime_internal *sp_call_runtime;
uint32_t sp_call_clock;
int sp_call_follows;
int sp_call_regions[SP_CALL_COUNT];
__thread int sp_call_depth __attribute__((tls_model("initial-exec")));

extern const struct scope_profiler_runtime scope_profiler_runtime_1;

static int records; /* anything at all */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Is a group among the comma-separated names? An empty list: all but the local queries. */
static int is_listed(const char *list, enum sp_group group)
{
    const char *name = group_names[group];
    if (!list[0])
        return group != SP_GROUP_LOCAL;
    for (const char *word = list;; word++) {
        size_t length = strcspn(word, ",");
        if ((length == strlen(name) && strncmp(word, name, length) == 0) || (length == 3 && strncmp(word, "all", 3) == 0))
            return 1;
        word += length;
        if (!*word)
            return 0;
    }
}

static int is_on(enum sp_group group)
{
    return is_listed(sp_call_runtime->config()->mpi_groups, group);
}

/* Without these there is no run. */
static int is_life(enum sp_call call)
{
    return call == SP_CALL_Init || call == SP_CALL_Init_thread || call == SP_CALL_Finalize || call == SP_CALL_Pcontrol;
}

/* Requests are followed for the sake of their completion, persistent collectives for that of their start; the other books
 * (communicators, windows, types) serve all groups, and their calls are rare. */
static int is_kept(enum sp_call call)
{
    if (!calls[call].keeps)
        return 0;
    switch (calls[call].group) {
    case SP_GROUP_P2P:
    case SP_GROUP_PROBE: return is_on(SP_GROUP_COMPLETION);
    case SP_GROUP_COMPLETION: return 0;
    case SP_GROUP_COLLECTIVE:
    case SP_GROUP_NEIGHBOURHOOD: return is_on(SP_GROUP_P2P);
    default: return 1;
    }
}

const char *sp_entry_call_name(enum sp_call call)
{
    return calls[call].name;
}

static void register_calls(void)
{
    for (int i = 0; i < SP_CALL_COUNT; i++)
        sp_call_regions[i] = -1;
}

const char *sp_entry_region_name(int region)
{
    for (int i = 0; i < SP_CALL_COUNT; i++)
        if (sp_call_regions[i] == region || sp_call_regions[i] == SP_CALLSITE_OF(region))
            return calls[i].name;
    return NULL;
}

/* Start and end of a run are called once: who does is no question. */
static int stored_as(enum sp_call call, int region)
{
    return region >= 0 && sp_call_runtime->config()->callsite[0] != '0' && !is_life(call) ? SP_CALLSITE_OF(region) : region;
}

/* The region of a function comes into being with its first call. */
static int region_of(enum sp_call call)
{
    if (sp_call_regions[call] == -1) {
        struct sp_region_key key = {.name = calls[call].name,
            .name_bytes = strlen(calls[call].name),
            .line = -1,
            .kind = SP_REGION_MPI,
            .group = (int)calls[call].group};
        sp_call_regions[call] = stored_as(call, sp_call_runtime->region(&key));
    }
    return sp_call_regions[call];
}

static void initialise(void)
{
    const struct sp_runtime_internal *runtime = scope_profiler_runtime_1.internal;
    register_calls();
    if (scope_profiler_runtime_1.version != 1 || runtime->version != SP_INTERNAL_VERSION || runtime->is_off())
        return;
    if (!sp_mpi_is_ours()) {
        runtime->say("this program runs another MPI than the one libsp_pmpi.so was built for (" SP_MPI_NAME "): it is not recorded");
        return;
    }
    if (sp_mpi_load() < 0) {
        runtime->say("the MPI in this process lacks functions libsp_pmpi.so needs: it is not recorded");
        return;
    }
    sp_clock_read_skew();
    sp_call_runtime = runtime;
    sp_call_clock = runtime->clock_source();
    sp_call_follows = is_on(SP_GROUP_COMPLETION);
    sp_callsite_set_depth(runtime->config()->callsite[0] - '0');
    records = 1;
}

static sp_entry_function *function_of(const char *name)
{
    sp_entry_function *function = NULL;
    void *address = sp_mpi_symbol(name);
    memcpy(&function, &address, sizeof function);
    return function;
}

static const void *library_of(sp_entry_function *function)
{
    Dl_info info;
    void *address;
    memcpy(&address, &function, sizeof address);
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* What a wrapper calls: the profiling twin. Where a library behind us has the function too (another tool), it is that one, which
 * calls MPI in its turn: MPI has both in one library. */
static sp_entry_function *next_of(const struct entry_name *entry)
{
    sp_entry_function *twin = function_of(entry->real_name), *next = function_of(entry->name);
    return twin && next && library_of(next) != library_of(twin) ? next : twin;
}

/* As the dynamic linker does where a function does not exist. */
static void missing(void)
{
    static const char text[] = "scope-profiler: the program calls an MPI function that its MPI does not have\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) > 0)
        _exit(127);
    _exit(127);
}

static sp_entry_function *wrapper_of(uint32_t index)
{
    const struct entry_name *entry = &entry_names[index];
    sp_entry_function *wrapper = sp_entry_wrappers_c[index] ? sp_entry_wrappers_c[index] : sp_entry_wrappers_fortran[index];
    if (!records || !(sp_entry_real[index] = next_of(entry)))
        return NULL;
    if (is_life(entry->call)) {
        region_of(entry->call);
        return wrapper;
    }
    if (is_on(calls[entry->call].group) && region_of(entry->call) != -1)
        return wrapper;
    return is_kept(entry->call) || (calls[entry->call].syncs && sp_barrier_is_on) ? wrapper : NULL;
}

sp_entry_function *sp_entry_resolve(uint32_t index)
{
    pthread_once(&once, initialise);
    sp_entry_function *target = wrapper_of(index);
    if (!target)
        target = function_of(entry_names[index].name);
    if (!target)
        target = function_of(entry_names[index].real_name);
    if (!target)
        target = missing;
    __atomic_store_n(&sp_entry_slots[index], target, __ATOMIC_RELEASE);
    return target;
}
