/* SPDX-License-Identifier: BSD-3-Clause */
/* code.c for C++. */
#ifndef NOTHING
#include <scope_profiler.hpp>
#define ONLY_WITH(...) __VA_ARGS__
#else
#define ONLY_WITH(...)
#endif

double work(const double *values, int count);

double work(const double *values, int count)
{
    double sum = 0;
    ONLY_WITH(SP_PROFILE_FUNCTION();)
    for (int i = 0; i < count; i++) {
        ONLY_WITH(SP_PROFILE_SCOPE("iteration"); sp::Scope timed(sp_region("add")); sp::Scope other(sp_default_profiler(), sp_region("b"));)
        ONLY_WITH(SP_PROFILE_FUNCTION_CTX(sp_default_profiler());)
        sum += values[i] * values[i];
    }
    return sum;
}
