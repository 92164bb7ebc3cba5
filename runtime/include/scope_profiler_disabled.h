/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCOPE_PROFILER_DISABLED_H
#define SCOPE_PROFILER_DISABLED_H

/* scope_profiler.h under -DSP_DISABLE_PROFILING: nothing is called and no argument is evaluated (sizeof only looks at its type, so
 * that a variable that held a handle counts as used). */

#define SP_UNUSED_(argument) ((void)sizeof(argument))
#define SP_UNUSED2_(a, b) (SP_UNUSED_(a), SP_UNUSED_(b))
#define SP_UNUSED3_(a, b, c) (SP_UNUSED_(a), SP_UNUSED_(b), SP_UNUSED_(c))

static inline int sp_nothing_(int result)
{
    return result;
}

static inline int sp_no_stats_(sp_region_stats *stats)
{
    if (stats)
        stats->calls = stats->total_ns = stats->min_ns = stats->max_ns = 0;
    return SP_OK;
}

static inline sp_profiler *sp_no_profiler_(void)
{
    static char none;
    return (sp_profiler *)(void *)&none;
}

static inline sp_scope sp_no_scope_(void)
{
    sp_scope scope = {NULL, SP_INVALID_REGION, -1};
    return scope;
}

#define sp_init(prefix, rank) (SP_UNUSED2_(prefix, rank), sp_nothing_(SP_OK))
#define sp_finalize() sp_nothing_(SP_OK)
#define sp_region(name) (SP_UNUSED_(name), sp_nothing_(SP_INVALID_REGION))
#define sp_region_at(name, file, line) (SP_UNUSED3_(name, file, line), sp_nothing_(SP_INVALID_REGION))
#define sp_region_tagged(name, tags) (SP_UNUSED2_(name, tags), sp_nothing_(SP_INVALID_REGION))
#define sp_register_opt_in_tag(tag) (SP_UNUSED_(tag), sp_nothing_(SP_OK))
#define sp_begin(region) SP_UNUSED_(region)
#define sp_end(region) SP_UNUSED_(region)
#define sp_end_last() ((void)0)
#define sp_pause() ((void)0)
#define sp_resume() ((void)0)
#define sp_phase(name, index) (SP_UNUSED2_(name, index), sp_nothing_(SP_OK))
#define sp_work(work) (SP_UNUSED_(work), sp_nothing_(SP_OK))
#define sp_set(key, value) (SP_UNUSED2_(key, value), sp_nothing_(SP_OK))
#define sp_metadata(key, value) (SP_UNUSED2_(key, value), sp_nothing_(SP_OK))
#define sp_now_ns() sp_monotonic_ns_()
#define sp_num_calls(region) (SP_UNUSED_(region), (int64_t)0)
#define sp_get_region_stats(region, stats) (SP_UNUSED_(region), sp_no_stats_(stats))
#define sp_flush() sp_nothing_(SP_OK)
#define sp_reset() sp_nothing_(SP_OK)
#define sp_is_active() 0
#define sp_output_path() ""

#define SP_REGION_AT(name) sp_region(name)
#define SP_BEGIN(name) SP_UNUSED_(name)
#define SP_END(name) SP_UNUSED_(name)
#define SP_SCOPE(name) SP_UNUSED_(name)
#define SP_FUNCTION() ((void)0)

/* Contexts: one that does nothing, not NULL, so that a program that checks its pointer goes on. */
#define sp_create(prefix, rank) (SP_UNUSED2_(prefix, rank), sp_no_profiler_())
#define sp_default_profiler() sp_no_profiler_()
#define sp_destroy(profiler) SP_UNUSED_(profiler)
#define sp_profiler_region(profiler, name) (SP_UNUSED2_(profiler, name), sp_nothing_(SP_INVALID_REGION))
#define sp_profiler_region_at(profiler, name, file, line) (SP_UNUSED3_(profiler, name, file), SP_UNUSED_(line), sp_nothing_(SP_INVALID_REGION))
#define SP_PROFILER_REGION_AT(profiler, name) sp_profiler_region(profiler, name)
#define sp_profiler_begin(profiler, region) SP_UNUSED2_(profiler, region)
#define sp_profiler_end(profiler, region) SP_UNUSED2_(profiler, region)
#define sp_profiler_end_last(profiler) (SP_UNUSED_(profiler), sp_nothing_(SP_OK))
#define sp_profiler_scope_begin(profiler, region) (SP_UNUSED2_(profiler, region), sp_no_scope_())
#define sp_scope_end(scope) (SP_UNUSED_(scope), sp_nothing_(SP_OK))
#define sp_profiler_reset(profiler) (SP_UNUSED_(profiler), sp_nothing_(SP_OK))
#define sp_profiler_get_region_stats(profiler, region, stats) (SP_UNUSED2_(profiler, region), sp_no_stats_(stats))
#define sp_profiler_num_regions(profiler) (SP_UNUSED_(profiler), sp_nothing_(0))
#define sp_profiler_region_name(profiler, region) (SP_UNUSED2_(profiler, region), "")
#define sp_profiler_flush(profiler) (SP_UNUSED_(profiler), sp_nothing_(SP_OK))
#define sp_profiler_finalize(profiler) (SP_UNUSED_(profiler), sp_nothing_(SP_OK))
#define sp_profiler_is_active(profiler) (SP_UNUSED_(profiler), sp_nothing_(0))
#define sp_profiler_output_path(profiler) (SP_UNUSED_(profiler), "")
#define sp_profiler_last_error(profiler) (SP_UNUSED_(profiler), sp_nothing_(SP_OK))
#define sp_hdf5_available() 1
#define sp_default_output_format() SP_OUTPUT_HDF5
#define sp_current_output_format() SP_OUTPUT_HDF5
#define sp_set_output_format(format) (SP_UNUSED_(format), sp_nothing_(SP_OK))
#define sp_profiler_output_format(profiler) (SP_UNUSED_(profiler), SP_OUTPUT_HDF5)
#define sp_profiler_set_output_format(profiler, format) (SP_UNUSED2_(profiler, format), sp_nothing_(SP_OK))

#endif
