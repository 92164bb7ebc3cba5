/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions of names nobody should give, one call each, the number of its line for those that are expected as a list; then recursion
 * 10 000 deep and 20 000 regions. */
#include <scope_profiler.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"", " ", "a b", "\"quoted\"", "it's", "new\nline", "tab\t", "</svg>", "a;b", "a,b", "a/b/c", "=1+1",
    "-minus", "--help", "\\", "100%s%n", "h\xc3\xa4user", "\xe6\x97\xa5\xe6\x9c\xac", "\xff\xfe invalid", "\x01\x1b[31m", "{}[]$`", "NULL",
    "../../etc/passwd", "%e_%p"};

static void descend(int region, int depth)
{
    sp_begin(region);
    if (depth > 1)
        descend(region, depth - 1);
    sp_end(region);
}

static char *long_name(size_t bytes)
{
    char *name = malloc(bytes + 1);
    if (!name)
        exit(1);
    memset(name, 'x', bytes);
    name[bytes] = '\0';
    return name;
}

static void call(const char *name)
{
    int region = sp_region(name);
    sp_begin(region);
    sp_end(region);
}

int main(void)
{
    char name[32], *names_of[3] = {long_name(10000), long_name(65536), long_name(65537)};
    sp_init("run", 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        call(names[i]);
    for (int i = 0; i < 3; i++) {
        call(names_of[i]);
        free(names_of[i]);
    }
    call(NULL);
    descend(sp_region("recursion"), 10000);
    for (int i = 0; i < 20000; i++) {
        snprintf(name, sizeof name, "many %d", i);
        call(name);
    }
    puts("named");
    return 5;
}
