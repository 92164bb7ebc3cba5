/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls before sp_init (from a static object's constructor on), after sp_finalize, in a static destructor, and in a forked child, which
 * the parent outlives with more events than a ring holds. The argument says how far it goes: "exit" leaves the end to exit(). */
#include <scope_profiler.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static void call(const char *name)
{
    int region = sp_region(name);
    sp_begin(region);
    sp_end(region);
}

struct Static {
    Static()
    {
        call("static constructor");
    }
    ~Static()
    {
        call("static destructor");
        SP_BEGIN("never ended");
        sp_flush();
        sp_reset();
    }
};
static Static object;

static void record_in_child(int open)
{
    for (int i = 0; i < 100000; i++)
        call("child");
    sp_end(open);
    sp_region_stats stats;
    sp_get_region_stats(open, &stats);
    sp_num_calls(open);
    sp_flush();
    sp_init("child", 0);
    sp_finalize();
    std::exit(0);
}

int main(int argc, char **argv)
{
    int status = 0, open = sp_region("open over the fork");
    bool ends_itself = argc < 2 || std::strcmp(argv[1], "exit") != 0;
    call("before init");
    sp_init("run", 0);
    sp_begin(open);
    for (int i = 0; i < 10; i++)
        call("parent, before");
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        record_in_child(open);
    waitpid(child, &status, 0);
    for (int i = 0; i < 150000; i++)
        call("parent, after");
    sp_end(open);
    if (ends_itself) {
        sp_finalize();
        call("after finalize");
        sp_end(open);
        sp_finalize();
    }
    std::puts(WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "child ended well" : "child failed");
    return 5;
}
