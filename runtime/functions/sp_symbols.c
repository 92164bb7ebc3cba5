/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* ElfW */
#include "sp_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Phdr) elf_segment;
typedef ElfW(Shdr) elf_section;
typedef ElfW(Sym) elf_symbol;
typedef ElfW(Nhdr) elf_note;

struct function {
    uint64_t address;
    const char *name;
    int rank; /* of the binding: global first */
};

struct sp_symbols {
    const unsigned char *file; /* mapped, as the program's code is */
    size_t bytes;
    struct function *functions;
    size_t count;
    char stat_id[64];
};

/* count things of a size at an offset, NULL where the file does not hold them, or not where such a thing (but bytes) may lie. */
static const void *at(const struct sp_symbols *symbols, uint64_t offset, uint64_t count, size_t size)
{
    uint64_t alignment = size == 1 ? 1 : _Alignof(elf_symbol);
    if (offset > symbols->bytes || offset % alignment != 0 || count > (symbols->bytes - offset) / size)
        return NULL;
    return symbols->file + offset;
}

static int is_of_this_machine(const elf_header *header)
{
    const uint16_t one = 1;
    int is_little = *(const unsigned char *)&one == 1;
    return header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
        header->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
        header->e_ident[EI_DATA] == (is_little ? ELFDATA2LSB : ELFDATA2MSB) && header->e_shentsize == sizeof(elf_section);
}

static const elf_section *sections(const struct sp_symbols *symbols, uint32_t *count)
{
    const elf_header *header = at(symbols, 0, 1, sizeof *header);
    *count = 0;
    if (!is_of_this_machine(header))
        return NULL;
    const elf_section *found = at(symbols, header->e_shoff, header->e_shnum, sizeof *found);
    *count = found ? header->e_shnum : 0;
    return found;
}

static const elf_section *find_table(const struct sp_symbols *symbols, uint32_t type)
{
    uint32_t count;
    const elf_section *section = sections(symbols, &count);
    for (uint32_t i = 0; i < count; i++)
        if (section[i].sh_type == type && section[i].sh_link < count && section[i].sh_entsize == sizeof(elf_symbol))
            return &section[i];
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->rank != y->rank ? x->rank - y->rank : strcmp(x->name, y->name);
}

static int rank_of(unsigned binding)
{
    return binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
}

static int read_table(struct sp_symbols *symbols, const elf_section *table)
{
    uint32_t section_count;
    const elf_section *strings = sections(symbols, &section_count) + table->sh_link;
    size_t count = (size_t)(table->sh_size / sizeof(elf_symbol));
    const elf_symbol *entries = at(symbols, table->sh_offset, count, sizeof *entries);
    if (strings->sh_size == 0 || strings->sh_offset > symbols->bytes || strings->sh_size > symbols->bytes - strings->sh_offset)
        return -1;
    const char *text = (const char *)symbols->file + strings->sh_offset;
    if (!entries || text[strings->sh_size - 1] != '\0')
        return -1;
    symbols->functions = calloc(count + 1, sizeof *symbols->functions);
    if (!symbols->functions)
        return -1;
    for (size_t i = 0; i < count; i++) {
        unsigned type = entries[i].st_info & 0xf;
        if ((type != STT_FUNC && type != STT_GNU_IFUNC) || entries[i].st_shndx == SHN_UNDEF || entries[i].st_name >= strings->sh_size)
            continue;
        symbols->functions[symbols->count++] = (struct function){
            .address = entries[i].st_value, .name = text + entries[i].st_name, .rank = rank_of((unsigned)entries[i].st_info >> 4)};
    }
    qsort(symbols->functions, symbols->count, sizeof *symbols->functions, compare);
    return 0;
}

static int map(struct sp_symbols *symbols, const char *path)
{
    struct stat s;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0) {
        void *file = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            symbols->file = file;
            symbols->bytes = (size_t)s.st_size;
            sp_symbols_stat_id(&s, symbols->stat_id, sizeof symbols->stat_id);
        }
    }
    close(fd);
    return symbols->file ? 0 : -1;
}

struct sp_symbols *sp_symbols_open(const char *path)
{
    struct sp_symbols *symbols = calloc(1, sizeof *symbols);
    const elf_section *table = NULL;
    if (!symbols)
        return NULL;
    int status = map(symbols, path);
    if (status == 0 && !is_of_this_machine(at(symbols, 0, 1, sizeof(elf_header))))
        status = -1;
    if (status == 0 && !(table = find_table(symbols, SHT_SYMTAB)))
        table = find_table(symbols, SHT_DYNSYM);
    if (status < 0 || (table && read_table(symbols, table) < 0)) {
        sp_symbols_close(symbols);
        return NULL;
    }
    return symbols;
}

void sp_symbols_close(struct sp_symbols *symbols)
{
    if (!symbols)
        return;
    free(symbols->functions);
    if (symbols->file)
        munmap((void *)(uintptr_t)symbols->file, symbols->bytes);
    free(symbols);
}

/* The first one that starts at an address or behind it. */
static size_t first_from(const struct sp_symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols ? symbols->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->functions[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *sp_symbols_name(const struct sp_symbols *symbols, uint64_t address)
{
    size_t at = first_from(symbols, address);
    return symbols && at < symbols->count && symbols->functions[at].address == address ? symbols->functions[at].name : NULL;
}

const char *sp_symbols_around(const struct sp_symbols *symbols, uint64_t address)
{
    size_t behind = first_from(symbols, address + 1);
    return behind > 0 ? sp_symbols_name(symbols, symbols->functions[behind - 1].address) : NULL;
}

void sp_symbols_build_id(const void *notes, size_t bytes, char *id, size_t room)
{
    const unsigned char *p = notes;
    id[0] = '\0';
    while (bytes >= sizeof(elf_note)) {
        elf_note note;
        memcpy(&note, p, sizeof note);
        size_t name = ((size_t)note.n_namesz + 3) / 4 * 4, all = sizeof note + name + ((size_t)note.n_descsz + 3) / 4 * 4;
        if (all > bytes)
            return;
        const unsigned char *value = p + sizeof note + name;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(p + sizeof note, "GNU", 4) == 0) {
            for (size_t i = 0; i < note.n_descsz && 2 * i + 2 < room; i++)
                snprintf(id + 2 * i, 3, "%02x", value[i]);
            return;
        }
        p += all;
        bytes -= all;
    }
}

void sp_symbols_file_id(const struct sp_symbols *symbols, char *id, size_t room)
{
    const elf_header *header = at(symbols, 0, 1, sizeof *header);
    const elf_segment *segment = header ? at(symbols, header->e_phoff, header->e_phnum, sizeof *segment) : NULL;
    id[0] = '\0';
    for (uint32_t i = 0; segment && i < header->e_phnum && !id[0]; i++) {
        const void *notes = segment[i].p_type == PT_NOTE ? at(symbols, segment[i].p_offset, segment[i].p_filesz, 1) : NULL;
        if (notes)
            sp_symbols_build_id(notes, (size_t)segment[i].p_filesz, id, room);
    }
}

void sp_symbols_stat_id(const struct stat *s, char *id, size_t room)
{
    snprintf(id, room, "%lld.%lld", (long long)s->st_size, (long long)s->st_mtime);
}

int sp_symbols_have_id(const struct sp_symbols *symbols, const char *id)
{
    char own[64];
    if (strcmp(id, "-") == 0)
        return 1;
    if (strchr(id, '.'))
        return strcmp(id, symbols->stat_id) == 0;
    sp_symbols_file_id(symbols, own, sizeof own);
    return strcmp(id, own) == 0;
}
