/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_callsite.h"
#include "sp_addresses.h"
#include "sp_call.h"
#include "sp_module.h"
#include "sp_walk.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 8 };

/* The sites that this thread is in, the call's own first. */
static __thread struct {
    uint64_t ended;
    int regions[DEEPEST], count, is_recorded;
} open_sites __attribute__((tls_model("initial-exec")));

static int depth = 1;

/* Named after the call instruction's last byte: the return address may be of the next line, or of another function. */
static int make_region(const void *site, const char *function)
{
    char name[4300];
    int is_new;
    const struct sp_module *module = sp_module_of(site, 1, &is_new);
    if (!module)
        return -1;
    snprintf(name, sizeof name, "%s %s@0x%llx", module->id, module->path, (unsigned long long)((uintptr_t)site - 1 - module->base));
    struct sp_region_key key = {
        .name = name, .name_bytes = strlen(name), .filtered_as = function, .line = SP_SPILL_LINE_LATER, .kind = SP_REGION_FUNCTION};
    return sp_call_runtime->region(&key);
}

static __attribute__((noinline, cold)) int look_up(const void *site, int region)
{
    int made = make_region(site, sp_entry_region_name(region));
    sp_addresses_add(&sp_addresses, site, made);
    return made;
}

void sp_callsite_set_depth(int levels)
{
    depth = levels < DEEPEST ? levels : DEEPEST;
}

static int region_of(const void *site, int region)
{
    int found = sp_addresses_find(&sp_addresses, site);
    return found == SP_ADDRESS_UNKNOWN ? look_up(site, region) : found;
}

/* The callers', from the call outwards; those that are not recorded are left out. */
static void find_callers(int region, const void *site, const void *stack)
{
    const void *callers[DEEPEST];
    int count = sp_walk(site, stack, callers, depth - 1);
    for (int i = 0; i < count; i++) {
        int found = region_of(callers[i], region);
        if (found >= 0)
            open_sites.regions[open_sites.count++] = found;
    }
}

void sp_callsite_begin(int region, const void *site, const void *stack)
{
    int own = site ? region_of(site, region) : -1;
    open_sites.count = 0;
    if (own >= 0)
        open_sites.regions[open_sites.count++] = own;
    if (__builtin_expect(site && depth > 1, 0)) {
        find_callers(region, site, stack);
        for (int i = open_sites.count - 1; i > 0; i--)
            sp_call_runtime->begin(open_sites.regions[i]);
    }
    if (open_sites.count > 0)
        sp_call_runtime->begin_in(open_sites.regions[0], region);
    else
        sp_call_runtime->begin(region);
}

void sp_callsite_end(int region, uint64_t now, int is_recorded)
{
    open_sites.ended = now;
    open_sites.is_recorded = is_recorded;
    (is_recorded ? sp_call_runtime->end : sp_call_runtime->end_unrecorded)(region, now);
}

void sp_callsite_leave(void)
{
    for (int i = 0; i < open_sites.count; i++)
        (open_sites.is_recorded ? sp_call_runtime->end : sp_call_runtime->end_unrecorded)(open_sites.regions[i], open_sites.ended);
}
