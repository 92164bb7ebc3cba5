/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCOPE_PROFILER_CONTEXTS_H
#define SCOPE_PROFILER_CONTEXTS_H

/* Contexts as scope-profiler's own C API has them; included by scope_profiler.h.
 *
 * A process has one runtime and writes one file, so a context is thin: it says who may record and keeps the last error. Regions of
 * one name are one region whichever context they came from, and handles are the process's. Without MPI the first context starts
 * the run, under its prefix, and the file is written when the last one that is open is finalized, or at exit; with MPI the run is
 * MPI's, and contexts neither start nor end it. Without a runtime a context does nothing and everything succeeds. */

struct sp_profiler {
    int is_open;
    int last_error; /* enum sp_status */
    int is_default;
};

static inline sp_profiler *sp_no_profiler_(void)
{
    static sp_profiler none;
    return &none;
}

static inline int sp_is_open_(const sp_profiler *profiler)
{
    return profiler && __atomic_load_n(&profiler->is_open, __ATOMIC_RELAXED);
}

/* Remembers a status as the context's last one, and returns it. */
static inline int sp_note_(sp_profiler *profiler, int status)
{
    if (sp_is_open_(profiler))
        __atomic_store_n(&profiler->last_error, status, __ATOMIC_RELAXED);
    return status;
}

/* What a call on a context that records nothing returns: an error only where there is a runtime that could. */
static inline int sp_is_closed_(const sp_profiler *profiler)
{
    return profiler && !sp_runtime_() ? SP_OK : SP_ERR_INACTIVE;
}

static inline sp_profiler *sp_create(const char *prefix, int rank)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(open_context);
    return r ? r->open_context(prefix ? prefix : "", rank) : sp_no_profiler_();
}

/* The context of the functions without one. */
static inline sp_profiler *sp_default_profiler(void)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(open_context);
    return r ? r->open_context(NULL, 0) : sp_no_profiler_();
}

/* Writes no file; NULL is fine. */
static inline void sp_destroy(sp_profiler *profiler)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(close_context);
    if (r && profiler)
        r->close_context(profiler);
}

static inline int sp_profiler_region_at(sp_profiler *profiler, const char *name, const char *file, int line)
{
    return sp_is_open_(profiler) ? sp_region_at(name, file, line) : SP_INVALID_REGION;
}

static inline int sp_profiler_region(sp_profiler *profiler, const char *name)
{
    return sp_profiler_region_at(profiler, name, NULL, -1);
}

#define SP_PROFILER_REGION_AT(profiler, name) sp_profiler_region_at((profiler), (name), __FILE__, __LINE__)

static inline void sp_profiler_begin(sp_profiler *profiler, int region)
{
    if (sp_is_open_(profiler))
        sp_begin(region);
}

/* Ends a region; region < 0 the innermost one. SP_ERR_UNMATCHED_END where it is not open on this thread. */
static inline int sp_checked_end_(sp_profiler *profiler, int region)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(checked_end);
    if (!sp_is_open_(profiler))
        return sp_is_closed_(profiler);
    return r ? sp_note_(profiler, r->checked_end(region)) : SP_OK;
}

static inline void sp_profiler_end(sp_profiler *profiler, int region)
{
    if (region >= 0)
        sp_checked_end_(profiler, region);
}

static inline int sp_profiler_end_last(sp_profiler *profiler)
{
    return sp_checked_end_(profiler, -1);
}

/* Begins a call and returns a token for exactly this one. */
static inline sp_scope sp_profiler_scope_begin(sp_profiler *profiler, int region)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(scope_begin);
    sp_scope scope;
    scope.profiler = profiler;
    scope.region = region;
    scope.slot = r && sp_is_open_(profiler) && region >= 0 ? r->scope_begin(region) : -1;
    return scope;
}

/* Ends the token's call, with what other regions left open inside. Refused with SP_ERR_UNMATCHED_END on another thread, when it has
 * been ended before, and, for the time being, while a later call of its own region is open. */
static inline int sp_scope_end(sp_scope *scope)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(scope_end);
    if (!scope || !r || !sp_is_open_(scope->profiler))
        return scope ? sp_is_closed_(scope->profiler) : SP_ERR_INACTIVE;
    if (scope->region < 0) /* a region that is not wanted */
        return SP_OK;
    return sp_note_(scope->profiler, r->scope_end(scope->region, &scope->slot));
}

static inline int sp_profiler_reset(sp_profiler *profiler)
{
    return sp_is_open_(profiler) ? sp_note_(profiler, sp_reset()) : sp_is_closed_(profiler);
}

static inline int sp_profiler_get_region_stats(const sp_profiler *profiler, int region, sp_region_stats *stats)
{
    int status = sp_get_region_stats(region, stats);
    return profiler ? status : SP_ERR_INACTIVE;
}

/* Regions of the process; their handles are below this. */
static inline int sp_profiler_num_regions(const sp_profiler *profiler)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(region_count);
    return r && profiler ? r->region_count() : 0;
}

/* NULL for a handle that sp_region never gave; "" for SP_INVALID_REGION and without a runtime. Functions of the compiler's have their
 * names in the file only. */
static inline const char *sp_profiler_region_name(const sp_profiler *profiler, int region)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(region_name);
    if (!r || region == SP_INVALID_REGION)
        return profiler ? "" : NULL;
    return profiler ? r->region_name(region) : NULL;
}

static inline int sp_profiler_flush(sp_profiler *profiler)
{
    return sp_is_open_(profiler) ? sp_note_(profiler, sp_flush()) : sp_is_closed_(profiler);
}

static inline int sp_profiler_finalize(sp_profiler *profiler)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(finalize_context);
    return r && profiler ? r->finalize_context(profiler) : sp_is_closed_(profiler);
}

static inline int sp_profiler_is_active(const sp_profiler *profiler)
{
    return sp_is_open_(profiler) && sp_is_active();
}

static inline const char *sp_profiler_output_path(const sp_profiler *profiler)
{
    return profiler ? sp_output_path() : NULL;
}

static inline sp_status sp_profiler_last_error(const sp_profiler *profiler)
{
    return profiler ? (sp_status)__atomic_load_n(&profiler->last_error, __ATOMIC_RELAXED) : SP_OK;
}

/* Files are HDF5; SP_OUTPUT_TRACE is refused and changes nothing. */
static inline int sp_hdf5_available(void)
{
    return 1;
}

static inline sp_output_format sp_default_output_format(void)
{
    return SP_OUTPUT_HDF5;
}

static inline sp_output_format sp_profiler_output_format(const sp_profiler *profiler)
{
    (void)profiler;
    return SP_OUTPUT_HDF5;
}

static inline sp_output_format sp_current_output_format(void)
{
    return SP_OUTPUT_HDF5;
}

static inline int sp_profiler_set_output_format(sp_profiler *profiler, sp_output_format format)
{
    if (!sp_is_open_(profiler))
        return sp_is_closed_(profiler);
    return sp_note_(profiler, format == SP_OUTPUT_HDF5 ? SP_OK : SP_ERR_UNSUPPORTED);
}

static inline int sp_set_output_format(sp_output_format format)
{
    return sp_profiler_set_output_format(sp_default_profiler(), format);
}

#endif
