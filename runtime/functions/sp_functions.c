/* SPDX-License-Identifier: BSD-3-Clause */
/* libsp_functions.so: the hooks of -finstrument-functions. A function's region is found by its address; at its first call it gets its
 * name from the symbol table of the file it came from, so that SP_INCLUDE and SP_EXCLUDE know it. Nothing here relies on a
 * constructor, and nothing holds a lock while it asks the dynamic linker: functions are called before main, and by constructors of
 * libraries that are being loaded. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "sp_addresses.h"
#include "sp_function_name.h"
#include "sp_internal.h"
#include "sp_symbols.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void __cyg_profile_func_enter(void *function, void *call_site) __attribute__((visibility("default")));
void __cyg_profile_func_exit(void *function, void *call_site) __attribute__((visibility("default")));

/* The executable or a library that functions were called of; the list only grows. */
struct module {
    uintptr_t base;
    struct sp_symbols *symbols; /* NULL: none that can be read */
    const char *path;
    struct module *next;
};

static struct module *modules;
static int module_count;

/* Set while a thread looks a function up: what is called meanwhile (an allocator, say) may be instrumented itself. */
static __thread int is_busy __attribute__((tls_model("initial-exec")));

struct place {
    const void *address;
    uintptr_t base;
    int is_executable, is_found, objects;
    char path[4096], build_id[64];
};

static int covers(const struct dl_phdr_info *object, const void *address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = (uintptr_t)(object->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_LOAD && (uintptr_t)address >= start && (uintptr_t)address - start < segment->p_memsz)
            return 1;
    }
    return 0;
}

static void read_build_id(const struct dl_phdr_info *object, struct place *place)
{
    for (int i = 0; i < object->dlpi_phnum && !place->build_id[0]; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE)
            sp_symbols_build_id((const void *)(uintptr_t)(object->dlpi_addr + segment->p_vaddr), (size_t)segment->p_memsz, place->build_id,
                sizeof place->build_id);
    }
}

/* The executable comes first. */
static int look_at(struct dl_phdr_info *object, size_t size, void *data)
{
    struct place *place = data;
    (void)size;
    if (!covers(object, place->address)) {
        place->objects++;
        return 0;
    }
    place->is_found = 1;
    place->is_executable = place->objects == 0;
    place->base = (uintptr_t)object->dlpi_addr;
    snprintf(place->path, sizeof place->path, "%s", place->is_executable ? "/proc/self/exe" : object->dlpi_name);
    read_build_id(object, place);
    return 1;
}

static void describe(const struct scope_profiler_runtime *runtime, const struct place *place)
{
    char key[32], value[4400], path[4096];
    ssize_t n = place->is_executable ? readlink(place->path, path, sizeof path - 1) : -1;
    path[n > 0 ? n : 0] = '\0';
    snprintf(key, sizeof key, "functions_module_%d", __atomic_fetch_add(&module_count, 1, __ATOMIC_RELAXED));
    snprintf(value, sizeof value, "base=0x%llx build_id=%s path=%s", (unsigned long long)place->base,
        place->build_id[0] ? place->build_id : "none", n > 0 ? path : place->path);
    runtime->metadata(key, value);
}

/* Symbols that belong to another build than what is loaded would name other functions. */
static struct sp_symbols *open_symbols(const struct place *place)
{
    char id[64];
    struct sp_symbols *symbols = sp_symbols_open(place->path);
    if (!symbols || !place->build_id[0])
        return symbols;
    sp_symbols_file_id(symbols, id, sizeof id);
    if (strcmp(id, place->build_id) == 0)
        return symbols;
    sp_symbols_close(symbols);
    return NULL;
}

static struct module *find_module(const struct place *place)
{
    for (struct module *module = __atomic_load_n(&modules, __ATOMIC_ACQUIRE); module; module = module->next)
        if (module->base == place->base && strcmp(module->path, place->path) == 0)
            return module;
    return NULL;
}

/* Two threads may make the same one at the same time, which harms nothing. */
static struct module *module_of(const struct scope_profiler_runtime *runtime, const struct place *place)
{
    struct module *module = find_module(place);
    if (module || !(module = calloc(1, sizeof *module)))
        return module;
    module->base = place->base;
    module->path = strdup(place->path);
    if (!module->path) {
        free(module);
        return NULL;
    }
    module->symbols = open_symbols(place);
    module->next = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&modules, &module->next, module, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        continue;
    describe(runtime, place);
    return module;
}

static const char *file_name(const struct place *place)
{
    const char *slash = strrchr(place->path, '/');
    if (place->is_executable)
        return "executable";
    return slash ? slash + 1 : place->path;
}

static int make_region(const struct scope_profiler_runtime *runtime, const void *function, const char *which)
{
    char name[4096];
    struct place place = {.address = function};
    dl_iterate_phdr(look_at, &place);
    if (!place.is_found || (!place.is_executable && strcmp(which, "all") != 0))
        return SP_INVALID_REGION;
    const struct module *module = module_of(runtime, &place);
    uint64_t address = (uint64_t)((uintptr_t)function - place.base);
    const char *symbol = module ? sp_symbols_name(module->symbols, address) : NULL;
    if (symbol)
        sp_function_name(symbol, name, sizeof name);
    else
        snprintf(name, sizeof name, "%.3000s+0x%llx", file_name(&place), (unsigned long long)address);
    struct sp_region_key key = {.name = name, .name_bytes = strlen(name), .line = -1, .kind = SP_REGION_FUNCTION};
    return runtime->internal->region(&key);
}

static int find_region(const void *function)
{
    const struct scope_profiler_runtime *runtime = sp_runtime_();
    int region = SP_INVALID_REGION;
    if (runtime && runtime->internal->version == SP_INTERNAL_VERSION && !runtime->internal->is_off()) {
        const char *which = runtime->internal->config()->functions;
        if (strcmp(which, "off") != 0)
            region = make_region(runtime, function, which);
    }
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
