/* SPDX-License-Identifier: BSD-3-Clause */
/* libsp_functions.so: the hooks of -finstrument-functions. A function's region is found by its address; its name is looked up after
 * the run, by whoever writes the file (sp_names.h), and during it only where SP_INCLUDE or SP_EXCLUDE must know it. Nothing here
 * relies on a constructor, and nothing holds a lock while it asks the dynamic linker: functions are called before main, and by
 * constructors of libraries that are being loaded. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "sp_addresses.h"
#include "sp_internal.h"
#include "sp_module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void __cyg_profile_func_enter(void *function, void *call_site) __attribute__((visibility("default")));
void __cyg_profile_func_exit(void *function, void *call_site) __attribute__((visibility("default")));
__attribute__((visibility("default"))) int dlclose(void *handle);

/* Set while a thread looks a function up: what is called meanwhile (an allocator, say) may be instrumented itself. */
static __thread int is_busy __attribute__((tls_model("initial-exec")));

static void describe(const struct scope_profiler_runtime *runtime, const struct sp_module *module)
{
    char key[32], value[4400];
    const char *path = module->path, *slash = strrchr(path, '/');
    if (strcmp(runtime->internal->config()->metadata, "minimal") == 0 && slash)
        path = slash + 1;
    snprintf(key, sizeof key, "functions_module_%d", module->number);
    snprintf(value, sizeof value, "base=0x%llx build_id=%s path=%s", (unsigned long long)module->base,
        strpbrk(module->id, ".-") ? "none" : module->id, path);
    runtime->metadata(key, value);
}

static int is_filtered(const struct sp_config *config)
{
    return config->include[0] != '\0' || config->exclude[0] != '\0';
}

static int make_region(const struct scope_profiler_runtime *runtime, const void *function)
{
    const struct sp_config *config = runtime->internal->config();
    char name[4300], filtered[4096];
    int is_new;
    const struct sp_module *module = sp_module_of(function, strcmp(config->functions, "all") == 0, &is_new);
    if (!module)
        return SP_INVALID_REGION;
    if (is_new)
        describe(runtime, module);
    snprintf(name, sizeof name, "%s %s+0x%llx", module->id, module->path, (unsigned long long)((uintptr_t)function - module->base));
    struct sp_region_key key = {.name = name, .name_bytes = strlen(name), .line = SP_SPILL_LINE_LATER, .kind = SP_REGION_FUNCTION};
    if (is_filtered(config))
        key.filtered_as = sp_module_name(module, function, filtered, sizeof filtered);
    return runtime->internal->region(&key);
}

static int find_region(const void *function)
{
    const struct scope_profiler_runtime *runtime = sp_runtime_();
    int region = SP_INVALID_REGION;
    if (runtime && runtime->internal->version == SP_INTERNAL_VERSION && !runtime->internal->is_off() &&
        strcmp(runtime->internal->config()->functions, "off") != 0)
        region = make_region(runtime, function);
    sp_addresses_add(&sp_addresses, function, region);
    return region;
}

static __attribute__((noinline, cold)) int look_up(const void *function)
{
    is_busy = 1;
    int region = find_region(function);
    is_busy = 0;
    return region;
}

static inline int region_of(const void *function)
{
    int region = sp_addresses_find(&sp_addresses, function);
    return region == SP_ADDRESS_UNKNOWN ? look_up(function) : region;
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
    (void)call_site;
    if (!is_busy)
        sp_begin(region_of(function));
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
    (void)call_site;
    if (!is_busy)
        sp_end(region_of(function));
}

static void forget(const void *start, const void *end)
{
    sp_addresses_forget(&sp_addresses, start, end);
}

/* Where a library was, another may be loaded next, whose functions are not the first one's. */
int dlclose(void *handle)
{
    int (*real)(void *);
    *(void **)&real = dlsym(RTLD_NEXT, "dlclose");
    if (!real)
        return -1;
    int status = real(handle), was_busy = is_busy;
    is_busy = 1;
    sp_module_forget_unloaded(forget);
    is_busy = was_busy;
    return status;
}
