/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_callsite.h"
#include "sp_addresses.h"
#include "sp_call.h"
#include "sp_module.h"

#include <stdio.h>
#include <string.h>

/* The site that this thread is in. */
static __thread struct {
    uint64_t ended;
    int region, is_recorded;
} open_site __attribute__((tls_model("initial-exec")));

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

void sp_callsite_begin(int region, const void *site)
{
    int site_region = site ? sp_addresses_find(&sp_addresses, site) : -1;
    if (site_region == SP_ADDRESS_UNKNOWN)
        site_region = look_up(site, region);
    open_site.region = site_region;
    if (site_region >= 0)
        sp_call_runtime->begin_in(site_region, region);
    else
        sp_call_runtime->begin(region);
}

void sp_callsite_end(int region, uint64_t now, int is_recorded)
{
    open_site.ended = now;
    open_site.is_recorded = is_recorded;
    (is_recorded ? sp_call_runtime->end : sp_call_runtime->end_unrecorded)(region, now);
}

void sp_callsite_leave(void)
{
    if (open_site.region >= 0)
        (open_site.is_recorded ? sp_call_runtime->end : sp_call_runtime->end_unrecorded)(open_site.region, open_site.ended);
}
