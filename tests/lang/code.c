/* SPDX-License-Identifier: BSD-3-Clause */
/* A function with every kind of instrumentation, or, with -DNOTHING, with none: under -DSP_DISABLE_PROFILING both must become the same
 * machine code. */
#ifndef NOTHING
#include <scope_profiler.h>
#define ONLY_WITH(...) __VA_ARGS__
#else
#define ONLY_WITH(...)
#endif

double work(const double *values, int count);

double work(const double *values, int count)
{
    double sum = 0;
    ONLY_WITH(SP_FUNCTION(); sp_init("run", 0); sp_set("label", "x"); sp_register_opt_in_tag("t");
              int region = sp_region_at("work", __FILE__, __LINE__); sp_profiler *context = sp_create("library", 0);
              int inner = SP_PROFILER_REGION_AT(context, "inner"); int tagged = sp_region_tagged("tagged", "t"); sp_begin(region);
              sp_metadata("key", "value");)
    for (int i = 0; i < count; i++) {
        ONLY_WITH(SP_SCOPE("iteration"); sp_phase("iterations", i); SP_BEGIN("add"); sp_begin(tagged); sp_profiler_begin(context, inner);
                  sp_scope token = sp_profiler_scope_begin(context, inner);)
        sum += values[i] * values[i];
        ONLY_WITH(sp_scope_end(&token); sp_profiler_end(context, inner); sp_end(tagged); SP_END("add"); sp_pause(); sp_resume();)
    }
    ONLY_WITH(sp_end_last(); sp_end(region); sp_work(sum); sp_flush(); sp_reset(); sp_profiler_flush(context);
              sp_profiler_finalize(context); sp_destroy(context); sp_finalize();)
    return sum;
}
