/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "sp_module.h"
#include "sp_function_name.h"
#include "sp_symbols.h"

#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct sp_module *modules; /* only grows */
static int module_count;

struct place {
    const void *address;
    uintptr_t base, start, end;
    int is_executable, is_found, objects;
    char path[4096], id[64];
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

static void read_segments(const struct dl_phdr_info *object, struct place *place)
{
    place->base = (uintptr_t)object->dlpi_addr;
    place->start = UINTPTR_MAX;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = (uintptr_t)(object->dlpi_addr + segment->p_vaddr), end = start + (uintptr_t)segment->p_memsz;
        if (segment->p_type == PT_NOTE && !place->id[0])
            sp_symbols_build_id((const void *)start, (size_t)segment->p_memsz, place->id, sizeof place->id);
        if (segment->p_type != PT_LOAD)
            continue;
        place->start = start < place->start ? start : place->start;
        place->end = end > place->end ? end : place->end;
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
    snprintf(place->path, sizeof place->path, "%s", place->is_executable ? "/proc/self/exe" : object->dlpi_name);
    read_segments(object, place);
    return 1;
}

static struct sp_module *find(const struct place *place)
{
    for (struct sp_module *module = __atomic_load_n(&modules, __ATOMIC_ACQUIRE); module; module = module->next)
        if (!__atomic_load_n(&module->is_gone, __ATOMIC_RELAXED) && module->base == place->base && module->start == place->start)
            return module;
    return NULL;
}

/* Without a build id a file is told by its size and time. */
static char *make_id(const struct place *place)
{
    char id[64];
    struct stat s;
    if (place->id[0])
        return strdup(place->id);
    if (stat(place->path, &s) < 0)
        return strdup("-");
    sp_symbols_stat_id(&s, id, sizeof id);
    return strdup(id);
}

/* The path as others will find it, whatever the working directory is then. */
static char *make_path(const struct place *place)
{
    char target[4096];
    if (!place->is_executable) {
        char *path = realpath(place->path, NULL);
        return path ? path : strdup(place->path);
    }
    ssize_t n = readlink(place->path, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    return strdup(n > 0 ? target : place->path);
}

static void destroy(struct sp_module *module)
{
    free(module->path);
    free(module->id);
    free(module);
}

/* Two threads may make the same one at the same time, which harms nothing. */
static struct sp_module *make(const struct place *place)
{
    struct sp_module *module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    *module = (struct sp_module){.base = place->base, .start = place->start, .end = place->end, .is_executable = place->is_executable};
    module->path = make_path(place);
    module->id = make_id(place);
    if (!module->path || !module->id) {
        destroy(module);
        return NULL;
    }
    module->number = __atomic_fetch_add(&module_count, 1, __ATOMIC_RELAXED);
    module->next = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&modules, &module->next, module, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        continue;
    return module;
}

const struct sp_module *sp_module_of(const void *address, int with_libraries, int *is_new)
{
    struct place place = {.address = address};
    *is_new = 0;
    dl_iterate_phdr(look_at, &place);
    if (!place.is_found || (!place.is_executable && !with_libraries))
        return NULL;
    struct sp_module *module = find(&place);
    if (module)
        return module;
    module = make(&place);
    *is_new = module != NULL;
    return module;
}

/* Symbols that belong to another build than what is loaded would name other functions. */
static struct sp_symbols *open_symbols(const struct sp_module *module)
{
    struct sp_symbols *symbols = sp_symbols_open(module->is_executable ? "/proc/self/exe" : module->path);
    if (!symbols || sp_symbols_have_id(symbols, module->id))
        return symbols;
    sp_symbols_close(symbols);
    return NULL;
}

static const struct sp_symbols *symbols_of(struct sp_module *module)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!module->has_tried_symbols)
        module->symbols = open_symbols(module);
    module->has_tried_symbols = 1;
    pthread_mutex_unlock(&lock);
    return module->symbols;
}

const char *sp_module_name(const struct sp_module *module, const void *address, char *name, size_t room)
{
    uint64_t offset = (uint64_t)((uintptr_t)address - module->base);
    const char *symbol = sp_symbols_name(symbols_of((struct sp_module *)(uintptr_t)module), offset);
    const char *slash = strrchr(module->path, '/');
    if (symbol)
        return sp_function_name(symbol, name, room);
    snprintf(name, room, "%.3000s+0x%llx", slash ? slash + 1 : module->path, (unsigned long long)offset);
    return name;
}

static int is_loaded(const struct sp_module *module)
{
    struct place place = {.address = (const void *)module->start};
    dl_iterate_phdr(look_at, &place);
    char *id = place.is_found && place.base == module->base ? make_id(&place) : NULL;
    int is_same = id && strcmp(id, module->id) == 0;
    free(id);
    return is_same;
}

void sp_module_forget_unloaded(void (*forget)(const void *start, const void *end))
{
    for (struct sp_module *module = __atomic_load_n(&modules, __ATOMIC_ACQUIRE); module; module = module->next) {
        if (module->is_executable || __atomic_load_n(&module->is_gone, __ATOMIC_RELAXED) || is_loaded(module))
            continue;
        __atomic_store_n(&module->is_gone, 1, __ATOMIC_RELAXED);
        forget((const void *)module->start, (const void *)module->end);
    }
}
