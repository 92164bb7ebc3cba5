/* SPDX-License-Identifier: BSD-3-Clause */
/* scope_profiler.hpp: every way out of a scope. Its result is 5. */
#include <scope_profiler.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

static void throws(int depth)
{
    SP_PROFILE_SCOPE("throws");
    if (depth == 0)
        throw std::runtime_error("on purpose");
    throws(depth - 1);
}

template <typename T> static T twice(T x)
{
    SP_PROFILE_FUNCTION();
    return x + x;
}

struct Solver {
    int step(sp_profiler *context)
    {
        SP_PROFILE_FUNCTION_CTX(context);
        SP_PROFILE_SCOPE_CTX(context, "part of a step");
        return 1;
    }
};

static sp::Scope make(const char *name)
{
    return sp::Scope(sp_region(name));
}

int main()
{
    sp_init("run", 0);
    for (int i = 0; i < 3; i++) {
        try {
            SP_PROFILE_SCOPE("tries");
            throws(2);
        } catch (const std::exception &) {
            SP_PROFILE_SCOPE("catches");
        }
    }
    twice(1);
    twice(2.0);
    twice(3.0);
    sp_profiler *context = sp_create("library", 0);
    Solver().step(context);
    {
        sp::Scope moved = make("moved");
        SP_PROFILE_SCOPE("inside the moved");
        sp::Scope last(std::move(moved));
    }
    {
        sp::Scope first(context, sp_region("assigned over"));
        first = sp::Scope(context, sp_profiler_region(context, "assigned"));
    }
    for (int i = 0; i < 2; i++) {
        std::string name = "computed " + std::to_string(i);
        SP_PROFILE_SCOPE(name.c_str());
        char buffer[16];
        std::snprintf(buffer, sizeof buffer, "buffer %d", i);
        SP_PROFILE_SCOPE(buffer);
    }
    sp_profiler_finalize(context);
    {
        SP_PROFILE_SCOPE_CTX(context, "too late");
        sp::Scope none(context, sp_region("too late by handle"));
    }
    sp_destroy(context);
    std::puts("done");
    return 5;
}
