/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_dwarf.h"

#include <stddef.h>

#ifdef SP_HAS_LIBDW

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* What is used of libdw. */
#define LIBDW(FUNCTION)                                                                                                                    \
    FUNCTION(dwarf_getsrc_die)                                                                                                             \
    FUNCTION(dwarf_lineno)                                                                                                                 \
    FUNCTION(dwarf_linesrc)                                                                                                                \
    FUNCTION(dwarf_ranges)                                                                                                                 \
    FUNCTION(dwfl_begin)                                                                                                                   \
    FUNCTION(dwfl_build_id_find_elf)                                                                                                       \
    FUNCTION(dwfl_end)                                                                                                                     \
    FUNCTION(dwfl_lineinfo)                                                                                                                \
    FUNCTION(dwfl_module_addrinfo)                                                                                                         \
    FUNCTION(dwfl_module_getsrc)                                                                                                           \
    FUNCTION(dwfl_module_nextcu)                                                                                                           \
    FUNCTION(dwfl_offline_section_address)                                                                                                 \
    FUNCTION(dwfl_report_elf)                                                                                                              \
    FUNCTION(dwfl_report_end)                                                                                                              \
    FUNCTION(dwfl_standard_find_debuginfo)                                                                                                 \
    FUNCTION(dwfl_version)

#define POINTER(name) __typeof__(name) *name;
static struct {
    LIBDW(POINTER)
} libdw;

/* The addresses of a compilation unit. */
struct range {
    Dwarf_Addr start, end;
    Dwarf_Die *unit;
};

struct sp_dwarf {
    Dwfl *session;
    Dwfl_Module *module;
    Dwfl_Callbacks callbacks;
    struct range *ranges; /* by start; read where the file has no index of its own */
    size_t range_count, room;
    int has_ranges;
};

static int load(const char **why)
{
    static void *library;
    static const char *failure = "libdw.so.1 is not what it was built for";
    if (!library && !(library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL)))
        failure = "libdw.so.1 cannot be loaded";
    *why = failure;
#define FIND(name)                                                                                                                         \
    if (library)                                                                                                                           \
        *(void **)&libdw.name = dlsym(library, #name);
#define IS_THERE(name) &&libdw.name != NULL
    LIBDW(FIND)
    return library LIBDW(IS_THERE) ? 0 : -1;
}

const char *sp_dwarf_version(const char **why)
{
    return load(why) == 0 ? libdw.dwfl_version(NULL) : NULL;
}

struct sp_dwarf *sp_dwarf_open(const char *path)
{
    const char *why;
    struct sp_dwarf *dwarf = load(&why) == 0 ? calloc(1, sizeof *dwarf) : NULL;
    if (!dwarf)
        return NULL;
    dwarf->callbacks = (Dwfl_Callbacks){.find_elf = libdw.dwfl_build_id_find_elf,
        .find_debuginfo = libdw.dwfl_standard_find_debuginfo,
        .section_address = libdw.dwfl_offline_section_address};
    dwarf->session = libdw.dwfl_begin(&dwarf->callbacks);
    if (dwarf->session)
        dwarf->module = libdw.dwfl_report_elf(dwarf->session, path, path, -1, 0, true);
    if (dwarf->module && libdw.dwfl_report_end(dwarf->session, NULL, NULL) == 0)
        return dwarf;
    sp_dwarf_close(dwarf);
    return NULL;
}

void sp_dwarf_close(struct sp_dwarf *dwarf)
{
    if (!dwarf)
        return;
    if (dwarf->session)
        libdw.dwfl_end(dwarf->session);
    free(dwarf->ranges);
    free(dwarf);
}

const char *sp_dwarf_symbol(struct sp_dwarf *dwarf, uint64_t address)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name = dwarf ? libdw.dwfl_module_addrinfo(dwarf->module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    return name && offset == 0 && GELF_ST_TYPE(symbol.st_info) != STT_SECTION ? name : NULL;
}

static int add_range(struct sp_dwarf *dwarf, const struct range *range)
{
    if (dwarf->range_count == dwarf->room) {
        size_t room = dwarf->room ? 2 * dwarf->room : 1024;
        struct range *ranges = realloc(dwarf->ranges, room * sizeof *ranges);
        if (!ranges)
            return -1;
        dwarf->ranges = ranges;
        dwarf->room = room;
    }
    dwarf->ranges[dwarf->range_count++] = *range;
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static void read_ranges(struct sp_dwarf *dwarf)
{
    Dwarf_Addr bias, base;
    dwarf->has_ranges = 1;
    for (Dwarf_Die *unit = NULL; (unit = libdw.dwfl_module_nextcu(dwarf->module, unit, &bias));) {
        struct range range = {.unit = unit};
        for (ptrdiff_t at = 0; (at = libdw.dwarf_ranges(unit, at, &base, &range.start, &range.end)) > 0;)
            if (add_range(dwarf, &range) < 0)
                return;
    }
    if (dwarf->range_count > 0)
        qsort(dwarf->ranges, dwarf->range_count, sizeof *dwarf->ranges, by_start);
}

static Dwarf_Die *find_unit(struct sp_dwarf *dwarf, uint64_t address)
{
    if (!dwarf->has_ranges)
        read_ranges(dwarf);
    size_t low = 0, high = dwarf->range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (dwarf->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < dwarf->ranges[low - 1].end ? dwarf->ranges[low - 1].unit : NULL;
}

/* clang writes no index (.debug_aranges): the units' own ranges stand in for it. */
static const char *line_of_unit(struct sp_dwarf *dwarf, uint64_t address, int *line)
{
    Dwarf_Die *unit = find_unit(dwarf, address);
    Dwarf_Line *found = unit ? libdw.dwarf_getsrc_die(unit, address) : NULL;
    if (!found || libdw.dwarf_lineno(found, line) < 0)
        return NULL;
    return libdw.dwarf_linesrc(found, NULL, NULL);
}

const char *sp_dwarf_line(struct sp_dwarf *dwarf, uint64_t address, int *line)
{
    if (!dwarf)
        return NULL;
    Dwfl_Line *found = libdw.dwfl_module_getsrc(dwarf->module, address);
    return found ? libdw.dwfl_lineinfo(found, NULL, line, NULL, NULL, NULL) : line_of_unit(dwarf, address, line);
}

#else

const char *sp_dwarf_version(const char **why)
{
    *why = "built without libdw";
    return NULL;
}

struct sp_dwarf *sp_dwarf_open(const char *path)
{
    (void)path;
    return NULL;
}

void sp_dwarf_close(struct sp_dwarf *dwarf)
{
    (void)dwarf;
}

const char *sp_dwarf_symbol(struct sp_dwarf *dwarf, uint64_t address)
{
    (void)dwarf, (void)address;
    return NULL;
}

const char *sp_dwarf_line(struct sp_dwarf *dwarf, uint64_t address, int *line)
{
    (void)dwarf, (void)address, (void)line;
    return NULL;
}

#endif
