/* SPDX-License-Identifier: BSD-3-Clause */
/* sp-names: names, files and lines of functions by their addresses in ELF files (sp_names.h says what it is asked and answers). */
#include "sp_names.h"
#include "sp_dwarf.h"
#include "sp_function_name.h"
#include "sp_symbols.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LONGEST_S = 30 }; /* whoever asked waits as long */

struct module {
    char *path;
    struct sp_symbols *symbols;
    struct sp_dwarf *dwarf;
    struct module *next;
};

static struct module *modules;
static int with_dwarf = 1;

/* We are nobody's job: no core files, no waiting for servers of debug files, nothing inherited that blocks the alarm. */
static void settle(void)
{
    static const struct rlimit none = {0, 0};
    sigset_t empty;
    sigemptyset(&empty);
    sigprocmask(SIG_SETMASK, &empty, NULL);
    setrlimit(RLIMIT_CORE, &none);
    unsetenv("DEBUGINFOD_URLS");
    alarm(LONGEST_S);
}

/* C++ names need C++'s library; where there is none they stay as they are. */
static void load_demangler(void)
{
    if (!dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL))
        dlopen("libc++abi.so.1", RTLD_NOW | RTLD_GLOBAL);
}

static char *read_all(size_t *bytes)
{
    size_t room = 1 << 16, n;
    char *text = malloc(room + 1);
    *bytes = 0;
    while (text && (n = fread(text + *bytes, 1, room - *bytes, stdin)) > 0) {
        *bytes += n;
        if (*bytes < room)
            continue;
        char *longer = realloc(text, 2 * room + 1);
        if (!longer)
            break;
        text = longer;
        room *= 2;
    }
    if (text)
        text[*bytes] = '\0';
    return text;
}

static struct module *module_of(const char *path)
{
    for (struct module *module = modules; module; module = module->next)
        if (strcmp(module->path, path) == 0)
            return module;
    struct module *module = calloc(1, sizeof *module);
    if (!module || !(module->path = strdup(path)))
        return NULL;
    module->symbols = sp_symbols_open(path);
    module->dwarf = module->symbols && with_dwarf ? sp_dwarf_open(path) : NULL;
    module->next = modules;
    return modules = module;
}

static void answer(const char *status, const char *name, const char *file, int line)
{
    printf("%s%c%s%c%s%c%d%c", status, 0, name, 0, file, 0, line, 0);
}

/* Answers where the module cannot be asked: 0 then. */
static int can_be_asked(const struct module *module, const char *id)
{
    int is_there = module && module->symbols;
    if (is_there && sp_symbols_have_id(module->symbols, id))
        return 1;
    answer(is_there ? SP_NAME_OTHER_BUILD : SP_NAME_NO_FILE, "", "", -1);
    return 0;
}

static void look_up(const struct module *module, const char *id, uint64_t address)
{
    char name[4096];
    int line = -1;
    if (!can_be_asked(module, id))
        return;
    const char *symbol = sp_symbols_name(module->symbols, address);
    if (!symbol)
        symbol = sp_dwarf_symbol(module->dwarf, address);
    const char *file = sp_dwarf_line(module->dwarf, address, &line);
    sp_function_name(symbol ? symbol : "", name, sizeof name);
    answer(symbol ? SP_NAME_FOUND : SP_NAME_NO_SYMBOL, name, file ? file : "", file ? line : -1);
}

/* "main (solver.c:42)", or, without lines, "main (+0x1234)". */
static void look_up_site(const struct module *module, const char *id, uint64_t address)
{
    char function[4096], name[4400];
    int line = -1;
    if (!can_be_asked(module, id))
        return;
    const char *symbol = sp_symbols_around(module->symbols, address), *file = sp_dwarf_line(module->dwarf, address, &line);
    const char *slash = file ? strrchr(file, '/') : NULL;
    sp_function_name(symbol ? symbol : "?", function, sizeof function);
    if (file)
        snprintf(name, sizeof name, "%s (%.200s:%d)", function, slash ? slash + 1 : file, line);
    else
        snprintf(name, sizeof name, "%s (+0x%llx)", function, (unsigned long long)address);
    answer(symbol || file ? SP_NAME_FOUND : SP_NAME_NO_SYMBOL, name, file ? file : "", file ? line : -1);
}

/* "ID PATH+0xOFFSET", or with '@', a call site */
static void answer_one(char *asked)
{
    char *path = strchr(asked, ' '), *plus = NULL;
    for (char *at = path; at && (at = strpbrk(at, "+@")); at++)
        if (strncmp(at + 1, "0x", 2) == 0)
            plus = at;
    if (!plus) {
        answer(SP_NAME_NO_FILE, "", "", -1);
        return;
    }
    int is_site = *plus == '@';
    *path++ = '\0';
    *plus = '\0';
    (is_site ? look_up_site : look_up)(module_of(path), asked, strtoull(plus + 1, NULL, 16));
}

int main(int argc, char **argv)
{
    const char *why = "not asked for";
    size_t bytes;
    settle();
    with_dwarf = argc < 2 || strcmp(argv[1], SP_NAMES_SYMBOLS) != 0;
    char *asked = read_all(&bytes);
    if (!asked)
        return 1;
    load_demangler();
    const char *version = with_dwarf ? sp_dwarf_version(&why) : NULL;
    printf("%s%s%c", version ? "with libdw " : "without lines: ", version ? version : why, 0);
    for (size_t at = 0, length; at < bytes; at += length) {
        length = strlen(asked + at) + 1;
        answer_one(asked + at);
    }
    printf("%s%c", SP_NAMES_END, 0);
    return fflush(stdout) == 0 ? 0 : 1;
}
